#include "analyze/mapping/space/mapping_move.h"

#include "base/minmax.h"

/* Of 16 changes, so many try to be of this kind. */
#define EXCHANGES 3
#define REORDERS 5
#define WAITS 2
#define DRAWS 8 /* until a task is found for a change of this kind */

static bool may_be_on(const map_space *m, size_t task, int core)
{
    for (size_t i = 0; i < m->tasks[task].core_count; i++)
        if (m->tasks[task].cores[i] == core)
            return true;
    return false;
}

static size_t draw_task(const map_space *m, uint64_t *random)
{
    return (size_t)map_draw(random, m->of->task_count);
}

/* Is it another task of the same core, and an interrupt or not as this one? */
static bool is_beside(const map_space *m, const sys_place *places, size_t other, size_t task)
{
    return other != task && places[other].core == places[task].core &&
           m->of->tasks[other].isr == m->of->tasks[task].isr;
}

/* How many tasks beside it go before it, or would; and how many there are. */
static size_t tasks_before(const map_space *m, const sys_place *places, size_t task, bool by_deadline, size_t *all)
{
    size_t before = 0;
    *all = 0;
    for (size_t i = 0; i < m->of->task_count; i++) {
        if (!is_beside(m, places, i, task))
            continue;
        ++*all;
        before += by_deadline ? m->rank[i] < m->rank[task] : places[i].priority > places[task].priority;
    }
    return before;
}

/* Numbers the tasks beside it anew, from task_count down, so that so many of them go before it. */
static void put_in_order(const map_space *m, sys_place *places, size_t task, size_t before)
{
    size_t count = m->of->task_count;
    int64_t priority[MAP_MAX_TASKS];
    for (size_t i = 0; i < count; i++) {
        if (!is_beside(m, places, i, task))
            continue;
        size_t position = 0;
        for (size_t k = 0; k < count; k++)
            position += is_beside(m, places, k, task) && places[k].priority > places[i].priority;
        priority[i] = (int64_t)(count - position) - (position >= before);
    }
    for (size_t i = 0; i < count; i++)
        if (is_beside(m, places, i, task))
            places[i].priority = priority[i];
    places[task].priority = (int64_t)(count - before);
}

/* Where a task goes among the others of its new core: half of the time by deadline, else anywhere. */
static void join(const map_space *m, sys_place *places, size_t task, uint64_t *random)
{
    size_t others, before = tasks_before(m, places, task, true, &others);
    if (!m->may.priority || places[task].core == SYS_GPU)
        return;
    if (map_draw(random, 2))
        before = (size_t)map_draw(random, others + 1);
    put_in_order(m, places, task, before);
}

static bool relocate(const map_space *m, sys_place *places, uint64_t *random)
{
    size_t task = draw_task(m, random);
    const map_task *t = &m->tasks[task];
    if (t->core_count < 2)
        return false;
    int core = t->cores[map_draw(random, t->core_count - 1)];
    places[task].core = core == places[task].core ? t->cores[t->core_count - 1] : core;
    join(m, places, task, random);
    return true;
}

static bool exchange(const map_space *m, sys_place *places, uint64_t *random)
{
    size_t a = draw_task(m, random), b = draw_task(m, random);
    int from = places[a].core, to = places[b].core;
    if (from == to || !may_be_on(m, a, to) || !may_be_on(m, b, from))
        return false;
    places[a].core = to;
    join(m, places, a, random);
    places[b].core = from;
    join(m, places, b, random);
    return true;
}

static bool reorder(const map_space *m, sys_place *places, uint64_t *random)
{
    size_t task = draw_task(m, random), others;
    size_t before = tasks_before(m, places, task, false, &others);
    if (!m->may.priority || places[task].core == SYS_GPU || others == 0)
        return false;
    size_t drawn = (size_t)map_draw(random, others);
    put_in_order(m, places, task, drawn == before ? others : drawn);
    return true;
}

static bool wait_otherwise(const map_space *m, sys_place *places, uint64_t *random)
{
    size_t task = draw_task(m, random);
    if (!m->tasks[task].may_wait_either_way)
        return false;
    places[task].busy = !places[task].busy;
    return true;
}

static bool try_move(const map_space *m, sys_place *places, uint64_t kind, uint64_t *random)
{
    if (kind < EXCHANGES)
        return exchange(m, places, random);
    if (kind < EXCHANGES + REORDERS)
        return reorder(m, places, random);
    if (kind < EXCHANGES + REORDERS + WAITS)
        return wait_otherwise(m, places, random);
    return relocate(m, places, random);
}

bool map_can_move(const map_space *m, const sys_place *places)
{
    for (size_t i = 0; i < m->of->task_count; i++) {
        size_t others;
        tasks_before(m, places, i, false, &others);
        if (m->tasks[i].core_count > 1 || m->tasks[i].may_wait_either_way ||
            (m->may.priority && places[i].core != SYS_GPU && others > 0))
            return true;
    }
    return false;
}

void map_move(const map_space *m, sys_place *places, uint64_t *random)
{
    for (;;) {
        uint64_t kind = map_draw(random, 16);
        for (int i = 0; i < DRAWS; i++)
            if (try_move(m, places, kind, random))
                return;
    }
}

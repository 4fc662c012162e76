/* Small random changes of mappings, the climb, and mappings to start from. */
#include "analyze/mapping/mapping_climb.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

/* Kinds of 16 changes on average; the others relocate a task. */
#define EXCHANGES 3
#define REORDERS 5
#define WAITS 2
#define DRAWS 8 /* tries to find a task for a change of one kind */

/* Chosen by trials on random systems of 10 to 34 tasks. */
#define HISTORY 10      /* tries that late acceptance looks back */
#define PATIENCE 2000   /* changes without improvement before a jump from the best mapping */
#define LEAST_CHANGES 3 /* a jump makes 3 to 10 changes */
#define MORE_CHANGES 8
#define MOST_REPEATED 16 /* repeated mappings per try; with more, nothing new is found any more */

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

/* Does `other` compete with `task` by priority: on the same core, both interrupts or both not? */
static bool is_beside(const map_space *m, const sys_place *places, size_t other, size_t task)
{
    return other != task && places[other].core == places[task].core &&
           m->of->tasks[other].isr == m->of->tasks[task].isr;
}

/* How many of the tasks beside it go before it, by priority or by deadline; *all: how many are beside it. */
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

/* Renumbers priorities from task_count down so that `before` of the tasks beside it go before it. */
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

/* Gives a task a position on its new core: with probability 1/2 by deadline, else at random. */
static void join_core(const map_space *m, sys_place *places, size_t task, uint64_t *random)
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
    join_core(m, places, task, random);
    return true;
}

static bool exchange(const map_space *m, sys_place *places, uint64_t *random)
{
    size_t a = draw_task(m, random), b = draw_task(m, random);
    int from = places[a].core, to = places[b].core;
    if (from == to || !may_be_on(m, a, to) || !may_be_on(m, b, from))
        return false;
    places[a].core = to;
    join_core(m, places, a, random);
    places[b].core = from;
    join_core(m, places, b, random);
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

static const map_score worst_score = {INT64_MAX, INT64_MAX, INT64_MAX};

typedef struct climb_state {
    map_climb *c;
    map_score history[HISTORY]; /* current scores of the last tries */
    map_score score;            /* of the current mapping */
    map_score peak;             /* the best since the last jump */
    sys_place *next;            /* the mapping to try */
    size_t size;                /* of a mapping, in bytes */
} climb_state;

/* Scores the current mapping and fills the history with it. */
static gcast_status score_current(climb_state *s, gcast_error *err)
{
    bool good;
    gcast_status status = map_try(s->c->trier, s->c->current, &worst_score, &s->score, &good, err);
    for (size_t i = 0; i < HISTORY; i++)
        s->history[i] = s->score;
    s->peak = s->score;
    return status;
}

static void keep_best(climb_state *s)
{
    if (map_score_compare(&s->score, &s->c->best_score) < 0) {
        memcpy(s->c->best, s->c->current, s->size);
        s->c->best_score = s->score;
    }
}

/* Continues from the best mapping with a few changes. */
static gcast_status jump_from_best(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    uint64_t changes = LEAST_CHANGES + map_draw(&c->random, MORE_CHANGES);
    memcpy(c->current, c->best, s->size);
    while (changes-- > 0)
        map_move(c->trier->space, c->current, &c->random);
    c->idle = 0;
    gcast_status status = score_current(s, err);
    keep_best(s);
    return status;
}

static gcast_status climb_once(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    map_score *before = &s->history[(c->trier->counts.tried + c->trier->counts.repeated) % HISTORY], score;
    const map_score *most = map_score_compare(before, &s->score) > 0 ? before : &s->score;
    bool good;
    memcpy(s->next, c->current, s->size);
    map_move(c->trier->space, s->next, &c->random);
    gcast_status status = map_try(c->trier, s->next, most, &score, &good, err);
    if (status != GCAST_OK)
        return status;
    c->idle++;
    if (good) {
        memcpy(c->current, s->next, s->size);
        s->score = score;
    }
    if (map_score_compare(&s->score, before) < 0)
        *before = s->score;
    if (map_score_compare(&s->score, &s->peak) < 0) {
        s->peak = s->score;
        c->idle = 0;
    }
    keep_best(s);
    return GCAST_OK;
}

static gcast_status climb(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    const map_counts *counts = &c->trier->counts;
    bool good;
    gcast_status status = map_try(c->trier, c->best, &worst_score, &c->best_score, &good, err);
    if (status == GCAST_OK)
        status = score_current(s, err);
    keep_best(s);
    if (!map_can_move(c->trier->space, c->current))
        return status;
    while (status == GCAST_OK && counts->tried < c->tries && counts->repeated < MOST_REPEATED * c->tries)
        status = c->idle < PATIENCE ? climb_once(s, err) : jump_from_best(s, err);
    return status;
}

gcast_status map_climb_run(map_climb *c, gcast_error *err)
{
    climb_state s = {.c = c, .size = c->trier->space->of->task_count * sizeof *s.next};
    s.next = malloc(s.size + 1);
    if (!s.next)
        return gcast_error_set_memory(err);
    gcast_status status = climb(&s, err);
    free(s.next);
    return status;
}

void map_shuffle(const map_space *m, sys_place *places, uint64_t *random)
{
    map_own(m, places);
    for (size_t i = 0; i < m->of->task_count; i++) {
        places[i].core = m->tasks[i].cores[map_draw(random, m->tasks[i].core_count)];
        if (m->tasks[i].may_wait_either_way)
            places[i].busy = map_draw(random, 2);
    }
    if (m->may.priority)
        map_by_deadline(m, places);
}

typedef struct demand {
    int64_t part; /* utilization of the core that suits it best, in billionths */
    int task;
} demand;

static int by_demand(const void *a, const void *b)
{
    const demand *x = a, *y = b;
    if (x->part != y->part)
        return x->part > y->part ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* The utilization of a core by a task, in billionths. */
static int64_t part_of(const sys_system *s, size_t task, int core)
{
    const sys_task *t = &s->tasks[task];
    unsigned __int128 sum = 0; /* the task can run there, so no time is negative */
    for (size_t i = 0; core != SYS_GPU && i < t->step_count; i++)
        if (t->steps[i].kind == SYS_RUN)
            sum += (uint64_t)system_step_time(s, &t->steps[i], core).max_ns;
    sum = sum * 1000000000 / (uint64_t)t->period_ns;
    return sum > INT32_MAX ? INT32_MAX : (int64_t)sum;
}

static demand find_demand(const map_space *m, size_t task)
{
    demand d = {INT64_MAX, (int)task};
    for (size_t i = 0; i < m->tasks[task].core_count; i++)
        d.part = min_i64(d.part, part_of(m->of, task, m->tasks[task].cores[i]));
    return d;
}

/* The core with the least load after adding this task. */
static int least_loaded(const map_space *m, const int64_t *load, size_t task)
{
    const map_task *t = &m->tasks[task];
    int best = t->cores[0];
    for (size_t i = 0; i < t->core_count && best != SYS_GPU; i++)
        if (load[t->cores[i]] + part_of(m->of, task, t->cores[i]) < load[best] + part_of(m->of, task, best))
            best = t->cores[i];
    return best;
}

gcast_status map_spread(const map_space *m, sys_place *places, gcast_error *err)
{
    size_t count = m->of->task_count;
    demand *demands = calloc(count + 1, sizeof *demands);
    int64_t *load = calloc(m->of->core_count + 1, sizeof *load); /* by core */
    if (demands && load) {
        map_own(m, places);
        for (size_t i = 0; i < count; i++)
            demands[i] = find_demand(m, i);
        qsort(demands, count, sizeof *demands, by_demand);
        for (size_t i = 0; i < count; i++) {
            size_t task = (size_t)demands[i].task;
            int core = least_loaded(m, load, task);
            places[task].core = core;
            if (core != SYS_GPU)
                load[core] += part_of(m->of, task, core);
        }
        if (m->may.priority)
            map_by_deadline(m, places);
    }
    gcast_status status = demands && load ? GCAST_OK : gcast_error_set_memory(err);
    free(demands);
    free(load);
    return status;
}

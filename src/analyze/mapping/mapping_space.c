/* Finds the choices of tasks, classes of interchangeable cores, and the order by deadline; packs mappings. */
#include "analyze/mapping/mapping_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

static bool has_core(const int *cores, size_t count, int core)
{
    for (size_t i = 0; i < count; i++)
        if (cores[i] == core)
            return true;
    return false;
}

/* Can the task run there at all? */
static bool is_possible(const sys_system *s, size_t task, int core)
{
    const sys_task *t = &s->tasks[task];
    if (!system_can_run(s, t, core))
        return false;
    for (size_t i = 0; core == SYS_GPU && i < t->step_count; i++)
        if (t->steps[i].kind != SYS_RUN)
            return false;
    return core != SYS_GPU || t->arrival == SYS_TRIGGERED;
}

/* May a task on core `own` go to `core`? */
static bool may_move(map_may may, int own, int core)
{
    if (core == own)
        return true;
    return core == SYS_GPU || own == SYS_GPU ? may.gpu : may.core;
}

static bool fill_task(map_space *m, size_t task, map_task *t)
{
    const sys_system *s = m->of;
    const sys_choice *choice = &s->choices[task];
    int own = s->places[task].core;
    int *cores = arena_alloc_array(&m->memory, s->core_count + 1, sizeof *cores);
    if (!cores)
        return false;
    for (int c = SYS_GPU; c < (int)s->core_count; c++)
        if (c == own ||
            (has_core(choice->cores, choice->core_count, c) && may_move(m->may, own, c) && is_possible(s, task, c)))
            cores[t->core_count++] = c;
    t->cores = cores;
    for (size_t i = 0; i < s->tasks[task].step_count; i++)
        t->waits |= s->tasks[task].steps[i].kind == SYS_WAIT;
    t->may_wait_either_way = t->waits && m->may.wait && choice->may_busy && choice->may_suspend;
    return true;
}

/* Are two cores interchangeable? */
static bool are_alike(const map_space *m, int a, int b)
{
    const sys_system *s = m->of;
    if (s->cores[a].kind != s->cores[b].kind)
        return false;
    for (size_t i = 0; i < s->task_count; i++)
        if (has_core(m->tasks[i].cores, m->tasks[i].core_count, a) !=
            has_core(m->tasks[i].cores, m->tasks[i].core_count, b))
            return false;
    for (size_t i = 0; i < s->affinity_count; i++)
        if (s->affinities[i].cores && s->affinities[i].cores[a] != s->affinities[i].cores[b])
            return false;
    return true;
}

static void find_classes(const map_space *m, int *class_of)
{
    for (int c = 0; c < (int)m->of->core_count; c++) {
        class_of[c] = c;
        for (int first = 0; first < c && class_of[c] == c; first++)
            if (class_of[first] == first && are_alike(m, first, c))
                class_of[c] = first;
    }
}

/* The deadline that counts for a task's priority: the least of its own one, or its period, and those of its waiters. */
static int64_t effective_deadline_ns(const sys_system *s, size_t task)
{
    int64_t least = INT64_MAX;
    int t = (int)task;
    for (size_t hops = 0; t != SYS_NONE && hops <= s->task_count; hops++) {
        int64_t own = s->tasks[t].deadline_ns ? s->tasks[t].deadline_ns : s->tasks[t].period_ns;
        least = min_i64(least, own);
        t = s->tasks[t].waiter;
    }
    return least;
}

typedef struct ranked {
    int64_t deadline_ns, period_ns;
    size_t hops; /* distance from its root; farther tasks go first, as others wait for them */
    int task;
} ranked;

static int by_deadline(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->deadline_ns != y->deadline_ns)
        return x->deadline_ns < y->deadline_ns ? -1 : 1;
    if (x->period_ns != y->period_ns)
        return x->period_ns < y->period_ns ? -1 : 1;
    if (x->hops != y->hops)
        return x->hops > y->hops ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static bool find_ranks(const map_space *m, int *rank)
{
    const sys_system *s = m->of;
    ranked *all = calloc(s->task_count ? s->task_count : 1, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < s->task_count; i++) {
        all[i] = (ranked){effective_deadline_ns(s, i), s->tasks[i].period_ns, 0, (int)i};
        for (int t = s->tasks[i].trigger; t != SYS_NONE && all[i].hops <= s->task_count; t = s->tasks[t].trigger)
            all[i].hops++;
    }
    qsort(all, s->task_count, sizeof *all, by_deadline);
    for (size_t i = 0; i < s->task_count; i++)
        rank[all[i].task] = (int)i;
    free(all);
    return true;
}

gcast_status map_space_make(map_space *m, const sys_system *s, map_may may, gcast_error *err)
{
    *m = (map_space){.of = s, .may = may};
    m->may.priority &= !s->fixed_priorities;
    if (s->task_count > MAP_MAX_TASKS || s->core_count > MAP_MAX_CORES)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "no mapping is searched for more than %d tasks, or for more than %d cores",
                               MAP_MAX_TASKS, MAP_MAX_CORES);
    map_task *tasks = arena_alloc_array(&m->memory, s->task_count, sizeof *tasks);
    int *class_of = arena_alloc_array(&m->memory, s->core_count, sizeof *class_of);
    int *rank = arena_alloc_array(&m->memory, s->task_count, sizeof *rank);
    bool ok = tasks && class_of && rank;
    for (size_t i = 0; ok && i < s->task_count; i++)
        ok = fill_task(m, i, &tasks[i]);
    m->tasks = tasks;
    if (!ok || !find_ranks(m, rank)) {
        map_space_free(m);
        return gcast_error_set_memory(err);
    }
    find_classes(m, class_of);
    m->class_of = class_of;
    m->rank = rank;
    return GCAST_OK;
}

void map_space_free(map_space *m)
{
    arena_free(&m->memory);
}

double map_space_size(const map_space *m, bool priorities)
{
    double size = 1;
    for (size_t i = 0; i < m->of->task_count; i++)
        size *= (double)m->tasks[i].core_count * (m->tasks[i].may_wait_either_way ? 2 : 1);
    for (size_t i = 2; priorities && i <= m->of->task_count; i++)
        size *= (double)i;
    return size;
}

/* A packed mapping has for each task the core + 1, the position in the order of its core, and how it waits. */
#define CORE_SHIFT 16
#define ORDER_SHIFT 1
#define ORDER_MASK 0x1fffu

_Static_assert(MAP_MAX_TASKS - 1 <= ORDER_MASK, "an order has room");
_Static_assert(MAP_MAX_CORES <= UINT16_MAX - 1, "a core has room");

/* Does task a go before task b on the same core? Equal priorities are ordered by deadline. */
static bool goes_before(const map_space *m, const sys_place *places, size_t a, size_t b)
{
    if (m->of->tasks[a].isr != m->of->tasks[b].isr)
        return m->of->tasks[a].isr;
    if (places[a].priority != places[b].priority)
        return places[a].priority > places[b].priority;
    return m->rank[a] < m->rank[b];
}

/* How many tasks of its core go before a task. */
static uint32_t order_on_core(const map_space *m, const sys_place *places, size_t task)
{
    uint32_t before = 0;
    for (size_t i = 0; i < m->of->task_count; i++)
        before += i != task && places[i].core == places[task].core && goes_before(m, places, i, task);
    return before;
}

/* The next core of the same class. */
static int next_alike(const map_space *m, int core)
{
    int next = core + 1;
    while (next < (int)m->of->core_count && m->class_of[next] != m->class_of[core])
        next++;
    return next;
}

/* Names interchangeable cores in the order of their first tasks. */
static void name_cores(const map_space *m, const sys_place *places, int *name)
{
    int next[MAP_MAX_CORES]; /* by class: the next name */
    for (size_t c = 0; c < m->of->core_count; c++) {
        name[c] = SYS_NONE;
        next[c] = (int)c;
    }
    for (size_t i = 0; i < m->of->task_count; i++) {
        int core = places[i].core;
        if (core == SYS_GPU || name[core] != SYS_NONE)
            continue;
        int class = m->class_of[core];
        name[core] = next[class];
        next[class] = next_alike(m, next[class]);
    }
}

void map_pack(const map_space *m, const sys_place *places, uint32_t *packed)
{
    int name[MAP_MAX_CORES];
    name_cores(m, places, name);
    for (size_t i = 0; i < m->of->task_count; i++) {
        int core = places[i].core;
        bool on_core = core != SYS_GPU;
        uint32_t order = m->may.priority && on_core ? order_on_core(m, places, i) : 0;
        packed[i] = (uint32_t)((on_core ? name[core] : SYS_GPU) + 1) << CORE_SHIFT | order << ORDER_SHIFT |
                    (m->tasks[i].may_wait_either_way && places[i].busy);
    }
}

void map_unpack(const map_space *m, const uint32_t *packed, sys_place *places)
{
    size_t count = m->of->task_count;
    for (size_t i = 0; i < count; i++) {
        places[i] = m->of->places[i];
        places[i].core = (int)(packed[i] >> CORE_SHIFT) - 1;
        if (m->may.priority && places[i].core != SYS_GPU)
            places[i].priority = (int64_t)count - (packed[i] >> ORDER_SHIFT & ORDER_MASK);
        if (m->tasks[i].may_wait_either_way)
            places[i].busy = packed[i] & 1;
    }
}

void map_by_deadline(const map_space *m, sys_place *places)
{
    for (size_t i = 0; i < m->of->task_count; i++)
        if (places[i].core != SYS_GPU)
            places[i].priority = (int64_t)m->of->task_count - m->rank[i];
}

void map_own(const map_space *m, sys_place *places)
{
    size_t count = m->of->task_count;
    for (size_t i = 0; i < count; i++)
        places[i] = m->of->places[i];
    for (size_t i = 0; m->may.priority && i < count; i++)
        if (places[i].core != SYS_GPU)
            places[i].priority = (int64_t)count - order_on_core(m, m->of->places, i);
}

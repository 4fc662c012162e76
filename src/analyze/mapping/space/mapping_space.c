#include "analyze/mapping/space/mapping_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

static bool has_core(const int *cores, size_t count, int core)
{
    for (size_t i = 0; i < count; i++)
        if (cores[i] == core)
            return true;
    return false;
}

/* Can the task be there, whatever the other tasks do? */
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

/* May it go there from its own place? */
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

/* Are two cores of one kind, and does each task go on both or on neither? */
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

int64_t map_deadline_ns(const sys_system *s, size_t task)
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
    size_t hops; /* from its root; those that others wait for go before them */
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
        all[i] = (ranked){map_deadline_ns(s, i), s->tasks[i].period_ns, 0, (int)i};
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

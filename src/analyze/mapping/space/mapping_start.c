#include "analyze/mapping/space/mapping_start.h"

#include <stdlib.h>

#include "analyze/mapping/space/mapping_move.h"
#include "base/minmax.h"

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
    int64_t part; /* of its best core, in billionths */
    int task;
} demand;

static int by_demand(const void *a, const void *b)
{
    const demand *x = a, *y = b;
    if (x->part != y->part)
        return x->part > y->part ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* The part of a core's time that the task needs there, in billionths. */
static int64_t part_of(const sys_system *s, size_t task, int core)
{
    const sys_task *t = &s->tasks[task];
    unsigned __int128 sum = 0; /* steps can run where a task may be, so that no time is below 0 */
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

/* The core where the least is asked for with this task. */
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

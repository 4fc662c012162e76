/* Generates the sets of an experiment: one task per stream, one kernel per task, all released together at 0. */
#include "papers/experiment/task_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/compare.h"
#include "base/integers.h"
#include "model/workload/workload.h"
#include "papers/experiment/experiment.h"

#define MAX_TRIES 1000000
#define MAX_TASKS 64

void split_uniform(set_random *r, int64_t sum, int n, int64_t *parts)
{
    for (int i = 0; i < n - 1; i++)
        parts[i] = random_between(r, 0, sum);
    qsort(parts, (size_t)n - 1, sizeof *parts, compare_i64);
    int64_t previous = 0;
    for (int i = 0; i < n - 1; i++) {
        int64_t cut = parts[i];
        parts[i] = cut - previous;
        previous = cut;
    }
    parts[n - 1] = sum - previous;
}

static bool is_within(const int64_t *parts, int n, int64_t lo, int64_t hi)
{
    for (int i = 0; i < n; i++)
        if (parts[i] < lo || parts[i] > hi)
            return false;
    return true;
}

/* Splits what `sum` has above n lower bounds: most draws are within bounds if `sum` is near n * lo. */
static void from_below(set_random *r, int64_t sum, int64_t lo, int n, int64_t *parts)
{
    split_uniform(r, sum - n * lo, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] += lo;
}

/* Splits what `sum` lacks to n upper bounds: most draws are within bounds if `sum` is near n * hi. */
static void from_above(set_random *r, int64_t sum, int64_t hi, int n, int64_t *parts)
{
    split_uniform(r, n * hi - sum, n, parts);
    for (int i = 0; i < n; i++)
        parts[i] = hi - parts[i];
}

/* Draws all parts but one between the bounds: many draws are within bounds if `sum` is near the middle. */
static void from_within(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    parts[n - 1] = sum;
    for (int i = 0; i < n - 1; i++) {
        parts[i] = random_between(r, lo, hi);
        parts[n - 1] -= parts[i];
    }
}

/* Each of the three methods draws uniformly from a set that contains all splits within bounds. So these are drawn
 * uniformly, whichever method finds one. One of the three finds one soon. */
bool split_bounded(set_random *r, int64_t sum, int64_t lo, int64_t hi, int n, int64_t *parts)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        if (i % 3 == 0)
            from_below(r, sum, lo, n, parts);
        else if (i % 3 == 1)
            from_above(r, sum, hi, n, parts);
        else
            from_within(r, sum, lo, hi, n, parts);
        if (is_within(parts, n, lo, hi))
            return true;
    }
    return false;
}

/* The share of one resource of an SM that a block takes. */
typedef struct share {
    int64_t part;  /* used by the block */
    int64_t total; /* available on the SM */
} share;

static int64_t choose(set_random *r, const gcast_numbers *n)
{
    return n->at[random_between(r, 0, (int64_t)n->count - 1)];
}

/* Finds the largest of a block's shares. */
static gcast_status share_of(const gcast_gpu *gpu, const gcast_block_shape *shape, share *largest, gcast_error *err)
{
    const gcast_limits *l = &gpu->limits;
    gcast_occupancy o;
    gcast_status status = gcast_occupancy_compute(l, shape, GCAST_CARVEOUT_DEFAULT, &o, err);
    if (status != GCAST_OK)
        return status;
    share all[] = {
        {shape->threads, l->threads_per_sm},
        {(shape->threads - 1) / 32 + 1, l->warps_per_sm},
        {1, l->blocks_per_sm},
        {o.registers_per_block, l->registers_per_sm},
        {o.smem_per_block, o.smem_config},
    };
    *largest = all[0];
    for (size_t i = 1; i < sizeof all / sizeof all[0]; i++)
        if (all[i].part * largest->total > largest->part * all[i].total)
            *largest = all[i];
    return GCAST_OK;
}

/* The duration of a block for which blocks * share * duration / (period * SMs) equals part / SPLIT_FULL; 0: it is out
 * of range. */
static int64_t duration_for(int64_t part, int64_t period, const gcast_gpu *gpu, int64_t blocks, share s)
{
    unsigned __int128 time = (unsigned __int128)part * (uint64_t)period * (uint64_t)gpu->sms * (uint64_t)s.total;
    unsigned __int128 divisor = (unsigned __int128)SPLIT_FULL * (uint64_t)blocks * (uint64_t)s.part;
    unsigned __int128 ns = (time + divisor / 2) / divisor;
    return ns > WORKLOAD_MAX_NS ? 0 : ns < 1 ? 1 : (int64_t)ns;
}

static gcast_status add_kernel(const gcast_experiment *e, set_random *r, int64_t part, const gcast_task *t,
                               gcast_workload *w, gcast_error *err)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    share s;
    char label[32];
    snprintf(label, sizeof label, "K%d", t->stream + 1);
    op.label = label;
    op.stream = t->stream;
    op.grid[0] = (uint32_t)random_between(r, e->grid_min, e->grid_max);
    op.block[0] = (uint32_t)choose(r, &e->threads);
    op.shape.threads = (int)op.block[0];
    op.shape.registers = (int)choose(r, &e->registers);
    op.shape.dynamic_smem = choose(r, &e->smem);
    gcast_status status = share_of(e->gpu, &op.shape, &s, err);
    if (status != GCAST_OK)
        return status;
    op.max_ns = duration_for(part, t->period_ns, e->gpu, op.grid[0], s);
    if (!op.max_ns)
        return gcast_error_set(err, GCAST_INPUT, "/periods_ns", "a block would have to take more than 2^61 ns");
    op.min_ns = (int64_t)((unsigned __int128)op.max_ns * (unsigned)e->duration_min_percent / 100);
    op.min_ns = max_i64(op.min_ns, 1);
    return gcast_workload_add_op(w, &op, NULL, err);
}

/* A CUDA priority, of which 0 is the lowest: by deadline, random, or the same for all. */
static int priority_of(const gcast_experiment *e, set_random *r, const gcast_task *tasks, int i)
{
    int levels = e->gpu->priority_levels, rank = 0;
    if (e->priorities == GCAST_PRIORITIES_EQUAL)
        return 0;
    if (e->priorities == GCAST_PRIORITIES_RANDOM)
        return (int)random_between(r, 1 - levels, 0);
    for (int k = 0; k < e->tasks; k++)
        rank += tasks[k].deadline_ns < tasks[i].deadline_ns || (tasks[k].deadline_ns == tasks[i].deadline_ns && k < i);
    return 1 - levels + rank * levels / e->tasks;
}

static gcast_status fill(const gcast_experiment *e, set_random *r, const int64_t *parts, gcast_workload *w,
                         gcast_error *err)
{
    gcast_task tasks[MAX_TASKS] = {0};
    gcast_status status = GCAST_OK;
    for (int i = 0; i < e->tasks; i++) {
        int64_t period = choose(r, &e->periods);
        int64_t deadline = period * e->deadline_percent / 100;
        tasks[i] = (gcast_task){.stream = i,
                                .period_ns = period,
                                .deadline_ns = max_i64(deadline, 1),
                                .jitter_ns = period * e->jitter_percent / 100};
    }
    for (int i = 0; i < e->tasks; i++) {
        gcast_stream s = {.id = i + 1, .priority = priority_of(e, r, tasks, i)};
        status = gcast_workload_add_stream(w, &s, NULL, err);
        if (status != GCAST_OK)
            return status;
    }
    for (int i = 0; i < e->tasks && status == GCAST_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "T%d", i + 1);
        tasks[i].name = name;
        status = gcast_workload_add_task(w, &tasks[i], NULL, err);
        if (status == GCAST_OK)
            status = add_kernel(e, r, parts[i], &tasks[i], w, err);
    }
    return status;
}

static gcast_status split(const gcast_experiment *e, set_random *r, int64_t percent, int64_t *parts, gcast_error *err)
{
    int64_t sum = SPLIT_FULL / 100 * percent, permille = SPLIT_FULL / 1000;
    if (e->generator == GCAST_GENERATOR_UUNIFAST)
        split_uniform(r, sum, e->tasks, parts);
    else if (!split_bounded(r, sum, e->task_min_permille * permille, e->task_max_permille * permille, e->tasks, parts))
        return gcast_error_set(err, GCAST_INTERNAL, NULL, "no split of %lld percent within bounds was found",
                               (long long)percent);
    return GCAST_OK;
}

gcast_status gcast_experiment_set(const gcast_experiment *e, uint64_t set, gcast_workload **w, gcast_error *err)
{
    if (w)
        *w = NULL;
    if (!e || !w)
        return argument_missing(err);
    if (set >= gcast_experiment_size(e))
        return gcast_error_set(err, GCAST_USAGE, NULL, "there are %llu sets, from 0 on",
                               (unsigned long long)gcast_experiment_size(e));
    int64_t percent = e->percents.at[set / (uint64_t)e->sets], parts[MAX_TASKS];
    set_random r = random_start((uint64_t)e->seed, (uint64_t)percent, set % (uint64_t)e->sets);
    char name[64];
    snprintf(name, sizeof name, "set %llu, %lld percent", (unsigned long long)set, (long long)percent);
    gcast_status status = split(e, &r, percent, parts, err);
    if (status != GCAST_OK)
        return status;
    gcast_workload *workload = NULL;
    gcast_gpu *gpu;
    status = gcast_workload_create(name, &workload, err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(e->gpu, &gpu, err);
    if (status == GCAST_OK) {
        gcast_workload_set_gpu(workload, gpu);
        status = fill(e, &r, parts, workload, err);
    }
    if (status == GCAST_OK)
        *w = workload;
    else
        gcast_workload_free(workload);
    return status;
}

#include "papers/experiment/owned_experiment.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "papers/experiment/experiment.h"

#define MAX_SETS 10000000 /* of an experiment */
#define MAX_JOBS 1000000  /* of a set in a hyperperiod */

_Static_assert(2 * GCAST_TESTS <= 32, "the verdicts of a set fit into 32 bits");

static const char *const tests[] = {
#define X(id, name, text) name,
    GCAST_METHOD_TABLE(X)
#undef X
        [GCAST_TEST_THESIS] = "thesis",
    [GCAST_TEST_SIMULATE] = "simulate",
};

const char *gcast_test_name(int test)
{
    return test >= 0 && test < GCAST_TESTS ? tests[test] : "?";
}

void gcast_experiment_free(gcast_experiment *e)
{
    if (!e)
        return;
    owned_experiment *o = e->memory;
    gcast_gpu_free(o->gpu);
    arena_free(&o->memory);
    free(o);
}

uint64_t gcast_experiment_size(const gcast_experiment *e)
{
    if (!e)
        return 0;
    return e->percents.count * (uint64_t)e->sets;
}

/* Can tasks within their ranges add up to every total utilisation of the experiment? */
static gcast_status check_utilisation(const gcast_experiment *e, gcast_error *err)
{
    for (size_t i = 0; i < e->percents.count; i++) {
        int64_t all = 10 * e->percents.at[i];
        if (all < e->tasks * e->task_min_permille || all > e->tasks * e->task_max_permille)
            return gcast_error_set(err, GCAST_INPUT, "/task_permille",
                                   "%d tasks of %lld to %lld permille cannot have %lld percent in all", e->tasks,
                                   (long long)e->task_min_permille, (long long)e->task_max_permille,
                                   (long long)e->percents.at[i]);
    }
    return GCAST_OK;
}

static gcast_status check_shape(const gcast_experiment *e, const gcast_block_shape *shape, size_t t, gcast_error *err)
{
    gcast_occupancy o;
    char path[40];
    snprintf(path, sizeof path, "/block/%zu", t);
    gcast_status status = gcast_occupancy_compute(&e->gpu->limits, shape, GCAST_CARVEOUT_DEFAULT, &o, err);
    if (status == GCAST_OK && o.blocks_per_sm == 0)
        return gcast_error_set(err, GCAST_INPUT, path, "a block of %d threads can never run on %s: %s", shape->threads,
                               e->gpu->name, o.reason);
    return status;
}

/* Every block that a set may get must fit on an SM. */
static gcast_status check_shapes(const gcast_experiment *e, gcast_error *err)
{
    for (size_t t = 0; t < e->threads.count; t++)
        for (size_t r = 0; r < e->registers.count; r++)
            for (size_t s = 0; s < e->smem.count; s++) {
                gcast_block_shape shape = {.threads = (int)e->threads.at[t],
                                           .registers = (int)e->registers.at[r],
                                           .dynamic_smem = e->smem.at[s]};
                gcast_status status = check_shape(e, &shape, t, err);
                if (status != GCAST_OK)
                    return status;
            }
    return GCAST_OK;
}

/* A hyperperiod must be short enough to simulate, whatever periods a set gets. */
static gcast_status check_periods(const gcast_experiment *e, gcast_error *err)
{
    int64_t lcm = 1, shortest = INT64_MAX;
    bool ok = true;
    for (size_t i = 0; i < e->periods.count && ok; i++) {
        int64_t period = e->periods.at[i];
        shortest = min_i64(shortest, period);
        ok = period > 0 && checked_mul(lcm, period / common_divisor(lcm, period), &lcm);
    }
    if (ok && lcm / shortest <= MAX_JOBS / e->tasks)
        return GCAST_OK;
    return gcast_error_set(
        err, GCAST_INPUT, "/periods_ns",
        "the least common multiple of the periods is too long: a set may have more than %d jobs in it", MAX_JOBS);
}

gcast_status experiment_check(const gcast_experiment *e, gcast_error *err)
{
    if (gcast_experiment_size(e) > MAX_SETS)
        return gcast_error_set(err, GCAST_INPUT, "/sets", "more than %d sets in all", MAX_SETS);
    gcast_status status = e->generator == GCAST_GENERATOR_DRS ? check_utilisation(e, err) : GCAST_OK;
    if (status == GCAST_OK)
        status = check_shapes(e, err);
    return status == GCAST_OK ? check_periods(e, err) : status;
}

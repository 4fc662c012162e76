/* gcast_plan_check: does a plan, whoever made it, hold every job exactly once, where a worker does it? It shares no
 * code with gcast_plan_make, on purpose. Paths are those of gridcast.plan/1. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "gridcast/names.h"
#include "gridcast/plan.h"

/* An error at /KEY/INDEX. */
#define fail_at(err, key, index, ...) (set_path(path, key, index), gcast_error_set(err, GCAST_INPUT, path, __VA_ARGS__))
#define PATH_SIZE 32

static void set_path(char path[PATH_SIZE], const char *key, uint32_t index)
{
    snprintf(path, PATH_SIZE, "/%s/%u", key, index);
}

static gcast_status check_shape(const gcast_plan *p, gcast_error *err)
{
    char path[PATH_SIZE];
    uint64_t product = 1;
    if ((unsigned)p->mapping >= GCAST_MAPPINGS)
        return gcast_error_set(err, GCAST_INPUT, "/mapping", "there is no mapping number %d", (int)p->mapping);
    if (p->steal && p->mapping != GCAST_MAPPING_QUEUES)
        return gcast_error_set(err, GCAST_INPUT, "/steal", "workers steal with the mapping queues, not with %s",
                               gcast_name(GCAST_NAMES_MAPPING, p->mapping));
    for (uint32_t i = 0; i < 3; i++) {
        if (p->grid[i] == 0)
            return fail_at(err, "grid", i, "must be at least 1");
        product = product <= GCAST_PLAN_MAX_JOBS ? product * p->grid[i] : product;
    }
    if (product > GCAST_PLAN_MAX_JOBS)
        return gcast_error_set(err, GCAST_INPUT, "/grid", "%u x %u x %u are more than %d jobs", p->grid[0], p->grid[1],
                               p->grid[2], GCAST_PLAN_MAX_JOBS);
    if (p->jobs != product)
        return gcast_error_set(err, GCAST_INPUT, "/grid", "a grid of %llu jobs in a plan of %u",
                               (unsigned long long)product, p->jobs);
    if (p->sms == 0 || p->sms > GCAST_PLAN_MAX_SMS)
        return gcast_error_set(err, GCAST_INPUT, "/sms", "must be from 1 to %d, not %u", GCAST_PLAN_MAX_SMS, p->sms);
    uint32_t queues = p->mapping == GCAST_MAPPING_PERSISTENT ? 1 : p->sms;
    if (p->queues != queues)
        return gcast_error_set(err, GCAST_INPUT, "/queues", "the mapping %s needs %u queues, not %u",
                               gcast_name(GCAST_NAMES_MAPPING, p->mapping), queues, p->queues);
    return GCAST_OK;
}

static gcast_status check_bounds(const gcast_plan *p, gcast_error *err)
{
    char path[PATH_SIZE];
    if (p->first[0] != 0)
        return gcast_error_set(err, GCAST_INPUT, "/queues/0", "the first queue begins at %u, not at 0", p->first[0]);
    for (uint32_t q = 0; q < p->queues; q++)
        if (p->first[q] > p->first[q + 1])
            return fail_at(err, "queues", q, "the queue ends at %u, before it begins at %u", p->first[q + 1],
                           p->first[q]);
    if (p->first[p->queues] != p->jobs)
        return gcast_error_set(err, GCAST_INPUT, "/queues", "the queues have %u jobs in all, the grid has %u",
                               p->first[p->queues], p->jobs);
    return GCAST_OK;
}

/* The error names the lowest job that is missing or in the plan twice. There are as many entries as jobs. */
static gcast_status check_each_once(const gcast_plan *p, gcast_error *err)
{
    char path[PATH_SIZE];
    uint8_t *times = calloc(p->jobs, 1); /* by job: how often it is there, at most 2 */
    gcast_status status = times ? GCAST_OK : gcast_error_set_memory(err);
    for (uint32_t q = 0; q < p->queues && status == GCAST_OK; q++)
        for (uint32_t i = p->first[q]; i < p->first[q + 1] && status == GCAST_OK; i++)
            if (p->job[i] >= p->jobs)
                status = fail_at(err, "queues", q, "there is no job %u: the grid has 0 to %u", p->job[i], p->jobs - 1);
            else if (times[p->job[i]] < 2)
                times[p->job[i]]++;
    for (uint32_t j = 0; j < p->jobs && status == GCAST_OK; j++)
        if (times[j] != 1)
            status = gcast_error_set(err, GCAST_INPUT, "/queues",
                                     times[j] ? "job %u is listed twice" : "job %u is missing", j);
    free(times);
    return status;
}

static gcast_status check_workers(const gcast_plan *p, gcast_error *err)
{
    char path[PATH_SIZE];
    bool has_workers = false;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        uint32_t workers = p->workers[sm], length;
        has_workers = has_workers || workers;
        if (p->mapping == GCAST_MAPPING_PERSISTENT) {
            if (workers)
                return fail_at(err, "workers", sm, "the mapping persistent has no workers per SM, not %u", workers);
            continue;
        }
        length = p->first[sm + 1] - p->first[sm];
        if (workers > GCAST_PLAN_MAX_WORKERS)
            return fail_at(err, "workers", sm, "must be from 0 to %d, not %u", GCAST_PLAN_MAX_WORKERS, workers);
        if (length && workers == 0 && !p->steal)
            return fail_at(err, "queues", sm, "SM %u has %u jobs, but no workers", sm, length);
        if (p->mapping == GCAST_MAPPING_ONE_JOB && length > workers)
            return fail_at(err, "queues", sm, "SM %u has %u jobs: with the mapping one-job, %u workers take %u", sm,
                           length, workers, workers);
    }
    if (p->mapping != GCAST_MAPPING_PERSISTENT && !has_workers)
        return gcast_error_set(err, GCAST_INPUT, "/workers", "no SM has workers");
    return GCAST_OK;
}

gcast_status gcast_plan_check(const gcast_plan *plan, gcast_error *err)
{
    if (!plan || !plan->workers || !plan->first || !plan->job)
        return argument_missing(err);
    gcast_status status = check_shape(plan, err);
    if (status == GCAST_OK)
        status = check_bounds(plan, err);
    if (status == GCAST_OK)
        status = check_workers(plan, err);
    return status == GCAST_OK ? check_each_once(plan, err) : status;
}

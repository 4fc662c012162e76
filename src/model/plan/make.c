/* gcast_plan_make: which SM gets which jobs, in equal parts or by weight, in the order of their numbers or by the data
 * that they share. */
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "gridcast/plan.h"
#include "model/plan/affinity/affinity.h"
#include "model/plan/in_turn.h"
#include "model/plan/job_shares.h"
#include "model/plan/plan.h"
#include "model/plan/plan_options.h"

/* The SMs that are used, in the order in which they get jobs. */
typedef struct sm_parts {
    uint32_t count;                    /* of them */
    uint32_t sm[GCAST_PLAN_MAX_SMS];   /* their numbers */
    uint32_t jobs[GCAST_PLAN_MAX_SMS]; /* how many each gets */
} sm_parts;

static gcast_status take_parts(sm_parts *parts, const gcast_plan_options *o, uint32_t jobs, gcast_error *err)
{
    parts->count = o->sm ? o->sm_count : o->sms;
    for (uint32_t k = 0; k < parts->count; k++)
        parts->sm[k] = o->sm ? o->sm[k] : k;
    if (!o->weight)
        job_shares_even(jobs, parts->count, parts->jobs);
    else if (!job_shares_weighted(jobs, o->weight, parts->count, parts->jobs))
        return gcast_error_set_memory(err);
    return GCAST_OK;
}

/* With one job per worker an SM has at most as many jobs as workers. */
static gcast_status check_fit(const sm_parts *parts, const gcast_plan_options *o, uint32_t jobs, gcast_error *err)
{
    uint64_t fit = (uint64_t)parts->count * o->workers;
    if (jobs > fit)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "%u jobs do not fit: with the mapping one-job, %u SMs of %u workers take %llu", jobs,
                               parts->count, o->workers, (unsigned long long)fit);
    for (uint32_t k = 0; k < parts->count; k++)
        if (parts->jobs[k] > o->workers)
            return gcast_error_set(err, GCAST_USAGE, NULL,
                                   "by its weight SM %u gets %u jobs: with the mapping one-job, %u workers take %u",
                                   parts->sm[k], parts->jobs[k], o->workers, o->workers);
    return GCAST_OK;
}

/* Jobs in the order in which parts take them. */
static gcast_status order_jobs(const sm_parts *parts, const gcast_plan_options *o, uint32_t jobs, uint32_t *order,
                               gcast_error *err)
{
    if (o->data)
        return affinity_order(o->data, parts->jobs, parts->count, order, err);
    for (uint32_t j = 0; j < jobs; j++)
        order[j] = j;
    return GCAST_OK;
}

/* Where the jobs of each SM begin, and the workers of those that have jobs or may steal some. */
static void set_queues(gcast_plan *p, const sm_parts *parts, const gcast_plan_options *o)
{
    for (uint32_t k = 0; k < parts->count; k++) {
        p->first[parts->sm[k] + 1] = parts->jobs[k];
        p->workers[parts->sm[k]] = parts->jobs[k] || o->steal ? o->workers : 0;
    }
    for (uint32_t sm = 0; sm < p->sms; sm++)
        p->first[sm + 1] += p->first[sm];
}

static gcast_status fill_queues(gcast_plan *p, const sm_parts *parts, const gcast_plan_options *o, gcast_error *err)
{
    uint32_t *order = malloc((size_t)p->jobs * sizeof *order);
    gcast_status status = order ? order_jobs(parts, o, p->jobs, order, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        set_queues(p, parts, o);
        uint32_t taken = 0;
        for (uint32_t k = 0; k < parts->count; k++) {
            memcpy(p->job + p->first[parts->sm[k]], order + taken, parts->jobs[k] * sizeof *order);
            taken += parts->jobs[k];
        }
    }
    free(order);
    return status;
}

static gcast_status deal_queues(gcast_plan *p, const sm_parts *parts, const gcast_plan_options *o, gcast_error *err)
{
    uint32_t *part = malloc((size_t)p->jobs * sizeof *part), *next = calloc(parts->count, sizeof *next);
    bool done = part && next && in_turn_deal(p->jobs, parts->jobs, parts->count, part);
    if (done) {
        set_queues(p, parts, o);
        for (uint32_t j = 0; j < p->jobs; j++)
            p->job[p->first[parts->sm[part[j]]] + next[part[j]]++] = j;
        for (uint32_t k = 0; k < parts->count && p->mapping == GCAST_MAPPING_SEGMENTS; k++)
            in_turn_cut(p->job + p->first[parts->sm[k]], parts->jobs[k], o->workers, part);
    }
    free(part);
    free(next);
    return done ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status fill_one_queue(gcast_plan *p, const sm_parts *parts, const gcast_plan_options *o, gcast_error *err)
{
    p->first[1] = p->jobs;
    return order_jobs(parts, o, p->jobs, p->job, err);
}

static gcast_status make(const gcast_plan_options *o, sm_parts *parts, gcast_plan **out, gcast_error *err)
{
    uint32_t jobs = plan_job_count(o->grid);
    gcast_status status = take_parts(parts, o, jobs, err);
    if (status == GCAST_OK && o->mapping == GCAST_MAPPING_ONE_JOB)
        status = check_fit(parts, o, jobs, err);
    if (status != GCAST_OK)
        return status;
    gcast_plan *p = plan_new(o->mapping, o->grid, o->sms);
    if (!p)
        return gcast_error_set_memory(err);
    p->steal = o->steal;
    status = o->mapping == GCAST_MAPPING_PERSISTENT ? fill_one_queue(p, parts, o, err)
             : o->in_turn                           ? deal_queues(p, parts, o, err)
                                                    : fill_queues(p, parts, o, err);
    if (status == GCAST_OK)
        *out = p;
    else
        gcast_plan_free(p);
    return status;
}

gcast_status gcast_plan_make(const gcast_plan_options *options, gcast_plan **out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    gcast_plan_options own = gcast_plan_options_default();
    *out = NULL;
    gcast_status status = options_copy(&own, sizeof own, options, "gcast_plan_options", err);
    if (status == GCAST_OK)
        status = plan_options_check(&own, err);
    if (status != GCAST_OK)
        return status;
    sm_parts *parts = malloc(sizeof *parts);
    status = parts ? make(&own, parts, out, err) : gcast_error_set_memory(err);
    free(parts);
    return status;
}

/* gcast_plan_make gives SMs jobs, in equal parts or by weight; in the order of their numbers, in turn, or by the data
 * that they share. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/number.h"
#include "gridcast/names.h"
#include "gridcast/plan.h"
#include "model/plan/affinity.h"
#include "model/plan/plan.h"

static gcast_status check_ranges(const gcast_plan_options *o, gcast_error *err)
{
    if ((unsigned)o->mapping >= GCAST_MAPPINGS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no mapping number %d", (int)o->mapping);
    if (o->grid[0] == 0 || o->grid[1] == 0 || o->grid[2] == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a grid of %u x %u x %u has no jobs", o->grid[0], o->grid[1],
                               o->grid[2]);
    if (plan_job_count(o->grid) == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a grid of %u x %u x %u has more than %d jobs", o->grid[0],
                               o->grid[1], o->grid[2], GCAST_PLAN_MAX_JOBS);
    if (o->sms == 0 || o->sms > GCAST_PLAN_MAX_SMS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a GPU has from 1 to %d SMs, not %u", GCAST_PLAN_MAX_SMS,
                               o->sms);
    if (o->steal && o->mapping != GCAST_MAPPING_QUEUES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "workers steal with the mapping queues, not with %s",
                               gcast_name(GCAST_NAMES_MAPPING, o->mapping));
    if (o->in_turn && o->data)
        return gcast_error_set(err, GCAST_USAGE, NULL, "jobs are dealt in turn, or by the data that they share");
    if (o->in_turn && o->mapping == GCAST_MAPPING_PERSISTENT)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "the mapping persistent assigns no jobs to SMs: all are in one queue");
    return GCAST_OK;
}

/* Every SM takes jobs of the one queue as it likes. */
static gcast_status check_persistent(const gcast_plan_options *o, gcast_error *err)
{
    if (o->workers)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "the mapping persistent has no workers per SM: 0 is needed, not %u", o->workers);
    if (o->sm || o->sm_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the mapping persistent uses all SMs: it takes no list");
    if (o->weight)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "the mapping persistent assigns no jobs to SMs: it takes no weights");
    return GCAST_OK;
}

static gcast_status check_sm_list(const gcast_plan_options *o, gcast_error *err)
{
    bool is_listed[GCAST_PLAN_MAX_SMS] = {0};
    if (!o->sm && o->sm_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%u SMs to use, but no list of them", o->sm_count);
    if (o->sm && o->sm_count == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the list of SMs to use is empty");
    for (uint32_t k = 0; k < o->sm_count; k++) {
        if (o->sm[k] >= o->sms)
            return gcast_error_set(err, GCAST_USAGE, NULL, "there is no SM %u: the GPU has 0 to %u", o->sm[k],
                                   o->sms - 1);
        if (is_listed[o->sm[k]])
            return gcast_error_set(err, GCAST_USAGE, NULL, "SM %u is listed twice", o->sm[k]);
        is_listed[o->sm[k]] = true;
    }
    return GCAST_OK;
}

static gcast_status check_weights(const gcast_plan_options *o, gcast_error *err)
{
    uint32_t count = o->sm ? o->sm_count : o->sms;
    bool is_positive = false;
    for (uint32_t k = 0; k < count; k++) {
        if (!isfinite(o->weight[k]) || o->weight[k] < 0) {
            char text[32] = "";
            number_print(text, sizeof text, "%g", o->weight[k]);
            return gcast_error_set(err, GCAST_USAGE, NULL,
                                   "the weight of SM %u is %s: it must be 0 or more, and finite", o->sm ? o->sm[k] : k,
                                   text);
        }
        is_positive = is_positive || o->weight[k] > 0;
    }
    return is_positive ? GCAST_OK
                       : gcast_error_set(err, GCAST_USAGE, NULL, "all %u weights are 0: no SM gets jobs", count);
}

/* Paths are those of gridcast.job-data/1. */
static gcast_status check_data(const gcast_job_data *data, uint32_t jobs, gcast_error *err)
{
    char path[32];
    if (!data->first)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the data say of no job where its items begin");
    if (data->jobs != jobs)
        return gcast_error_set(err, GCAST_INPUT, "/jobs", "the data are of %u jobs, the grid has %u", data->jobs, jobs);
    for (uint32_t j = 0; j < jobs; j++) {
        bool is_ascending = data->first[j] <= data->first[j + 1] && (j > 0 || data->first[0] == 0);
        if (is_ascending && data->first[j + 1] && !data->item)
            return gcast_error_set(err, GCAST_USAGE, NULL, "the data have no items");
        for (uint32_t i = data->first[j]; is_ascending && i + 1 < data->first[j + 1]; i++)
            is_ascending = data->item[i] < data->item[i + 1];
        if (!is_ascending) {
            snprintf(path, sizeof path, "/jobs/%u", j);
            return gcast_error_set(err, GCAST_INPUT, path, "the items of job %u are not ascending", j);
        }
    }
    return GCAST_OK;
}

static gcast_status plan_options_check(const gcast_plan_options *o, gcast_error *err)
{
    gcast_status status = check_ranges(o, err);
    if (status != GCAST_OK)
        return status;
    if (o->mapping == GCAST_MAPPING_PERSISTENT)
        status = check_persistent(o, err);
    else if (o->workers == 0 || o->workers > GCAST_PLAN_MAX_WORKERS)
        status = gcast_error_set(err, GCAST_USAGE, NULL, "an SM has from 1 to %d workers, not %u",
                                 GCAST_PLAN_MAX_WORKERS, o->workers);
    if (status == GCAST_OK)
        status = check_sm_list(o, err);
    if (status == GCAST_OK && o->weight)
        status = check_weights(o, err);
    if (status == GCAST_OK && o->data)
        status = check_data(o->data, plan_job_count(o->grid), err);
    return status;
}

/* Each of n parts gets jobs / n jobs or one more: count[k] for part k. */
static void job_shares_even(uint32_t jobs, uint32_t n, uint32_t *count)
{
    uint64_t begin = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t end = ((uint64_t)k + 1) * jobs / n;
        count[k] = (uint32_t)(end - begin);
        begin = end;
    }
}

/* What rounding down takes from a part. */
typedef struct remainder_of_part {
    double lost;   /* jobs, below 1 */
    uint32_t part; /* its number */
} remainder_of_part;

static int compare_lost(const void *a, const void *b)
{
    const remainder_of_part *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    return x->part < y->part ? -1 : 1;
}

/* Deals jobs in proportion to weights that are finite, not negative and not all 0, by largest remainder (of equal ones,
 * the lower part): each part is its exact share rounded down or up. False without memory. Weights are taken relative to
 * the largest, so that their sum is finite. With at most 4096 parts and 2^31 jobs all rounding together is below a
 * thousandth of a job: the parts rounded down never exceed the jobs, and enough parts have a remainder to take what is
 * left. */
static bool job_shares_weighted(uint32_t jobs, const double *weight, uint32_t n, uint32_t *count)
{
    remainder_of_part *remainders = malloc(n * sizeof *remainders);
    double largest = 0, sum = 0;
    uint32_t left = jobs;
    if (!remainders)
        return false;
    for (uint32_t k = 0; k < n; k++)
        largest = weight[k] > largest ? weight[k] : largest;
    for (uint32_t k = 0; k < n; k++)
        sum += weight[k] / largest;
    for (uint32_t k = 0; k < n; k++) {
        double share = jobs * (weight[k] / largest / sum);
        count[k] = (uint32_t)share;
        remainders[k] = (remainder_of_part){share - count[k], k};
        left -= count[k];
    }
    qsort(remainders, n, sizeof *remainders, compare_lost);
    for (uint32_t k = 0; k < left; k++)
        count[remainders[k].part]++;
    free(remainders);
    return true;
}

/* Jobs can be dealt to SMs in turn, so that SMs go through the grid side by side, as with the hardware's scheduler. */

/* The next job of a part: it comes when (2 i + 1) / (2 count) of all jobs are dealt. */
typedef struct place {
    double at;     /* that fraction */
    uint32_t part; /* of equal fractions the lower part comes first */
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* Do parts differ by at most one job, so that jobs can be dealt like cards? */
static bool is_even(uint32_t jobs, const uint32_t *count, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (count[k] != jobs / n && count[k] != jobs / n + 1)
            return false;
    return true;
}

/* Parts that get one job more get it in the last round. */
static void deal_cards(uint32_t jobs, const uint32_t *count, uint32_t n, uint32_t *part)
{
    uint32_t whole = jobs / n * n;
    for (uint32_t j = 0; j < whole; j++)
        part[j] = j % n;
    for (uint32_t k = 0; k < n; k++)
        if (count[k] > jobs / n)
            part[whole++] = k;
}

/* Sets the part of each job: part k of n gets count[k] jobs, spread evenly over their order. False without memory. */
static bool in_turn_deal(uint32_t jobs, const uint32_t *count, uint32_t n, uint32_t *part)
{
    if (is_even(jobs, count, n)) {
        deal_cards(jobs, count, n, part);
        return true;
    }
    place *all = malloc((size_t)jobs * sizeof *all);
    size_t next = 0;
    if (!all)
        return false;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < count[k]; i++)
            all[next++] = (place){(i + 0.5) / count[k], k};
    qsort(all, next, sizeof *all, compare_places);
    for (size_t j = 0; j < next; j++)
        part[j] = all[j].part;
    free(all);
    return true;
}

/* Reorders a queue so that the segment of worker k has every workers-th job from the k-th on. `scratch` has room for as
 * many jobs. */
static void in_turn_cut(uint32_t *job, uint32_t jobs, uint32_t workers, uint32_t *scratch)
{
    uint32_t next = 0;
    for (uint32_t k = 0; k < workers && k < jobs; k++)
        for (uint32_t i = k; i < jobs; i += workers)
            scratch[next++] = job[i];
    memcpy(job, scratch, (size_t)jobs * sizeof *job);
}

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

/* Sets where the jobs of each SM begin, and the workers of SMs that have jobs or may steal some. */
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

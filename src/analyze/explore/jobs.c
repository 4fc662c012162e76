/* From a workload to jobs: when each may be called, how long its blocks take, and what is called before it on its
 * stream whatever happens. */
#include <stdlib.h>

#include "analyze/explore/explore.h"
#include "base/checked.h"
#include "model/gpu/level.h"
#include "model/workload/jobs.h"
#include "simulate/rules/copy_duration.h"
#include "simulate/rules/head.h"

#define MOST_JOBS 1000000
#define NO_FIT "times do not fit in 64-bit nanoseconds"

/* Hosts that never wait call each op a delay after the one before. */
static bool call_hosts(const gcast_workload *w, gcast_run_op *ops, size_t count, int64_t *returned)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[ops[i].op];
        if (op->host == GCAST_NO_HOST)
            continue;
        ops[i].release_ns = later(op->release_ns, returned[op->host] + op->delay_ns);
        returned[op->host] = ops[i].release_ns;
        if (ops[i].release_ns > EXPLORE_LATEST)
            return false;
    }
    return true;
}

static int level_of(const explore *x, const gcast_op *op)
{
    return level_of_priority(x->gpu, x->w->streams[op->stream].priority);
}

int explore_copy_engine(const explore *x, const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H && x->gpu->copy_engines > 1;
}

/* Numbers for the levels and copy engines that are used. */
static void number_queues(explore *x, uint32_t level[MAX_LEVELS], uint32_t engine[2])
{
    bool used[MAX_LEVELS] = {0}, copies[2] = {0}, ways[GCAST_DIRECTIONS] = {0};
    for (size_t i = 0; i < x->w->op_count; i++) {
        const gcast_op *op = &x->w->ops[i];
        if (op->kind == GCAST_KIND_COPY)
            ways[op->direction] = true;
        if (op->kind == GCAST_KIND_KERNEL)
            used[level_of(x, op)] = true;
        else if (gcast_kind_on_gpu(op->kind))
            copies[explore_copy_engine(x, op)] = true;
    }
    x->both_ways = ways[GCAST_H2D] && ways[GCAST_D2H] && x->gpu->copy_engines > 1;
    for (int l = 0; l < MAX_LEVELS; l++)
        level[l] = used[l] ? (uint32_t)x->levels++ : 0;
    x->engines = 1;
    for (int e = 0; e < 2; e++)
        if (copies[e]) {
            engine[e] = (uint32_t)x->engines;
            x->slot_count[x->engines++] = 1;
        }
    for (size_t e = 0; e < x->engines; e++) {
        x->slot_at[e] = x->slots;
        x->slots += x->slot_count[e];
    }
    x->queues = x->levels + x->engines - 1;
    x->partials = x->levels > 1 ? x->levels : 0;
}

/* Copies without a duration: alone at full speed, and after a pause, all the time beside another, at the least. */
static bool copy_times(explore *x, size_t op, explore_job *j)
{
    const gcast_op *o = &x->w->ops[op];
    bool beside = o->kind == GCAST_KIND_COPY && o->direction != GCAST_D2D && x->both_ways;
    int percent = beside ? x->gpu->copy_duplex_percent : 100;
    if (copy_bytes_ns(x->w, x->gpu, op, &j->min_ns, x->err) != GCAST_OK) {
        x->status = GCAST_INPUT;
        return false;
    }
    if (!checked_add(j->min_ns, copy_max_extra_ns(x->gpu, o) + x->noise, &j->max_ns) ||
        !checked_mul_div_up(j->max_ns, 100, percent, &j->max_ns) ||
        !checked_add(j->max_ns, percent < 100, &j->max_ns) ||
        (beside && o->direction == GCAST_D2H && !checked_add(j->max_ns, x->gpu->d2h_start_ns, &j->max_ns)))
        return explore_refuse(x, NO_FIT);
    return true;
}

static bool make_job(explore *x, const gcast_run_op *r, uint32_t index, const uint32_t *level, const uint32_t *engine,
                     explore_job *j)
{
    const gcast_op *op = &x->w->ops[r->op];
    bool kernel = op->kind == GCAST_KIND_KERNEL;
    *j = (explore_job){.op = r->op,
                       .job = r->job,
                       .index = index,
                       .stream = EXPLORE_NONE,
                       .before = EXPLORE_NONE,
                       .loose = x->options->any_order && op->host == GCAST_NO_HOST,
                       .first = r->release_ns,
                       .last = r->release_ns,
                       .latency = kernel ? x->gpu->launch_latency_ns : x->gpu->copy_latency_ns,
                       .blocks = kernel ? op->blocks : 1,
                       .min_ns = op->min_ns,
                       .max_ns = op->max_ns,
                       .each = kernel ? op->block_ns : NULL,
                       .share = {.late_take = 1, .early_take = 1}};
    if (kernel && x->shares)
        j->share = x->shares[r->op];
    if (kernel) {
        j->queue = level[level_of(x, op)];
    } else {
        j->engine = engine[explore_copy_engine(x, op)];
        j->queue = (uint32_t)x->levels + j->engine - 1;
    }
    for (uint64_t b = 0; j->each && b < j->blocks; b++) {
        j->min_ns = b ? earlier(j->min_ns, j->each[b]) : j->each[b];
        j->max_ns = b ? later(j->max_ns, j->each[b]) : j->each[b];
    }
    if (op->task != GCAST_ONCE)
        j->last += x->w->tasks[op->task].jitter_ns;
    if (!kernel && op->max_ns == GCAST_UNKNOWN_NS)
        return copy_times(x, r->op, j);
    return checked_add(j->max_ns, x->noise, &j->max_ns) || explore_refuse(x, NO_FIT);
}

/* No time is later than all of them one after the other, from the last call on; and slots are added up. */
static bool times_fit(const explore *x)
{
    int64_t sum = 0, last = 0, one, each = x->gap + x->turn + x->switching + x->copy_gap;
    for (uint32_t i = 0; i < x->job_count; i++) {
        const explore_job *j = &x->jobs[i];
        if (!checked_mul(j->max_ns + x->handover, (int64_t)j->blocks, &one) || !checked_add(sum, one, &sum) ||
            !checked_add(sum, each + j->latency, &sum))
            return false;
        last = later(last, j->last);
    }
    return last <= EXPLORE_LATEST && sum <= EXPLORE_LATEST &&
           checked_mul(2 * (sum + last), (int64_t)x->slot_count[0] + 1, &one);
}

static int by_call(const void *a, const void *b)
{
    const explore_job *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool of_one_job(const explore *x, const explore_job *a, const explore_job *b)
{
    int task = x->w->ops[a->op].task;
    return task != GCAST_ONCE && x->w->ops[b->op].task == task && a->job == b->job;
}

/* a, which is sorted before b, is called before b whatever happens. */
static bool surely_before(const explore *x, const explore_job *a, const explore_job *b)
{
    if (a->last != b->first)
        return a->last < b->first || of_one_job(x, a, b);
    return (a->index < b->index && !a->loose && !b->loose) || of_one_job(x, a, b);
}

static void order_stream(explore *x, explore_stream *s)
{
    s->settled = true;
    for (uint32_t i = 1; i < s->count; i++) {
        explore_job *j = &x->jobs[s->jobs[i]];
        for (uint32_t k = i; k-- > 0 && j->before == EXPLORE_NONE;)
            if (surely_before(x, &x->jobs[s->jobs[k]], j))
                j->before = s->jobs[k];
        s->settled = s->settled && j->before == s->jobs[i - 1];
    }
    for (uint32_t i = 1; i < s->count && s->settled; i++)
        x->jobs[s->jobs[i]].same_job = of_one_job(x, &x->jobs[s->jobs[i - 1]], &x->jobs[s->jobs[i]]);
}

uint32_t explore_first_left(const explore_stream *stream, const explore_state *s)
{
    uint32_t a = 0, b = stream->count;
    while (a < b) {
        uint32_t middle = a + (b - a) / 2;
        if (stream->jobs[middle] < s->first)
            a = middle + 1;
        else
            b = middle;
    }
    return a;
}

/* Streams with one job only hold nothing up, and are left out. */
static bool make_streams(explore *x)
{
    uint32_t *counts = arena_alloc_array(&x->memory, x->w->stream_count + 1, sizeof *counts);
    uint32_t *number = arena_alloc_array(&x->memory, x->w->stream_count + 1, sizeof *number);
    x->streams = arena_alloc_array(&x->memory, x->w->stream_count + 1, sizeof *x->streams);
    if (!counts || !number || !x->streams)
        return false;
    for (uint32_t i = 0; i < x->job_count; i++)
        counts[x->w->ops[x->jobs[i].op].stream]++;
    for (size_t s = 0; s < x->w->stream_count; s++) {
        if (counts[s] < 2)
            continue;
        number[s] = (uint32_t)x->stream_count;
        x->streams[x->stream_count] = (explore_stream){
            .jobs = arena_alloc_array(&x->memory, counts[s], sizeof *x->streams->jobs), .min_ns = INT64_MAX};
        if (!x->streams[x->stream_count++].jobs)
            return false;
    }
    for (uint32_t i = 0; i < x->job_count; i++) {
        int stream = x->w->ops[x->jobs[i].op].stream;
        if (counts[stream] < 2)
            continue;
        explore_stream *s = &x->streams[number[stream]];
        x->jobs[i].stream = number[stream];
        s->jobs[s->count++] = i;
        s->min_ns = earlier(s->min_ns, x->jobs[i].min_ns);
    }
    for (size_t s = 0; s < x->stream_count; s++)
        order_stream(x, &x->streams[s]);
    return true;
}

static bool make_all(explore *x, gcast_run_op *ops, size_t count)
{
    uint32_t level[MAX_LEVELS] = {0}, engine[2] = {0};
    int64_t *returned = arena_alloc_array(&x->memory, x->w->host_count + 1, sizeof *returned);
    x->jobs = arena_alloc_array(&x->memory, count + 1, sizeof *x->jobs);
    if (!x->jobs || !returned) {
        x->status = gcast_error_set_memory(x->err);
        return false;
    }
    number_queues(x, level, engine);
    if (!call_hosts(x->w, ops, count, returned))
        return explore_refuse(x, NO_FIT);
    for (size_t i = 0; i < count; i++)
        if (gcast_kind_on_gpu(x->w->ops[ops[i].op].kind) &&
            !make_job(x, &ops[i], (uint32_t)i, level, engine, &x->jobs[x->job_count++]))
            return false;
    qsort(x->jobs, x->job_count, sizeof *x->jobs, by_call);
    if (!times_fit(x))
        return explore_refuse(x, "sums of all times, over all slots, do not fit in 64-bit nanoseconds");
    if (!make_streams(x)) {
        x->status = gcast_error_set_memory(x->err);
        return false;
    }
    x->least_latency = INT64_MAX;
    for (uint32_t i = 0; i < x->job_count; i++)
        x->least_latency = earlier(x->least_latency, x->jobs[i].latency);
    return true;
}

bool explore_make_jobs(explore *x)
{
    gcast_run_op *ops;
    size_t count;
    x->gap = x->gpu->stream_gap_ns;
    x->handover = x->gpu->handover_ns;
    x->copy_gap = x->gpu->copy_gap_ns;
    x->switching = x->gpu->switch_ns;
    x->noise = x->gpu->noise_ns;
    if (!explore_set_turn(x))
        return false;
    x->status = jobs_expand(x->w, x->window, &ops, &count, x->err);
    if (x->status != GCAST_OK && x->status != GCAST_INPUT)
        return false;
    if (x->status == GCAST_INPUT || count > MOST_JOBS) {
        if (x->status == GCAST_OK)
            free(ops);
        x->status = GCAST_OK;
        return explore_refuse(x, "there are more than a million jobs; give a shorter horizon");
    }
    bool ok = make_all(x, ops, count);
    free(ops);
    return ok;
}

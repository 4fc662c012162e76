/* Makes the jobs: when each may be called, how long its blocks take, which queue it enters, which jobs of its stream
 * are called before it in every execution, and which events it waits for. */
#include "analyze/explore/explore_jobs.h"

#include <stdlib.h>

#include "analyze/explore/cover.h"
#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/dependencies.h"
#include "model/workload/jobs.h"
#include "model/workload/workload.h"
#include "simulate/blocks/delays.h"
#include "simulate/duration.h"
#include "simulate/queue_rules.h"

#define MAX_JOBS 1000000
#define OVERFLOW_REFUSAL "times do not fit in 64-bit nanoseconds"

/* Hosts never wait here: each op is called a delay after the host's previous call. False: a call is too late. */
static bool call_hosts(const gcast_workload *w, gcast_run_op *ops, size_t count, int64_t *returned)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_op *op = &w->ops[ops[i].op];
        if (op->host == GCAST_NO_HOST)
            continue;
        ops[i].release_ns = max_i64(op->release_ns, returned[op->host] + op->delay_ns);
        returned[op->host] = ops[i].release_ns;
        if (ops[i].release_ns > EXPLORE_MAX_TIME)
            return false;
    }
    return true;
}

static int level_of(const explore_problem *p, const gcast_op *op)
{
    return level_of_priority(p->gpu, p->w->streams[op->stream].priority);
}

/* Numbers the levels and copy engines that are used. `level` and `engine` map their numbers on the GPU to these. */
static void number_queues(explore_problem *p, uint32_t level[MAX_LEVELS], uint32_t engine[COPY_ENGINES])
{
    bool level_used[MAX_LEVELS] = {0}, engine_used[COPY_ENGINES] = {0}, direction_used[GCAST_DIRECTIONS] = {0};
    for (size_t i = 0; i < p->w->op_count; i++) {
        const gcast_op *op = &p->w->ops[i];
        if (op->kind == GCAST_KIND_COPY)
            direction_used[op->direction] = true;
        if (op->kind == GCAST_KIND_KERNEL)
            level_used[level_of(p, op)] = true;
        else if (gcast_kind_on_gpu(op->kind))
            engine_used[copy_engine_of(p->gpu, op)] = true;
    }
    p->copies_both_ways = direction_used[GCAST_H2D] && direction_used[GCAST_D2H] && p->gpu->copy_engines > 1;
    for (int l = 0; l < MAX_LEVELS; l++)
        level[l] = level_used[l] ? (uint32_t)p->level_count++ : 0;
    p->engine_count = 1;
    for (int e = 0; e < COPY_ENGINES; e++)
        if (engine_used[e]) {
            engine[e] = (uint32_t)p->engine_count;
            p->slot_count[p->engine_count++] = 1;
        }
    for (size_t e = 0; e < p->engine_count; e++) {
        p->first_slot[e] = p->slot_total;
        p->slot_total += p->slot_count[e];
    }
    p->queue_count = p->level_count + p->engine_count - 1;
    p->partial_count = p->level_count > 1 ? p->level_count : 0;
}

/* Times of a copy from its bytes: the shortest is at full speed, the longest is at the slowest measured speed, after a
 * pause and with copies in the other direction all the time. */
static bool set_copy_times(explore_problem *p, size_t op, explore_job *j)
{
    const gcast_op *copy = &p->w->ops[op];
    bool is_slowed = copy->kind == GCAST_KIND_COPY && copy->direction != GCAST_D2D && p->copies_both_ways;
    int percent = is_slowed ? p->gpu->copy_duplex_percent : 100;
    if (copy_bytes_ns(p->w, p->gpu, op, &j->min_ns, p->err) != GCAST_OK) {
        p->status = GCAST_INPUT;
        return false;
    }
    if (!checked_add(copy_slowest_ns(p->gpu, copy, j->min_ns), copy_max_extra_ns(p->gpu, copy) + p->noise_ns,
                     &j->max_ns) ||
        !checked_mul_div_up(j->max_ns, 100, percent, &j->max_ns) ||
        !checked_add(j->max_ns, percent < 100, &j->max_ns) ||
        (is_slowed && copy->direction == GCAST_D2H && !checked_add(j->max_ns, p->gpu->d2h_start_ns, &j->max_ns)))
        return explore_refuse(p, OVERFLOW_REFUSAL);
    return true;
}

/* Longest delay by starving of a block that takes `ns` by itself. It ends with the blocks that spin beside it, or
 * starved_ns later than by itself (lemma 8 of docs/bound.md). */
static int64_t max_starving_ns(const explore_problem *p, int64_t ns)
{
    return max_i64(0, min_i64(p->starved_ns, p->max_spin_ns - ns));
}

static bool make_job(explore_problem *p, const gcast_run_op *r, uint32_t operation, const uint32_t *level,
                     const uint32_t *engine, explore_job *j)
{
    const gcast_op *op = &p->w->ops[r->op];
    bool is_kernel = op->kind == GCAST_KIND_KERNEL;
    *j = (explore_job){.op = r->op,
                       .task_job = r->job,
                       .operation = operation,
                       .stream = EXPLORE_NONE,
                       .predecessor = EXPLORE_NONE,
                       .event = EXPLORE_NONE,
                       .order_is_open = p->options->any_order && op->host == GCAST_NO_HOST,
                       .call_lo = r->release_ns,
                       .call_hi = r->release_ns,
                       .latency_ns = is_kernel ? p->gpu->launch_latency_ns : p->gpu->copy_latency_ns,
                       .max_latency_ns = is_kernel ? p->options->launch_max_ns : p->options->copy_max_ns,
                       .block_count = is_kernel ? op->blocks : 1,
                       .min_ns = op->min_ns,
                       .max_ns = op->max_ns,
                       .each_ns = is_kernel ? op->block_ns : NULL,
                       .share = {.late_take = 1, .early_take = 1}};
    if (is_kernel && p->shares)
        j->share = p->shares[r->op];
    if (is_kernel) {
        j->queue = level[level_of(p, op)];
    } else {
        j->engine = engine[copy_engine_of(p->gpu, op)];
        j->queue = (uint32_t)p->level_count + j->engine - 1;
    }
    for (uint64_t b = 0; j->each_ns && b < j->block_count; b++) {
        j->min_ns = b ? min_i64(j->min_ns, j->each_ns[b]) : j->each_ns[b];
        j->max_ns = b ? max_i64(j->max_ns, j->each_ns[b]) : j->each_ns[b];
    }
    j->extra_ns = p->noise_ns + (is_kernel ? max_starving_ns(p, j->min_ns) : 0);
    if (op->task != GCAST_ONCE)
        j->call_hi += p->w->tasks[op->task].jitter_ns;
    if (!is_kernel && op->max_ns == GCAST_UNKNOWN_NS)
        return set_copy_times(p, r->op, j);
    int64_t starving_ns = is_kernel ? max_starving_ns(p, j->max_ns) : 0;
    return checked_add(j->max_ns, p->noise_ns + starving_ns, &j->max_ns) || explore_refuse(p, OVERFLOW_REFUSAL);
}

/* Sums the time of all jobs, one after the other. False: the sum does not fit. */
static bool sum_durations(const explore_problem *p, int64_t *sum)
{
    int64_t product;
    int64_t job_gaps = max_i64(p->stream_gap_ns, p->event_gap_ns) + p->max_turn_wait_ns + p->switch_ns + p->copy_gap_ns;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const explore_job *j = &p->jobs[i];
        if (!checked_mul(j->max_ns + p->handover_ns, (int64_t)j->block_count, &product) ||
            !checked_add(*sum, product, sum) || !checked_add(*sum, job_gaps + j->max_latency_ns, sum))
            return false;
    }
    return true;
}

/* Opens the calls of sporadic jobs: they may be released at any time, at the latest after all jobs that are released
 * before the horizon have ended, which stands for no release at all. False: times do not fit. */
static bool open_sporadic_calls(const explore_problem *p)
{
    int64_t end = 0, last_call = 0, late;
    if (!sum_durations(p, &end) || end > EXPLORE_MAX_TIME)
        return false;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const gcast_op *op = &p->w->ops[p->jobs[i].op];
        late = op->task == GCAST_ONCE ? 0 : p->w->tasks[op->task].jitter_ns;
        if (!checked_add(late, op->task == GCAST_ONCE ? p->jobs[i].call_hi : p->window_ns + op->release_ns, &late))
            return false;
        last_call = max_i64(last_call, late);
    }
    for (uint32_t i = 0; i < p->job_count; i++) {
        explore_job *j = &p->jobs[i];
        const gcast_op *op = &p->w->ops[j->op];
        if (op->task != GCAST_ONCE && p->w->tasks[op->task].sporadic &&
            !checked_add(j->call_lo, last_call + end, &j->call_hi))
            return false;
    }
    return true;
}

/* Do all times fit? No time is later than if all jobs ran one after the other from the last call on, and the times of
 * all slots are summed. */
static bool times_fit(const explore_problem *p)
{
    int64_t sum = 0, last_call = 0, product;
    if (!sum_durations(p, &sum))
        return false;
    for (uint32_t i = 0; i < p->job_count; i++)
        last_call = max_i64(last_call, p->jobs[i].call_hi);
    return last_call <= EXPLORE_MAX_TIME && sum <= EXPLORE_MAX_TIME &&
           checked_mul(2 * (sum + last_call), (int64_t)p->slot_count[0] + 1, &product);
}

static int by_call(const void *a, const void *b)
{
    const explore_job *x = a, *y = b;
    if (x->call_lo != y->call_lo)
        return x->call_lo < y->call_lo ? -1 : 1;
    return x->call_index < y->call_index ? -1 : 1;
}

/* Do both belong to one job of a task? */
static bool of_one_job(const explore_problem *p, const explore_job *a, const explore_job *b)
{
    int task = p->w->ops[a->op].task;
    return task != GCAST_ONCE && p->w->ops[b->op].task == task && a->task_job == b->task_job;
}

/* Is a, which is sorted before b, called before b in every execution? */
static bool always_before(const explore_problem *p, const explore_job *a, const explore_job *b)
{
    if (a->call_hi != b->call_lo)
        return a->call_hi < b->call_lo || of_one_job(p, a, b);
    return (a->call_index < b->call_index && !a->order_is_open && !b->order_is_open) || of_one_job(p, a, b);
}

static void find_predecessors(explore_problem *p, explore_stream *s)
{
    s->order_is_known = true;
    for (uint32_t i = 1; i < s->job_count; i++) {
        explore_job *j = &p->jobs[s->jobs[i]];
        for (uint32_t k = i; k-- > 0 && j->predecessor == EXPLORE_NONE;)
            if (always_before(p, &p->jobs[s->jobs[k]], j))
                j->predecessor = s->jobs[k];
        s->order_is_known = s->order_is_known && j->predecessor == s->jobs[i - 1];
    }
    for (uint32_t i = 1; i < s->job_count && s->order_is_known; i++)
        p->jobs[s->jobs[i]].continues_job = of_one_job(p, &p->jobs[s->jobs[i - 1]], &p->jobs[s->jobs[i]]);
}

uint32_t explore_stream_find(const explore_stream *stream, uint32_t job)
{
    uint32_t low = 0, high = stream->job_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (stream->jobs[middle] < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A stream with only one job delays nothing, and is left out. */
static bool make_streams(explore_problem *p)
{
    uint32_t *counts = arena_alloc_array(&p->memory, p->w->stream_count + 1, sizeof *counts);
    uint32_t *number = arena_alloc_array(&p->memory, p->w->stream_count + 1, sizeof *number);
    p->streams = arena_alloc_array(&p->memory, p->w->stream_count + 1, sizeof *p->streams);
    if (!counts || !number || !p->streams)
        return false;
    for (uint32_t i = 0; i < p->job_count; i++)
        counts[p->w->ops[p->jobs[i].op].stream]++;
    for (size_t s = 0; s < p->w->stream_count; s++) {
        if (counts[s] < 2)
            continue;
        number[s] = (uint32_t)p->stream_count;
        p->streams[p->stream_count] = (explore_stream){
            .jobs = arena_alloc_array(&p->memory, counts[s], sizeof *p->streams->jobs), .min_block_ns = INT64_MAX};
        if (!p->streams[p->stream_count++].jobs)
            return false;
    }
    for (uint32_t i = 0; i < p->job_count; i++) {
        int stream = p->w->ops[p->jobs[i].op].stream;
        if (counts[stream] < 2)
            continue;
        explore_stream *s = &p->streams[number[stream]];
        p->jobs[i].stream = number[stream];
        s->jobs[s->job_count++] = i;
        s->min_block_ns = min_i64(s->min_block_ns, p->jobs[i].min_ns);
    }
    for (size_t s = 0; s < p->stream_count; s++)
        find_predecessors(p, &p->streams[s]);
    return true;
}

/* Fills the lists of followers, whose lengths are known. False without memory. */
static bool make_followers(explore_problem *p)
{
    for (uint32_t i = 0; i < p->job_count; i++) {
        explore_job *j = &p->jobs[i];
        if (!j->follower_count)
            continue;
        j->followers = arena_alloc_array(&p->memory, j->follower_count, sizeof *j->followers);
        if (!j->followers)
            return false;
        j->follower_count = 0;
    }
    for (uint32_t i = 0; i < p->job_count; i++)
        for (uint32_t k = 0; k < p->jobs[i].after_count; k++) {
            explore_job *dependency = &p->jobs[p->jobs[i].after[k]];
            dependency->followers[dependency->follower_count++] = i;
        }
    return true;
}

/* Finds the dependencies of each job, except in its own stream, where order follows anyway, and except jobs that are
 * called later, for which it does not wait. `count`: number of operations. False without memory. */
static bool make_events(explore_problem *p, size_t count)
{
    uint32_t *job_at = arena_alloc_array(&p->memory, count + 1, sizeof *job_at); /* by operation */
    if (!job_at)
        return false;
    for (uint32_t i = 0; i < p->job_count; i++)
        job_at[p->jobs[i].operation] = i;
    for (uint32_t i = 0; i < p->job_count; i++) {
        explore_job *j = &p->jobs[i];
        const gcast_op *op = &p->w->ops[j->op];
        if (!op->after_count)
            continue;
        j->after = arena_alloc_array(&p->memory, op->after_count, sizeof *j->after);
        if (!j->after)
            return false;
        for (size_t k = 0; k < op->after_count; k++) {
            uint32_t dependency = job_at[dependencies_operation(j->operation, j->op, op->after[k])];
            bool is_earlier = i < dependency && always_before(p, j, &p->jobs[dependency]);
            if (is_earlier || p->w->ops[op->after[k]].stream == op->stream)
                continue;
            j->after[j->after_count++] = dependency;
            p->jobs[dependency].follower_count++;
            if (p->jobs[dependency].event == EXPLORE_NONE)
                p->jobs[dependency].event = (uint32_t)p->event_count++;
        }
    }
    return make_followers(p);
}

/* The order of calls at one time (docs/model.md, "What there is"): first ops that run once, then jobs by release, late
 * or not, then by task. Of two calls at one time, the one that is made longer after its job's release has the earlier
 * release, so the order does not depend on how late jobs are. */

/* Sort key of calls at one time. */
typedef struct tie_key {
    int64_t after_release_ns; /* from the release of its job to the call */
    int task;                 /* GCAST_ONCE comes first */
    uint32_t task_job;        /* number of the job within its task */
    uint32_t op;              /* index in the workload */
    uint32_t job;             /* the job that is called */
} tie_key;

static int by_tie(const void *a, const void *b)
{
    const tie_key *x = a, *y = b;
    bool x_once = x->task == GCAST_ONCE, y_once = y->task == GCAST_ONCE;
    if (x_once != y_once)
        return x_once ? -1 : 1;
    if (!x_once && x->after_release_ns != y->after_release_ns)
        return x->after_release_ns > y->after_release_ns ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->task_job != y->task_job)
        return x->task_job < y->task_job ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Sets call_index of every job. False without memory. */
static bool order_calls(explore_problem *p)
{
    tie_key *keys = arena_alloc_array(&p->memory, (size_t)p->job_count + 1, sizeof *keys);
    if (!keys)
        return explore_no_memory(p);
    for (uint32_t i = 0; i < p->job_count; i++) {
        const explore_job *j = &p->jobs[i];
        const gcast_op *op = &p->w->ops[j->op];
        keys[i] = (tie_key){op->release_ns, op->task, j->task_job, j->op, i};
    }
    qsort(keys, p->job_count, sizeof *keys, by_tie);
    for (uint32_t i = 0; i < p->job_count; i++)
        p->jobs[keys[i].job].call_index = i;
    return true;
}

static bool make_all(explore_problem *p, gcast_run_op *ops, size_t count)
{
    uint32_t level[MAX_LEVELS] = {0}, engine[COPY_ENGINES] = {0};
    int64_t *returned = arena_alloc_array(&p->memory, p->w->host_count + 1, sizeof *returned);
    p->jobs = arena_alloc_array(&p->memory, count + 1, sizeof *p->jobs);
    if (!p->jobs || !returned)
        return explore_no_memory(p);
    number_queues(p, level, engine);
    if (!call_hosts(p->w, ops, count, returned))
        return explore_refuse(p, OVERFLOW_REFUSAL);
    for (size_t i = 0; i < count; i++)
        if (gcast_kind_on_gpu(p->w->ops[ops[i].op].kind) &&
            !make_job(p, &ops[i], (uint32_t)i, level, engine, &p->jobs[p->job_count++]))
            return false;
    if (!order_calls(p))
        return false;
    qsort(p->jobs, p->job_count, sizeof *p->jobs, by_call);
    if (!open_sporadic_calls(p) || !times_fit(p))
        return explore_refuse(p, "sums of all times, over all slots, do not fit in 64-bit nanoseconds");
    if (!make_streams(p) || !make_events(p, count))
        return explore_no_memory(p);
    p->min_latency_ns = INT64_MAX;
    for (uint32_t i = 0; i < p->job_count; i++)
        p->min_latency_ns = min_i64(p->min_latency_ns, p->jobs[i].latency_ns);
    return true;
}

static void set_starving(explore_problem *p)
{
    const gcast_workload *w = p->w;
    if (!starve_happens(p->gpu, w))
        return;
    p->starved_ns = p->gpu->starved_ns;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].body == GCAST_BODY_TIMER_SPIN)
            p->max_spin_ns = max_i64(p->max_spin_ns, workload_longest_block(&w->ops[i]));
}

bool explore_make_jobs(explore_problem *p)
{
    gcast_run_op *ops;
    size_t count;
    p->stream_gap_ns = p->gpu->stream_gap_ns;
    p->event_gap_ns = event_gap_of(p->gpu);
    p->handover_ns = p->gpu->handover_ns;
    p->copy_gap_ns = p->gpu->copy_gap_ns;
    p->switch_ns = p->gpu->switch_ns;
    p->noise_ns = p->gpu->noise_ns;
    set_starving(p);
    if (!explore_set_turn_wait(p))
        return false;
    p->status = jobs_expand(p->w, p->window_ns, &ops, &count, p->err);
    if (p->status != GCAST_OK && p->status != GCAST_INPUT)
        return false;
    if (p->status == GCAST_INPUT || count > MAX_JOBS) {
        if (p->status == GCAST_OK)
            free(ops);
        p->status = GCAST_OK;
        return explore_refuse(p, "there are more than a million jobs; give a shorter horizon");
    }
    bool ok = make_all(p, ops, count);
    free(ops);
    return ok;
}

/* Workers of a kernel with a plan ("Policies" in docs/model.md). A worker is a block that the block scheduler places;
 * it keeps its resources while it goes from job to job, so that the scheduler does not see that.
 *
 * What a worker does is known when it starts if it retreats, or has one job or a segment. Workers that share a queue
 * take a job when they are free: each has a slot, and sim.job_ends says when its job ends. Slots are in the order of
 * starts, so that of workers that are free at one time the one that started first takes the next job. Once all workers
 * of a launch have started, and all jobs take the same time, it is known which worker does how many. */
#include "simulate/dispatch/workers.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "simulate/dispatch/plan_launch.h"
#include "simulate/duration.h"
#include "simulate/state/failure.h"
#include "simulate/state/poll.h"

/* The worker g of o ends at this time. Returns when it releases its resources. */
static int64_t end_worker(sim *s, uint32_t o, int64_t end)
{
    s->state[o].last_end_ns = max_i64(s->state[o].last_end_ns, end);
    return sim_add_ns(s, o, end, s->gpu->handover_ns);
}

/* Jobs that start from now on are not recorded. */
static bool nothing_is_recorded(const sim *s, uint32_t o)
{
    return !s->ops[o].blocks && s->now >= s->window.end_ns;
}

static void record_job(sim *s, uint32_t o, uint32_t job, const sim_group *group, int64_t start, int64_t end)
{
    gcast_block b = {.start_ns = start,
                     .end_ns = end,
                     .sm = (uint32_t)s->sms.order[group->rank],
                     .quarter = (uint32_t)group->quarter};
    if (s->ops[o].blocks)
        s->blocks[s->ops[o].blocks - s->blocks + (ptrdiff_t)job] = b;
    else {
        s->window.has_jobs = true;
        if (!window_add(&s->window, o, job, b))
            sim_fail_record(s);
    }
}

/* The worker in this group takes a job of o at `time`. Returns when the job ends. */
static inline int64_t run_job(sim *s, uint32_t o, uint32_t job, const sim_group *group, int64_t time)
{
    const gcast_run_op *r = &s->ops[o];
    int64_t start = sim_add_ns(s, o, time, s->gpu->job_overhead_ns);
    int64_t end = sim_add_ns(s, o, start, duration_of(sim_spec(s, o), r->op, r->job, job, s->options));
    if (r->blocks || start < s->window.end_ns)
        record_job(s, o, job, group, start, end);
    s->blocks_dispatched++;
    return end;
}

/* When a worker has done `count` jobs of equal duration that it begins at `time`. */
static int64_t equal_jobs_end(sim *s, uint32_t o, int64_t time, uint32_t count)
{
    const gcast_run_op *r = &s->ops[o];
    int64_t each = sim_add_ns(s, o, s->gpu->job_overhead_ns, duration_of(sim_spec(s, o), r->op, r->job, 0, s->options));
    int64_t all;
    if (!checked_mul((int64_t)count, each, &all) || all > MAX_TIME_NS) {
        sim_fail_time(s, o);
        return MAX_TIME_NS;
    }
    s->blocks_dispatched += count;
    return sim_add_ns(s, o, time, all);
}

/* The worker does the jobs at these positions. Returns when it ends. */
static int64_t run_segment(sim *s, uint32_t o, const sim_group *group, uint32_t first, uint32_t end)
{
    const sim_launch *l = s->host_ops[o].plan_launch;
    int64_t time = s->now;
    if (l->durations_equal && nothing_is_recorded(s, o))
        return equal_jobs_end(s, o, time, end - first);
    for (uint32_t at = first; at < end; at++)
        time = run_job(s, o, l->job[at], group, time);
    return time;
}

/* The positions of the jobs of the worker with this ticket, which has one job or a segment. */
static uint32_t own_jobs(const sim_launch *l, uint32_t sm, uint32_t ticket, uint32_t *end)
{
    uint32_t first = l->first[sm], jobs = l->first[sm + 1] - first, wanted = l->plan->workers[sm];
    if (l->mapping == GCAST_MAPPING_ONE_JOB) {
        *end = first + min_u32(ticket + 1, jobs);
        return first + min_u32(ticket, jobs);
    }
    first += ticket * (jobs / wanted) + min_u32(ticket, jobs % wanted);
    *end = first + jobs / wanted + (ticket < jobs % wanted);
    return first;
}

/* A worker on this SM takes the next job; NONE: there is none. `queue`: from which it took the last one. */
static inline uint32_t take_job(sim_launch *l, uint32_t sm, uint32_t *queue)
{
    for (;;) {
        uint32_t at = l->next[*queue];
        if (at < l->first[*queue + 1]) {
            l->next[*queue] = at + 1;
            return l->job[at];
        }
        uint32_t following = *queue + 1 < l->queues ? *queue + 1 : 0;
        if (!l->steal || following == sm)
            return NONE;
        *queue = following;
    }
}

/* A worker takes jobs of a queue, of which this is the first; false without memory. */
static bool add_worker(sim *s, uint32_t o, uint32_t g, uint32_t queue, uint32_t job)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!l->slot_cap && !plan_launch_take_slots(s, o))
        return false;
    uint32_t slot = l->slot_first + l->slot_count++;
    s->workers[slot] = (sim_worker){.op = o, .group = g, .queue = queue};
    tournament_set(&s->job_ends, slot, run_job(s, o, job, &s->groups[g], s->now));
    l->working_count++;
    s->working_count++;
    return true;
}

static int64_t retreat(sim *s, uint32_t o)
{
    if (!s->host_ops[o].plan_launch->is_repair)
        s->ops[o].retreated++;
    return end_worker(s, o, sim_add_ns(s, o, s->now, max_i64(s->gpu->retreat_ns, 1)));
}

int64_t worker_dispatch(sim *s, uint32_t o, uint32_t g)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    const sim_group *group = &s->groups[g];
    uint32_t sm = (uint32_t)s->sms.order[group->rank], ticket = l->tickets[sm]++;
    bool one_queue = l->mapping == GCAST_MAPPING_PERSISTENT;
    s->state[o].dispatched++;
    s->blocks_dispatched++;
    s->sms.last = group->rank;
    if (!one_queue && ticket >= l->plan->workers[sm])
        return retreat(s, o);
    if (one_queue || l->mapping == GCAST_MAPPING_QUEUES) {
        uint32_t queue = one_queue ? 0 : sm, job = take_job(l, sm, &queue);
        if (job == NONE)
            return retreat(s, o);
        if (!add_worker(s, o, g, queue, job))
            sim_fail_memory(s);
        return TOURNAMENT_OUT;
    }
    uint32_t end, first = own_jobs(l, sm, ticket, &end);
    return first < end ? end_worker(s, o, run_segment(s, o, group, first, end)) : retreat(s, o);
}

/* The worker in this slot finds no further job, and ends at this time. */
static void finish_worker(sim *s, uint32_t slot, int64_t end)
{
    const sim_worker *w = &s->workers[slot];
    tournament_set(&s->releases, w->group, end_worker(s, w->op, end));
    s->host_ops[w->op].plan_launch->working_count--;
    s->working_count--;
}

static int by_queue_and_time(const void *a, const void *b)
{
    const free_worker *x = a, *y = b;
    if (x->queue != y->queue)
        return x->queue < y->queue ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->slot < y->slot ? -1 : 1;
}

/* The workers of o that take further jobs, by queue, and then in the order in which they are free; false without
 * memory. */
static bool list_workers(sim *s, const sim_launch *l)
{
    bool in_order = true;
    s->scratch_workers.count = 0;
    if (!vec_reserve(&s->scratch_workers, l->working_count))
        return false;
    for (uint32_t slot = l->slot_first; slot < l->slot_first + l->slot_count; slot++) {
        free_worker w = {tournament_time(&s->job_ends, slot), s->workers[slot].queue, slot};
        if (w.time == TOURNAMENT_OUT)
            continue;
        size_t count = s->scratch_workers.count;
        in_order = in_order && (!count || by_queue_and_time(&s->scratch_workers.at[count - 1], &w) < 0);
        s->scratch_workers.at[s->scratch_workers.count++] = w;
    }
    if (!in_order)
        qsort(s->scratch_workers.at, s->scratch_workers.count, sizeof *s->scratch_workers.at, by_queue_and_time);
    return true;
}

/* No further worker comes to the queues of o, and all jobs take the same time: the workers of a queue take its jobs in
 * turn, always in the same order. */
static void settle(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!list_workers(s, l)) {
        sim_fail_memory(s);
        return;
    }
    const free_worker *list = s->scratch_workers.at;
    for (size_t i = 0, end; i < s->scratch_workers.count; i = end) {
        uint32_t queue = list[i].queue, jobs = l->first[queue + 1] - l->next[queue];
        for (end = i; end < s->scratch_workers.count && list[end].queue == queue;)
            end++;
        uint32_t workers = (uint32_t)(end - i);
        for (uint32_t k = 0; k < workers; k++) {
            uint32_t own = jobs / workers + (k < jobs % workers);
            tournament_set(&s->job_ends, list[i + k].slot, TOURNAMENT_OUT);
            finish_worker(s, list[i + k].slot, equal_jobs_end(s, o, list[i + k].time, own));
        }
        l->next[queue] = l->first[queue + 1];
    }
}

/* How often all workers in the list take a job of their queue before one finds none there. */
static uint32_t full_rounds(const sim *s, const sim_launch *l)
{
    const free_worker *list = s->scratch_workers.at;
    uint32_t rounds = UINT32_MAX;
    for (size_t i = 0, end; i < s->scratch_workers.count; i = end) {
        uint32_t queue = list[i].queue;
        for (end = i; end < s->scratch_workers.count && list[end].queue == queue;)
            end++;
        rounds = min_u32(rounds, (l->first[queue + 1] - l->next[queue]) / (uint32_t)(end - i));
    }
    return rounds;
}

/* Where workers steal, they take the jobs of their own queues in turn as long as none of these is empty. */
static void skip_rounds(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!list_workers(s, l)) {
        sim_fail_memory(s);
        return;
    }
    uint32_t rounds = full_rounds(s, l);
    for (size_t i = 0; i < s->scratch_workers.count && rounds && s->status == GCAST_OK; i++) {
        const free_worker *w = &s->scratch_workers.at[i];
        l->next[w->queue] += rounds;
        tournament_set(&s->job_ends, w->slot, equal_jobs_end(s, o, w->time, rounds));
    }
}

void workers_dispatched(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!l->is_repair)
        s->ops[o].dispatched_ns = s->now;
    if (l->working_count && l->durations_equal && nothing_is_recorded(s, o)) {
        if (l->steal)
            skip_rounds(s, o);
        else
            settle(s, o);
    }
    if (!l->working_count)
        plan_launch_ends(s, o);
}

/* The next end of a job: its worker takes another one, or ends. False: its launch has ended, too. */
static bool advance_worker(sim *s)
{
    uint32_t slot = tournament_winner(&s->job_ends);
    sim_worker *w = &s->workers[slot];
    uint32_t o = w->op;
    sim_launch *l = s->host_ops[o].plan_launch;
    const sim_group *group = &s->groups[w->group];
    tournament_rivals rivals;
    tournament_tied(&s->job_ends, &rivals);
    uint32_t job = take_job(l, (uint32_t)s->sms.order[group->rank], &w->queue);
    if (job != NONE) {
        tournament_replace(&s->job_ends, &rivals, run_job(s, o, job, group, s->now));
        return true;
    }
    tournament_replace(&s->job_ends, &rivals, TOURNAMENT_OUT);
    finish_worker(s, slot, s->now);
    if (l->working_count || s->state[o].dispatched < s->state[o].launch_blocks)
        return true;
    plan_launch_ends(s, o);
    return false;
}

void workers_until(sim *s, int64_t until)
{
    while (s->working_count && s->status == GCAST_OK) {
        int64_t time = tournament_first(&s->job_ends);
        if (time >= until || time >= tournament_first(&s->releases))
            return;
        s->now = time;
        if (!advance_worker(s))
            return;
        sim_poll(s);
    }
}

void workers_now(sim *s)
{
    while (s->working_count && tournament_first(&s->job_ends) <= s->now && s->status == GCAST_OK)
        advance_worker(s);
}

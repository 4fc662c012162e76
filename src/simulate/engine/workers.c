/* Launches and workers of a kernel with a plan ("Policies" in docs/model.md). A worker is a block that the block
 * scheduler places; it keeps its resources from job to job, so that the scheduler does not see its jobs.
 *
 * A worker's end is known at its start if it retreats, or has one job or a segment. Workers that share a queue take a
 * job when they are free: each has a slot, and sim.job_ends says when its job ends. Slots are in the order of starts,
 * so that the next job goes to the worker that started first among those that are free. Once all workers of a launch
 * have started, and all jobs take the same time, it is known how many jobs each worker does. */
#include "simulate/engine/workers.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simulate/duration.h"
#include "simulate/engine/groups.h"
#include "simulate/engine/state.h"

/* A kernel with a plan has two launches: the planned one, and the repair, which does the jobs that no worker came
 * to. */

uint64_t plan_launch_blocks(const sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (op->kind != GCAST_KIND_KERNEL || op->policy == GCAST_POLICY_HARDWARE)
        return s->ops[o].block_count;
    return (uint64_t)s->gpu->sms * (op->fill ? op->fill : s->state[o].demand->max_blocks);
}

void plan_launch_start(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_plan *plan = op->plan;
    sim_launch *l = calloc(1, sizeof *l);
    if (!l) {
        sim_fail_memory(s);
        return;
    }
    s->host_ops[o].plan_launch = l;
    *l = (sim_launch){
        .plan = plan, .mapping = plan->mapping, .steal = plan->steal, .queues = plan->queues, .first = plan->first};
    l->job = plan->job;
    l->durations_equal = !op->block_ns && !s->options->noise_ns &&
                         (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM);
    l->next = malloc((plan->queues + 1) * sizeof *l->next);
    l->tickets = calloc((size_t)s->gpu->sms, sizeof *l->tickets);
    if (!l->next || !l->tickets)
        sim_fail_memory(s);
    else
        memcpy(l->next, plan->first, plan->queues * sizeof *l->next);
    s->ops[o].workers = s->state[o].launch_blocks;
}

/* Gives a launch slots for its workers; false without memory. */
static bool plan_launch_take_slots(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    uint64_t resident = (uint64_t)s->gpu->sms * s->state[o].demand->max_blocks;
    uint32_t count = (uint32_t)min_u64(min_u64(s->state[o].launch_blocks, l->plan->jobs), resident), first = 0;
    size_t i = 0;
    while (i < s->slots.count && s->slots.at[i].first - first < count) {
        first = s->slots.at[i].first + s->slots.at[i].count;
        i++;
    }
    if (!vec_reserve(&s->slots, s->slots.count + 1) || !tournament_grow(&s->job_ends, (size_t)first + count) ||
        !vec_grow(&s->workers, &s->worker_cap, (size_t)first + count, sizeof *s->workers))
        return false;
    memmove(&s->slots.at[i + 1], &s->slots.at[i], (s->slots.count - i) * sizeof *s->slots.at);
    s->slots.at[i] = (sim_slots){first, count};
    s->slots.count++;
    l->slot_first = first;
    l->slot_cap = count;
    return true;
}

static void give_slots_back(sim *s, sim_launch *l)
{
    size_t i = 0;
    while (l->slot_cap && s->slots.at[i].first != l->slot_first)
        i++;
    if (l->slot_cap) {
        s->slots.count--;
        memmove(&s->slots.at[i], &s->slots.at[i + 1], (s->slots.count - i) * sizeof *s->slots.at);
    }
    l->slot_cap = l->slot_count = 0;
}

/* The position of the first job of this queue that no worker has taken, when all workers have ended. */
static uint32_t first_missing(const sim_launch *l, uint32_t queue)
{
    const gcast_plan *plan = l->plan;
    uint32_t first = l->first[queue], jobs = l->first[queue + 1] - first;
    if (l->mapping == GCAST_MAPPING_PERSISTENT || l->mapping == GCAST_MAPPING_QUEUES)
        return l->next[queue];
    uint32_t wanted = plan->workers[queue], came = min_u32(l->tickets[queue], wanted);
    if (l->mapping == GCAST_MAPPING_ONE_JOB)
        return first + min_u32(came, jobs);
    return wanted ? first + came * (jobs / wanted) + min_u32(came, jobs % wanted) : first;
}

/* All ends of the launch's workers are known. At the last one o is complete, or jobs are missing. */
static void plan_launch_ends(sim *s, uint32_t o)
{
    const sim_launch *l = s->host_ops[o].plan_launch;
    bool missing = false;
    for (uint32_t q = 0; q < l->queues && !missing; q++)
        missing = first_missing(l, q) < l->first[q + 1];
    if (!missing)
        s->ops[o].end_ns = s->state[o].last_end_ns;
    sim_push(s, &s->events, s->state[o].last_end_ns, missing ? EVENT_INCOMPLETE : EVENT_DONE, o);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Turns the launch into the repair: one queue, of the jobs that are missing. */
static void make_repair(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    uint32_t count = 0, *missing = malloc((size_t)l->plan->jobs * sizeof *missing);
    if (!missing) {
        sim_fail_memory(s);
        return;
    }
    for (uint32_t q = 0; q < l->queues; q++)
        for (uint32_t at = first_missing(l, q); at < l->first[q + 1]; at++)
            missing[count++] = l->job[at];
    qsort(missing, count, sizeof *missing, by_number);
    give_slots_back(s, l);
    l->is_repair = true;
    l->mapping = GCAST_MAPPING_PERSISTENT;
    l->steal = false;
    l->queues = 1;
    l->job = l->missing = missing;
    l->missing_first[1] = count;
    l->first = l->missing_first;
    l->next[0] = 0;
    s->state[o].dispatched = 0;
    s->ops[o].repaired = count;
}

void plan_launch_event(sim *s, uint32_t o, uint32_t kind)
{
    if (kind == EVENT_REPAIR) {
        sim_push(s, &s->repairs, (int64_t)s->ops[o].entry, 0, o);
        return;
    }
    int64_t arrival = sim_add_ns(s, o, s->now, s->gpu->launch_latency_ns);
    s->resident_grids--;
    make_repair(s, o);
    sim_push(s, &s->events, sim_add_ns(s, o, arrival, s->gpu->stream_gap_ns), EVENT_REPAIR, o);
}

void plan_launch_free(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!l)
        return;
    give_slots_back(s, l);
    free(l->next);
    free(l->tickets);
    free(l->missing);
    free(l);
    s->host_ops[o].plan_launch = NULL;
}

/* A worker of o ends at this time. Returns when it releases its resources. */
static int64_t end_worker(sim *s, uint32_t o, int64_t end)
{
    s->state[o].last_end_ns = max_i64(s->state[o].last_end_ns, end);
    return sim_add_ns(s, o, end, s->gpu->handover_ns);
}

/* Is no job of o that starts from now on recorded? */
static bool nothing_is_recorded(const sim *s, uint32_t o)
{
    return !s->ops[o].blocks && s->now >= s->window.end_ns;
}

static void record_job(sim *s, uint32_t o, uint32_t job, const sim_group *group, int64_t start, int64_t end)
{
    s->window.has_jobs = true;
    block_store(s, o, job, group_block(s, group, start, end));
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

/* When a worker ends `count` jobs of equal duration that it begins at `time`. */
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

/* The position of the first job of the worker with this ticket, which has one job or a segment; *end: behind its last
 * job. */
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

/* The next job of a worker on this SM; NONE: there is none. *queue: the queue of its last job, then of this one. */
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

/* Adds a worker that takes jobs of a queue, this job first; false without memory. */
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

/* Lists the workers of the launch that take further jobs, by queue, then by the time at which they are free; false
 * without memory. */
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

/* Ends all workers of o. No further worker comes to its queues, and all jobs take the same time, so the workers of a
 * queue take its jobs in turn, always in the same order. */
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

/* How many rounds of their own queues all listed workers can do before one finds its queue empty. */
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

/* Skips rounds of workers that steal: they take the jobs of their own queues in turn until one of these is empty. */
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

/* At the next end of a job, its worker takes another one, or ends. False: its launch has ended, too. */
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

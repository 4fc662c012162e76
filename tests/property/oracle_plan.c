/* "Policies" of docs/model.md: workers, their jobs, and the second launch. Independent of the simulator on purpose: a
 * worker looks for its next job among all jobs that nobody has taken. */
#include "property/oracle_state.h"

uint64_t oracle_launch_size(const oracle_state *o, const gcast_op *op)
{
    if (op->policy == GCAST_POLICY_HARDWARE)
        return op->blocks;
    return (uint64_t)o->gpu->sms * (op->fill ? op->fill : (uint64_t)oracle_fit_empty(o->gpu, op));
}

bool oracle_plan_init(oracle_state *o, oracle_op *x)
{
    uint64_t max_workers = 2 * x->launch_size; /* with those of the second launch */
    x->blocks = arena_alloc_array(o->memory, max_workers, sizeof *x->blocks);
    x->age = arena_alloc_array(o->memory, max_workers, sizeof *x->age);
    x->worker = arena_alloc_array(o->memory, max_workers, sizeof *x->worker);
    x->run.blocks = x->jobs = arena_alloc_array(o->memory, x->op->blocks, sizeof *x->jobs);
    for (uint64_t j = 0; x->jobs && j < x->op->blocks; j++)
        x->jobs[j].start_ns = -1;
    return x->blocks && x->age && x->worker && x->jobs;
}

static bool is_second_launch(const oracle_op *x)
{
    return x->launch_first > 0;
}

/* The first of the jobs from `first` to before `end` in the plan's list that nobody has taken; -1: none. */
static int64_t first_left(const oracle_op *x, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (x->jobs[x->op->plan->job[i]].start_ns < 0)
            return x->op->plan->job[i];
    return -1;
}

/* The jobs of a segment are behind those of the segments before it. */
static int64_t next_of_segment(const oracle_op *x, uint32_t sm, uint32_t ticket)
{
    const gcast_plan *p = x->op->plan;
    uint32_t at = p->first[sm], count = p->first[sm + 1] - at;
    for (uint32_t segment = 0; segment < p->workers[sm]; segment++) {
        uint32_t size = count / p->workers[sm];
        if (segment < count % p->workers[sm])
            size++;
        if (segment == ticket)
            return first_left(x, at, at + size);
        at += size;
    }
    return -1;
}

static int64_t next_of_queues(const oracle_op *x, uint32_t sm)
{
    const gcast_plan *p = x->op->plan;
    for (uint32_t k = 0; k < (p->steal ? p->sms : 1); k++) {
        uint32_t queue = (sm + k) % p->sms;
        int64_t job = first_left(x, p->first[queue], p->first[queue + 1]);
        if (job >= 0)
            return job;
    }
    return -1;
}

/* The next job of a worker; -1: there is none for it. */
static int64_t next_job(const oracle_op *x, uint64_t worker)
{
    const gcast_plan *p = x->op->plan;
    uint32_t sm = x->blocks[worker].sm, ticket = x->worker[worker].ticket;
    if (is_second_launch(x)) {
        for (uint32_t j = 0; j < p->jobs; j++)
            if (x->jobs[j].start_ns < 0)
                return j;
        return -1;
    }
    if (p->mapping == GCAST_MAPPING_PERSISTENT)
        return first_left(x, 0, p->jobs);
    if (ticket >= p->workers[sm])
        return -1;
    switch (p->mapping) {
    case GCAST_MAPPING_ONE_JOB:
        return p->first[sm] + ticket < p->first[sm + 1]
                   ? first_left(x, p->first[sm] + ticket, p->first[sm] + ticket + 1)
                   : -1;
    case GCAST_MAPPING_SEGMENTS:
        return next_of_segment(x, sm, ticket);
    default:
        return next_of_queues(x, sm);
    }
}

/* A worker is free now. */
static void take_job(oracle_state *o, oracle_op *x, uint64_t worker)
{
    gcast_block *w = &x->blocks[worker];
    int64_t job = next_job(x, worker);
    x->worker[worker].goes_on = job >= 0;
    if (job < 0)
        return;
    int64_t start = o->now + o->gpu->job_overhead_ns;
    w->end_ns = start + oracle_duration(o, x, (uint64_t)job);
    x->jobs[job] = (gcast_block){.start_ns = start, .end_ns = w->end_ns, .sm = w->sm, .quarter = w->quarter};
    x->run.repaired += is_second_launch(x);
}

void oracle_worker_starts(oracle_state *o, oracle_op *x)
{
    uint64_t worker = x->started - 1;
    uint32_t ticket = 0;
    x->run.workers = x->launch_size;
    for (uint64_t b = x->launch_first; b < worker; b++)
        ticket += x->blocks[b].sm == x->blocks[worker].sm;
    x->worker[worker].ticket = ticket;
    take_job(o, x, worker);
    if (x->worker[worker].goes_on)
        return;
    x->blocks[worker].end_ns = o->now + (o->gpu->retreat_ns > 0 ? o->gpu->retreat_ns : 1);
    x->run.retreated += !is_second_launch(x);
}

void oracle_workers(oracle_state *o)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        for (uint64_t b = 0; oracle_is_kernel(x) && oracle_has_plan(x) && b < x->started; b++)
            if (x->worker[b].goes_on && x->blocks[b].end_ns == o->now)
                take_job(o, x, b);
}

bool oracle_needs_repair(oracle_state *o, oracle_op *x)
{
    for (uint64_t j = 0; j < x->op->blocks; j++)
        if (x->jobs[j].start_ns < 0) {
            x->launch_first = x->started;
            x->repair_ns = o->now + o->gpu->launch_latency_ns + o->gpu->stream_gap_ns;
            return true;
        }
    return false;
}

void oracle_repairs(oracle_state *o)
{
    for (uint64_t entry = 0; entry < o->entries; entry++)
        for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
            if (x->repair_ns == o->now && x->run.entry == entry && x->run.enter_ns >= 0) {
                x->in_queue = true;
                x->queue_number = o->queue_entries++;
            }
}

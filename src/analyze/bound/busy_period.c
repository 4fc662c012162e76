/* Lemma 9 of docs/bound.md. The members of a busy period of k are the events of all streams that k can wait for in
 * queues. The busy period lies between two instants at which no member is on its way. A chain of members covers it,
 * each member once. The chain's waits for SMs and copy engines are bounded as in bound/response.c, but without members
 * from before the busy period. */
#include "analyze/bound/busy_period.h"

#include "analyze/bound/queue_wait.h"
#include "base/integers.h"
#include "model/gpu.h"

#define MAX_STEPS 64           /* intervals of k's call that are tried in a busy period of unknown phase */
#define MAX_WORK 400000        /* limit of (starts of busy periods in a hyperperiod) x ops x ops */
#define ALWAYS ((wide)1 << 80) /* as a number of events: some are always there */

/* Busy periods of k. Times count from their start. */
typedef struct busy_period {
    bound *b;
    const bound_op *k;
    int level;         /* members: events in streams of this level or above */
    bool has_all;      /* or all events */
    uint64_t engines;  /* copy engines that members need, a bit each */
    bool by_responses; /* other events interfere only within their response times; false: always */
    bool has_phase;    /* the nominal release of the call that starts it is known */
    wide release_ns;   /* that release */
    wide jitter_ns;    /* longest time from that release to the call */
} busy_period;

/* The chain of members that covers a busy period up to k. */
typedef struct busy_chain {
    wide length_ns;    /* duration without waits for engines */
    wide path_ns;      /* part of length_ns: k and the events that it waits for */
    wide tails_ns;     /* part of length_ns: last blocks */
    wide kernel_count; /* kernels on it */
    wide copy_count;   /* copies on it */
} busy_chain;

static bool is_member(const busy_period *p, const bound_op *op)
{
    return !op->never_called &&
           (p->has_all || level_of_priority(p->b->gpu, p->b->w->streams[op->op->stream].priority) <= p->level);
}

/* How many times offset + m x period, m an integer, are in [from, to]. */
static wide times_within(wide offset, wide period, wide from, wide to)
{
    return to < from ? 0 : wide_div_down(to - offset, period) - wide_div_down(from - 1 - offset, period);
}

/* Most events of a member that can be called in the first `length_ns`, the end included. */
static wide calls_within(const busy_period *p, const bound_op *op, wide length_ns)
{
    if (op->never_called || length_ns < 0)
        return 0;
    if (!p->has_phase)
        return op->period_ns ? wide_div(wide_add(length_ns, op->jitter_ns), op->period_ns) + 1 : 1;
    return times_within(op->earliest_release_ns, op->period_ns, p->release_ns - op->jitter_ns,
                        p->release_ns + p->jitter_ns + length_ns);
}

/* What an event adds to the chain without waits for engines: its latency, its last block, and the gap until the events
 * that wait for it go on. */
static wide length_of(const bound *b, const bound_op *op)
{
    int64_t after_ns = op->is_kernel ? b->after_end_ns : b->gpu->copy_gap_ns;
    return wide_add((wide)op->max_latency_ns + max_i64(b->gap_ns, after_ns), op->is_kernel ? op->max_ns : 0);
}

bool bound_busy_prepare(bound *b)
{
    b->once_length_ns = arena_alloc_array(b->memory, b->w->stream_count + 1, sizeof *b->once_length_ns);
    for (size_t n = 0; b->once_length_ns && n < b->op_count; n++) {
        const bound_op *op = &b->ops[n];
        wide *sum = &b->once_length_ns[op->op->stream];
        if (!op->period_ns && !op->never_called)
            *sum = wide_add(*sum, length_of(b, op));
    }
    return b->once_length_ns;
}

/* Does k's job surely call `other` after k, at the same release time? All ops of a job are late by the same time. */
static bool is_called_after(const bound *b, const bound_op *other, const bound_op *k)
{
    return !b->options->any_order && other->op->task != GCAST_ONCE && other->op->task == k->op->task &&
           other->index > k->index && other->op->release_ns == k->op->release_ns;
}

/* Most events of a member that are called before k, where k is called at `call_ns`. */
static wide calls_before(const busy_period *p, const bound_op *op, wide call_ns)
{
    return wide_max(calls_within(p, op, call_ns) - is_called_after(p->b, op, p->k), 0);
}

/* The chain of members called up to `call_ns`. `has_call`: k is called then. */
static busy_chain chain_of(const busy_period *p, wide call_ns, bool has_call)
{
    busy_chain c = {0};
    for (size_t n = 0; n < p->b->op_count; n++) {
        const bound_op *op = &p->b->ops[n];
        if (!is_member(p, op))
            continue;
        wide events = has_call ? calls_before(p, op, call_ns) : calls_within(p, op, call_ns);
        wide length_ns = wide_mul(events, length_of(p->b, op));
        c.length_ns = wide_add(c.length_ns, length_ns);
        c.tails_ns = wide_add(c.tails_ns, op->is_kernel ? wide_mul(events, op->hold_ns) : 0);
        c.path_ns = wide_add(c.path_ns, p->has_all || op->op->stream == p->k->op->stream ? length_ns : 0);
        c.kernel_count = wide_add(c.kernel_count, op->is_kernel ? events : 0);
        c.copy_count = wide_add(c.copy_count, op->is_kernel ? 0 : events);
    }
    return c;
}

/* Counts the events that can be on the GPU up to `end_ns`: members called since the start; others even if called before
 * it. Events that wait for k, called at `call_ns`, are not there; -1: k is not called. */
static void count_events(const busy_period *p, wide end_ns, wide call_ns)
{
    bound *b = p->b;
    int64_t after_ns = max_i64(b->after_end_ns, b->gpu->copy_gap_ns);
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *other = &b->ops[n];
        wide events, length_ns = wide_add(end_ns, wide_add(other->response_ns, after_ns));
        if (!is_member(p, other))
            events = !other->period_ns ? 1
                     : p->by_responses ? wide_div(wide_add(length_ns, other->jitter_ns), other->period_ns) + 1
                                       : ALWAYS;
        else if (call_ns >= 0 && bound_waits_for(other, p->k))
            events = calls_before(p, other, call_ns);
        else
            events = calls_within(p, other, end_ns);
        b->event_counts[n] = other->never_called ? 0 : events;
        b->until_ns[n] = WIDE_HUGE;
    }
    b->steps += b->op_count;
}

/* How long the chain waits for engines with b->event_counts events there. At least `least_ns` of its time is no wait:
 * what exceeds its length without last blocks is time of last blocks, which does not count again as a wait. */
static wide engine_waits(const busy_period *p, const busy_chain *c, wide least_ns)
{
    bound *b = p->b;
    bound_path chain = {
        .event_count = 1, .is_from_idle = true, .kernel_count = c->kernel_count, .lowest_level = p->level};
    chain.tails_ns = wide_max(least_ns - (c->length_ns - c->tails_ns), 0);
    wide wait_ns = c->kernel_count ? bound_queue_wait(b, p->k, &chain, false) : 0;
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *op = &b->ops[n];
        wide events = b->event_counts[n];
        if (op->is_kernel || !(p->engines >> op->copy_engine & 1))
            continue;
        if (!is_member(p, op) && !b->gpu->copy_channels) /* each copy of the chain waits for one of each stream */
            events = wide_min(events, c->copy_count);
        wait_ns = wide_add(wait_ns, wide_mul(events, (wide)op->max_ns + b->gpu->copy_gap_ns));
    }
    return wait_ns;
}

/* Latest end of k, called at `call_ns`, if the chain takes from `least_ns` to `length_ns` without waits for engines;
 * WIDE_HUGE: none was found. */
static wide end_of_call(const busy_period *p, const busy_chain *c, wide least_ns, wide length_ns, wide call_ns)
{
    bound *b = p->b;
    wide own_ns = p->k->is_kernel ? p->k->max_ns : 0, next; /* from its last start to its end */
    for (wide start_ns = call_ns; start_ns <= b->max_response_ns && bound_may_continue(b); start_ns = next) {
        count_events(p, start_ns, call_ns);
        next = wide_add(length_ns, engine_waits(p, c, least_ns)) - own_ns;
        if (next <= start_ns)
            return wide_add(next, own_ns);
    }
    return WIDE_HUGE;
}

/* An end relative to `from_ns`; WIDE_HUGE stays WIDE_HUGE. */
static wide end_from(wide end_ns, wide from_ns)
{
    return end_ns == WIDE_HUGE ? WIDE_HUGE : end_ns - from_ns;
}

/* The response of k, called between `first_ns` and `last_ns`: the smaller of two bounds. The chain takes as long as all
 * its events; or no longer than the time up to the call, and then as long as the events that k waits for. */
static wide response_of_call(const busy_period *p, wide first_ns, wide last_ns)
{
    busy_chain c = chain_of(p, last_ns, true);
    wide others_ns = c.length_ns - length_of(p->b, p->k), before_ns = wide_min(last_ns, others_ns);
    wide whole_ns = end_from(end_of_call(p, &c, c.length_ns, c.length_ns, last_ns), first_ns);
    wide length_ns = wide_add(c.path_ns, before_ns), least_ns = wide_add(c.path_ns, wide_min(first_ns, others_ns));
    if (length_ns >= c.length_ns)
        return whole_ns;
    return wide_min(whole_ns, end_from(end_of_call(p, &c, least_ns, length_ns, last_ns), before_ns));
}

/* The longest busy period from this start: it ends when all members called in it are over. WIDE_HUGE: it may never end,
 * or take longer than `max_ns`. */
static wide longest_period(const busy_period *p, wide max_ns)
{
    bound *b = p->b;
    wide next;
    for (wide length_ns = 1; length_ns <= max_ns && bound_may_continue(b); length_ns = next) {
        busy_chain c = chain_of(p, length_ns - 1, false);
        count_events(p, length_ns - 1, -1);
        next = wide_add(c.length_ns, engine_waits(p, &c, c.length_ns));
        if (next <= length_ns)
            return length_ns;
    }
    return WIDE_HUGE;
}

/* The first time after `call_ns` by which more members can have been called, whatever the phase. */
static wide next_call(const busy_period *p, wide call_ns)
{
    wide next = WIDE_HUGE;
    for (size_t n = 0; n < p->b->op_count; n++) {
        const bound_op *op = &p->b->ops[n];
        if (op->period_ns && !op->never_called && is_member(p, op))
            next = wide_min(next, wide_mul(calls_within(p, op, call_ns), op->period_ns) - op->jitter_ns);
    }
    return next;
}

static busy_period busy_period_of(bound *b, const bound_op *k, bool by_responses)
{
    busy_period p = {.b = b,
                     .k = k,
                     .by_responses = by_responses || b->gpu->copy_channels,
                     .level = level_of_priority(b->gpu, b->w->streams[k->op->stream].priority)};
    bool has_null = false, has_blocking = false;
    for (size_t n = 0; n < b->op_count; n++) {
        has_null = has_null || b->ops[n].is_null;
        has_blocking = has_blocking || (b->ops[n].is_blocking && !b->ops[n].is_null);
    }
    p.has_all = b->connections_shared || b->stream_group || (has_null && (has_blocking || b->null_connections_shared));
    for (size_t n = 0; n < b->op_count; n++) {
        const bound_op *op = &b->ops[n];
        if (p.has_all)
            p.level = max_int(p.level, level_of_priority(b->gpu, b->w->streams[op->op->stream].priority));
        if (!op->is_kernel && is_member(&p, op))
            p.engines |= UINT64_C(1) << op->copy_engine;
    }
    return p;
}

static wide response_in_any_phase(const busy_period *p)
{
    wide period_ns = longest_period(p, p->b->max_response_ns), response_ns = 0, step_ns = period_ns / MAX_STEPS;
    if (period_ns == WIDE_HUGE)
        return WIDE_HUGE;
    for (wide first_ns = 0, next_ns; first_ns < period_ns && response_ns < WIDE_HUGE; first_ns = next_ns) {
        next_ns = next_call(p, wide_max(first_ns, first_ns + step_ns - 1));
        response_ns = wide_max(response_ns, response_of_call(p, first_ns, wide_min(next_ns, period_ns) - 1));
    }
    return response_ns;
}

wide bound_busy_response(bound *b, bound_op *k, bool by_responses)
{
    busy_period p = busy_period_of(b, k, by_responses);
    if (by_responses)
        return response_in_any_phase(&p);
    if (!k->busy_ns)
        k->busy_ns = response_in_any_phase(&p);
    return k->busy_ns;
}

/* Busy periods of the members of `lowest` that begin with a call at `start_ns`. */
static busy_period busy_period_from(bound *b, const bound_op *lowest, int64_t start_ns)
{
    busy_period p = busy_period_of(b, lowest, false);
    p.has_phase = true;
    p.release_ns = start_ns;
    return p;
}

wide bound_busy_period_from(bound *b, const bound_op *lowest, int64_t start_ns, wide max_ns)
{
    busy_period p = busy_period_from(b, lowest, start_ns);
    return longest_period(&p, max_ns);
}

wide bound_busy_end_from(bound *b, const bound_op *lowest, int64_t start_ns, const bound_op *k, int64_t call_ns)
{
    busy_period p = busy_period_from(b, lowest, start_ns);
    p.k = k;
    return wide_add(call_ns, response_of_call(&p, call_ns, call_ns));
}

/* The hyperperiod of the members; 0: it is too long, starts too many busy periods, or some member is not periodic. */
static int64_t hyperperiod_of(const busy_period *p)
{
    int64_t hyperperiod_ns = 1, starts = 0;
    for (size_t n = 0; n < p->b->op_count; n++) {
        const bound_op *op = &p->b->ops[n];
        if (!is_member(p, op))
            continue;
        if (!op->period_ns || op->is_sporadic)
            return 0;
        if (!checked_mul(hyperperiod_ns, op->period_ns / common_divisor(hyperperiod_ns, op->period_ns),
                         &hyperperiod_ns))
            return 0;
    }
    for (size_t n = 0; n < p->b->op_count; n++)
        starts += is_member(p, &p->b->ops[n]) ? hyperperiod_ns / p->b->ops[n].period_ns : 0;
    return starts <= MAX_WORK / (int64_t)(p->b->op_count * p->b->op_count) ? hyperperiod_ns : 0;
}

/* Does an op before `n` start the same busy periods? */
static bool is_started_by_other(const busy_period *p, size_t n)
{
    const gcast_op *op = p->b->ops[n].op;
    for (size_t m = 0; m < n; m++) {
        const bound_op *other = &p->b->ops[m];
        if (op->task != GCAST_ONCE && other->op->task == op->task && other->op->release_ns == op->release_ns &&
            !other->never_called && is_member(p, other))
            return true;
    }
    return false;
}

/* The longest response of events of k in busy periods with this start. */
static wide response_from_start(const busy_period *p)
{
    const bound_op *k = p->k;
    wide period_ns = longest_period(p, p->b->max_response_ns), response_ns = 0;
    if (period_ns == WIDE_HUGE)
        return WIDE_HUGE;
    wide from_ns = p->release_ns - k->jitter_ns, to_ns = p->release_ns + p->jitter_ns + period_ns - 1;
    wide earlier = wide_div_down(from_ns - 1 - k->earliest_release_ns, k->period_ns); /* k's last job before from_ns */
    for (wide release_ns = k->earliest_release_ns + wide_mul(earlier + 1, k->period_ns);
         release_ns <= to_ns && response_ns < WIDE_HUGE; release_ns += k->period_ns) {
        wide first_ns = wide_max(release_ns - p->release_ns - p->jitter_ns, 0);
        wide last_ns = wide_max(release_ns + k->jitter_ns - p->release_ns, 0);
        response_ns = wide_max(response_ns, response_of_call(p, first_ns, last_ns));
    }
    return response_ns;
}

wide bound_busy_response_in_phase(bound *b, const bound_op *k)
{
    busy_period p = busy_period_of(b, k, true);
    int64_t hyperperiod_ns = hyperperiod_of(&p);
    wide response_ns = 0;
    if (!hyperperiod_ns)
        return WIDE_HUGE;
    p.has_phase = true;
    for (size_t n = 0; n < b->op_count && response_ns < WIDE_HUGE; n++) {
        const bound_op *op = &b->ops[n];
        if (op->never_called || !is_member(&p, op) || is_started_by_other(&p, n))
            continue;
        p.jitter_ns = op->jitter_ns;
        for (int64_t m = 0; m < hyperperiod_ns / op->period_ns; m++) {
            p.release_ns = op->earliest_release_ns + wide_mul(m, op->period_ns);
            response_ns = wide_max(response_ns, response_from_start(&p));
        }
    }
    return response_ns;
}

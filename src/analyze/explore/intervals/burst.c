/* If the EE has one queue and streams do not delay the jobs, work bounds a burst, as in Graham's bound for list
 * scheduling (docs/explore.md, lemma 8). From a job's entry until its last block starts, slots are idle only during
 * kernel switches. So this block starts no later than when all slots, evenly, have done what they hold at the entry,
 * the work of all jobs before it, and its own earlier blocks. */
#include "analyze/explore/intervals/burst.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/explore/intervals/slot_fill.h"
#include "analyze/explore/intervals/step.h"
#include "analyze/explore/problem.h"
#include "base/integers.h"

#define PART_OF_STATES 10 /* exploring a burst may take one part in so many of the allowed states */
#define MAX_OPEN_POWER 40 /* keeps estimates from overflowing */

typedef __int128 work_sum;

/* Time for which a job's blocks hold slots, all together. */
static work_sum work_of(const explore_problem *p, const explore_job *j, bool longest)
{
    if (!j->each_ns)
        return (work_sum)j->block_count * ((longest ? j->max_ns : j->min_ns) + p->handover_ns);
    work_sum sum = (work_sum)j->block_count * p->handover_ns;
    for (uint64_t b = 0; b < j->block_count; b++)
        sum += j->each_ns[b] + (longest ? j->extra_ns : 0);
    return sum;
}

/* The longest work of a job, plus the idle time of all slots in the switch after it. */
static work_sum work_with_switch(const explore_problem *p, const explore_job *j)
{
    return work_of(p, j, true) + (work_sum)p->slot_count[0] * p->switch_ns;
}

static int by_time(const void *a, const void *b)
{
    const ordered_time *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The first and the last possible place of a job's call in the order of all calls. */
static ordered_time first_call(const explore_problem *p, const explore_job *j)
{
    return (ordered_time){j->call_lo, p->options->any_order ? 0 : j->call_index};
}

static ordered_time last_call(const explore_job *j)
{
    return (ordered_time){j->call_hi, j->order_is_open ? EXPLORE_NONE : j->call_index};
}

/* About how many states the jobs from `begin` to before `end` would take: any subset of jobs that may be called
 * together may have started. `calls` has room for all these jobs. */
static uint64_t estimate_states(const explore_problem *p, uint32_t begin, uint32_t end, ordered_time *calls)
{
    uint64_t states = 0;
    uint32_t called = 0;
    for (uint32_t i = begin; i < end; i++)
        calls[i - begin] = last_call(&p->jobs[i]);
    qsort(calls, end - begin, sizeof *calls, by_time);
    for (uint32_t i = begin; i < end; i++) {
        ordered_time first = first_call(p, &p->jobs[i]);
        while (by_time(&calls[called], &first) < 0)
            called++;
        states += UINT64_C(1) << min_u32(i + 1 - begin - called, MAX_OPEN_POWER);
    }
    return states;
}

/* Are all jobs from `begin` to before `end` in different streams? */
static bool streams_differ(interval_search *q, uint32_t begin, uint32_t end)
{
    q->visit_count++;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t stream = q->problem->jobs[i].stream;
        if (stream == EXPLORE_NONE)
            continue;
        if (q->stream_visited[stream] == q->visit_count)
            return false;
        q->stream_visited[stream] = q->visit_count;
    }
    return true;
}

/* The end of the jobs from `begin` on of which each overlaps in its call with an earlier one. */
static uint32_t overlap_end(const explore_problem *p, uint32_t begin)
{
    ordered_time last = last_call(&p->jobs[begin]);
    uint32_t end = begin + 1;
    for (; end < p->job_count; end++) {
        ordered_time first = first_call(p, &p->jobs[end]), other = last_call(&p->jobs[end]);
        if (by_time(&last, &first) < 0)
            break;
        last = by_time(&last, &other) < 0 ? other : last;
    }
    return end;
}

bool interval_find_bursts(interval_search *q)
{
    explore_problem *p = q->problem;
    size_t places = (size_t)p->job_count + 1;
    ordered_time *calls = malloc(places * sizeof *calls);
    q->burst_end = arena_alloc_array(&p->memory, places, sizeof *q->burst_end);
    q->work_before = arena_alloc_array(&p->memory, places, sizeof *q->work_before);
    q->last_of_call = arena_alloc_array(&p->memory, places, sizeof *q->last_of_call);
    if (!calls || !q->burst_end || !q->work_before || !q->last_of_call) {
        free(calls);
        return false;
    }
    for (uint32_t i = 0; i < p->job_count; i++)
        q->work_before[i + 1] = q->work_before[i] + work_with_switch(p, &p->jobs[i]);
    bool may_bound = p->level_count == 1 && p->queue_count == 1 && !p->shares && !p->connections_shared;
    for (uint32_t begin = 0, end; begin < p->job_count && may_bound; begin = end) {
        end = overlap_end(p, begin);
        if (estimate_states(p, begin, end, calls) > explore_max_states(p) / PART_OF_STATES &&
            streams_differ(q, begin, end))
            q->burst_end[begin] = end;
    }
    free(calls);
    return true;
}

typedef struct burst {
    uint32_t begin;         /* its first job */
    uint32_t end;           /* behind its last job */
    const int64_t *lo;      /* the earliest times of the state before */
    const int64_t *hi;      /* the latest times of the state before */
    size_t slot_count;      /* number of the EE's slots */
    int64_t max_hold_ns;    /* the longest time that a block holds a slot */
    int64_t first_entry_lo; /* the earliest entry of any job */
    int64_t last_entry_lo;  /* not all jobs have entered before this time */
    int64_t last_entry_hi;  /* all jobs have entered by this time */
    work_sum min_work;      /* shortest work of all jobs */
    work_sum max_work;      /* longest work of all jobs, with a switch after each */
} burst;

/* The latest time of a slot if a job enters at `entry`, and all jobs before it no later. */
static int64_t slot_by(const interval_search *q, const burst *b, size_t slot, int64_t entry)
{
    int64_t moved = max_i64(0, entry - b->lo[q->layout.reference]);
    return max_i64(entry, min_i64(b->hi[slot], b->hi[q->layout.reference_slots + slot] + moved));
}

static work_sum slot_sum_by(const interval_search *q, const burst *b, int64_t entry)
{
    work_sum sum = 0;
    for (size_t i = 0; i < b->slot_count; i++)
        sum += slot_by(q, b, i, entry);
    return sum;
}

/* Latest end of job i if it is called at `call`, and all other jobs of the burst before `end` start before it. */
static int64_t end_by(const interval_search *q, const burst *b, uint32_t i, uint32_t end, int64_t call)
{
    const explore_problem *p = q->problem;
    const explore_job *j = &p->jobs[i];
    work_sum other_work = q->work_before[end] - q->work_before[b->begin] - work_with_switch(p, j);
    work_sum own = work_of(p, j, true) - (j->each_ns ? 0 : j->max_ns + p->handover_ns);
    work_sum held = slot_sum_by(q, b, call + j->latency_ns);
    return (int64_t)((held + other_work + own) / (work_sum)b->slot_count) + j->max_ns;
}

/* Earliest end of a job that is called at `call`: it starts before all others of the burst. */
static int64_t earliest_end(interval_search *q, const burst *b, const explore_job *j, int64_t call)
{
    slot_fill f = {.block_ns = j->min_ns,
                   .each_ns = j->each_ns,
                   .handover_ns = q->problem->handover_ns,
                   .ring = q->ring,
                   .cut_off = INT64_MAX,
                   .start_hi = INT64_MAX,
                   .block_count = j->block_count,
                   .last_start = max_i64(call + j->latency_ns, b->lo[q->layout.engine_ready])};
    memcpy(q->scratch[0], b->lo, b->slot_count * sizeof *b->lo);
    equal_fill(q->scratch[0], b->slot_count, &f);
    return f.last_end;
}

/* All jobs called no later than job i may start before it. Its response shrinks as its call moves later, until one more
 * job may be called before it, so only the calls of other jobs are tried. */
static job_outcome outcome_of(interval_search *q, const burst *b, uint32_t i)
{
    const explore_job *jobs = q->problem->jobs, *j = &jobs[i];
    job_outcome o = {.call_lo = j->call_lo, .max_entry_delay = j->latency_ns};
    for (uint32_t k = q->last_of_call[i - b->begin]; jobs[k].call_lo <= j->call_hi;) {
        int64_t call = jobs[k].call_lo;
        o.max_response = max_i64(o.max_response, end_by(q, b, i, k + 1, call) - call);
        o.end_hi = end_by(q, b, i, k + 1, j->call_hi);
        if (++k == b->end)
            break;
        k = q->last_of_call[k - b->begin];
    }
    o.end_lo = earliest_end(q, b, j, j->call_lo);
    o.min_response = earliest_end(q, b, j, j->call_hi) - j->call_hi;
    return o;
}

/* The earliest time of the slot at `place` after the burst: each slot behind it is held at most one block longer, and
 * the rest of the work fills up the slots. */
static int64_t slot_after_work(const interval_search *q, const burst *b, size_t place)
{
    work_sum left = b->min_work - (work_sum)(b->slot_count - 1 - place) * b->max_hold_ns;
    int64_t filled_to = 0;
    for (size_t n = 1; n <= b->slot_count && left > 0; n++) {
        int64_t level = max_i64(max_i64(b->lo[n - 1], b->first_entry_lo), b->lo[q->layout.engine_ready]);
        work_sum fits = left;
        if (n < b->slot_count)
            fits = (work_sum)n * (max_i64(max_i64(b->lo[n], b->first_entry_lo), level) - level);
        work_sum put = fits < left ? fits : left;
        filled_to = level + (int64_t)((put + (work_sum)n - 1) / (work_sum)n);
        left -= put;
    }
    return max_i64(filled_to, b->lo[place]);
}

/* Sets the times of the successor n, in which all jobs of the burst have started. */
static void set_times(const interval_search *q, const burst *b, interval_state *n)
{
    const interval_layout *at = &q->layout;
    int64_t *lo = interval_lo(q, n), *hi = interval_hi(q, n);
    work_sum max_sum = slot_sum_by(q, b, b->last_entry_hi) + b->max_work;
    work_sum max_reference_sum = slot_sum_by(q, b, b->last_entry_lo) + b->max_work;
    work_sum slots = (work_sum)b->slot_count;
    for (size_t i = 0; i < b->slot_count; i++) {
        work_sum longer = (work_sum)i * b->max_hold_ns;
        lo[i] = slot_after_work(q, b, i);
        hi[at->reference_slots + i] =
            max_i64(slot_by(q, b, i, b->last_entry_lo), (int64_t)((max_reference_sum + longer) / slots));
        hi[i] = max_i64(max_i64(b->hi[i], b->last_entry_hi), (int64_t)((max_sum + longer) / slots));
    }
    lo[at->engine_ready] = max_i64(b->last_entry_lo, b->lo[at->engine_ready]);
    hi[at->engine_ready] = (int64_t)(max_sum / slots);
    hi[at->reference_slots + at->engine_ready] = (int64_t)(max_reference_sum / slots);
    hi[at->max_slot_sum] = (int64_t)max_sum;
    hi[at->max_reference_sum] = (int64_t)max_reference_sum;
    hi[at->max_slot_spread] = max_i64(b->max_hold_ns, b->hi[at->max_slot_spread]);
    lo[at->min_slot_sum] += (int64_t)b->min_work;
    lo[at->entry] = b->last_entry_lo;
    lo[at->entry_index] = 0;
    lo[at->reference] = b->last_entry_lo;
    lo[at->newest_job_lo] = hi[at->newest_job_hi] = 0;
    lo[at->last_start] = b->last_entry_lo;
}

/* Do all jobs of the burst enter when they arrive, so that no stream or event holds one? */
static bool all_enter_on_arrival(const interval_search *q, const burst *b)
{
    for (uint32_t i = b->begin; i < b->end; i++) {
        const explore_job *j = &q->problem->jobs[i];
        if (j->after_count ||
            (j->stream != EXPLORE_NONE &&
             b->hi[q->layout.stream_complete + j->stream] + q->problem->stream_gap_ns > j->call_lo + j->latency_ns))
            return false;
    }
    return true;
}

/* Sums over the jobs of the burst. False: some job has been dispatched, so they are explored. */
static bool add_jobs(const explore_problem *p, const interval_state *s, burst *b)
{
    b->first_entry_lo = INT64_MAX;
    for (uint32_t i = b->begin; i < b->end; i++) {
        const explore_job *j = &p->jobs[i];
        if (interval_is_dispatched(s, i))
            return false;
        b->first_entry_lo = min_i64(b->first_entry_lo, j->call_lo + j->latency_ns);
        b->last_entry_lo = max_i64(b->last_entry_lo, j->call_lo + j->latency_ns);
        b->last_entry_hi = max_i64(b->last_entry_hi, j->call_hi + j->latency_ns);
        b->max_hold_ns = max_i64(b->max_hold_ns, j->max_ns + p->handover_ns);
        b->min_work += work_of(p, j, false);
        b->max_work += work_with_switch(p, j);
    }
    return true;
}

bool interval_bound_burst(interval_search *q, interval_state *s)
{
    explore_problem *p = q->problem;
    interval_state *n = q->successor;
    burst b = {.begin = s->first_left, .end = q->burst_end[s->first_left], .slot_count = p->slot_count[0]};
    b.lo = interval_lo(q, s);
    b.hi = interval_hi(q, s);
    if (!b.end || !add_jobs(p, s, &b) || !all_enter_on_arrival(q, &b))
        return false;
    memcpy(n, s, q->state_bytes);
    set_times(q, &b, n);
    for (uint32_t i = b.end; i-- > b.begin;) {
        bool has_next = i + 1 < b.end && p->jobs[i + 1].call_lo == p->jobs[i].call_lo;
        q->last_of_call[i - b.begin] = has_next ? q->last_of_call[i + 1 - b.begin] : i;
    }
    for (uint32_t i = b.begin; i < b.end; i++) {
        if (p->is_large && !explore_in_time(p))
            return true;
        job_outcome o = outcome_of(q, &b, i);
        n->progress++;
        interval_dispatched(q, n, i, &o);
    }
    interval_forget_past(q, n);
    p->has_bounded_burst = true;
    return true;
}

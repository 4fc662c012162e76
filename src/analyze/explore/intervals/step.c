/* The blocks of a choice take the slots that come free first, once with everything as early as possible and once as
 * late. For a given order of jobs, times grow with every duration, entry, slot and further block, so all executions lie
 * between the two (docs/explore.md, lemma 3). */
#include "analyze/explore/intervals/step.h"

#include <string.h>

#include "analyze/explore/explore_jobs.h"
#include "analyze/explore/intervals/interval_state.h"
#include "analyze/explore/intervals/slot_fill.h"
#include "analyze/explore/problem.h"
#include "base/integers.h"

/* The blocks of a choice that start in one step. */
typedef struct block_start {
    const explore_job *job;        /* its job */
    const interval_choice *choice; /* the choice */
    int64_t *lo;                   /* earliest times of the successor */
    int64_t *hi;                   /* latest times of the successor */
    size_t first_slot;             /* first slot of its engine */
    size_t slot_count;             /* number of slots of its engine */
    uint64_t started_min;          /* fewest blocks that started in earlier steps */
    uint64_t started_max;          /* most blocks that started in earlier steps */
    uint64_t count_min;            /* fewest blocks that start now, after started_max blocks */
    uint64_t count_max;            /* most blocks that start now, after started_min blocks */
    uint64_t count_certain;        /* with a cut: blocks that start now in every execution */
    int64_t max_slot_sum;          /* largest sum of the EE's slots afterwards */
    job_outcome outcome;           /* what is known of the job afterwards */
} block_start;

static void fill_slots(int64_t *slots, size_t count, slot_fill *f)
{
    if (f->by_shares)
        share_fill(slots, count, f);
    else
        equal_fill(slots, count, f);
}

/* For a kernel with durations by block: the number of blocks at the front, and at the back, that may or may not start
 * in this step. */
static uint64_t open_count(const block_start *b)
{
    return b->job->each_ns && b->choice->cut_part ? b->started_max - b->started_min : 0;
}

/* The blocks that start from `start` on, as late or as early as possible. Late: all blocks that may be among them.
 * Early: only blocks that always are, or one of the shortest if these are unknown. Further blocks before and behind
 * those that start only make everything later. */
static slot_fill fill_from(const interval_search *q, const block_start *b, bool late, int64_t start)
{
    const explore_problem *p = q->problem;
    const explore_job *j = b->job;
    uint64_t started = late ? b->started_min : b->started_max, open = open_count(b);
    slot_fill f = {.block_ns = late ? j->max_ns : j->min_ns,
                   .each_ns = j->each_ns ? j->each_ns + started : NULL,
                   .extra_ns = late ? j->extra_ns : 0,
                   .by_shares = p->shares && !j->engine,
                   .wait_slot = late ? j->share.late_slot : j->share.early_slot - p->first_early_slot,
                   .take = late ? j->share.late_take : j->share.early_take,
                   .first_start_hi = late ? b->choice->start_hi : INT64_MAX,
                   .handover_ns = j->engine ? p->copy_gap_ns : p->handover_ns,
                   .last_start = start,
                   .cut_off = INT64_MAX,
                   .start_hi = late ? b->choice->last_start_hi : INT64_MAX,
                   .ring = q->ring,
                   .runs = q->runs,
                   .block_count = late ? min_u64(b->count_max + open, j->block_count - started) : b->count_min - open};
    if (!late && b->count_min <= open) {
        f.each_ns = NULL;
        f.block_count = 1;
    }
    return f;
}

/* Limits the EE's last start and end to those of an even spread of all started work over its slots. `sum` is the
 * largest sum of the slots before; returns the largest sum after. */
static int64_t bound_by_sum(const interval_search *q, const block_start *b, slot_fill *f, int64_t sum)
{
    int64_t start = (sum + slots_work(f, f->block_count - 1)) / (int64_t)b->slot_count;
    f->last_start = min_i64(f->last_start, start);
    f->last_end = min_i64(f->last_end, start + b->job->max_ns);
    return sum + slots_work(f, f->block_count) + (int64_t)b->slot_count * q->problem->switch_ns;
}

/* Has the job entered after all jobs that its engine started before? */
static bool entered_last(const interval_search *q, const block_start *b)
{
    return (b->job->engine ? !q->problem->copies_may_pass : !b->job->queue) && !b->choice->is_resumed;
}

/* Fills slots and engine for a last entry at the reference, which moves up to this job's earliest entry. */
static slot_fill fill_reference(interval_search *q, block_start *b)
{
    const explore_problem *p = q->problem;
    const interval_layout *at = &q->layout;
    size_t engine = b->job->engine, ready = at->engine_ready + engine;
    int64_t *reference = &b->lo[at->reference + engine], *max_sum = &b->hi[at->max_reference_sum];
    int64_t moved = b->choice->is_resumed ? 0 : max_i64(0, b->choice->entry_lo - *reference);
    int64_t *slots = b->hi + at->reference_slots + b->first_slot;
    int64_t entry = min_i64(b->choice->entry_hi, *reference += moved);
    int64_t start = max_i64(entry, min_i64(b->hi[ready], b->hi[at->reference_slots + ready] + moved));
    for (size_t i = 0; i < b->slot_count; i++)
        slots[i] = min_i64(b->hi[b->first_slot + i], slots[i] + moved);
    int64_t sum = min_i64(b->hi[at->max_slot_sum], *max_sum + (int64_t)b->slot_count * moved);
    if (!p->shares)
        sum = min_i64(sum + slots_idle_sum(b->lo + b->first_slot, b->slot_count, entry),
                      slots_sum(slots, b->slot_count, start));
    slot_fill f = fill_from(q, b, true, start);
    fill_slots(slots, b->slot_count, &f);
    if (!engine && !p->shares)
        *max_sum = bound_by_sum(q, b, &f, sum);
    b->lo[at->newest_job_lo + engine] = b->hi[at->newest_job_hi + engine] = entered_last(q, b) ? b->choice->job + 1 : 0;
    return f;
}

/* A response is bounded for one call at a time (lemma 5). It shrinks when the call moves later and nothing else does,
 * so the largest response is at the earliest call, and the smallest at the latest. What else moves with the call is
 * known in two cases: a job in its engine's highest queue entered after all that the engine started before; and a job
 * right behind another operation of the same task job was called a fixed time after that one. */

/* The call of the job's predecessor, an operation of the same task job, if the job is called at `call`. */
static int64_t predecessor_call(const interval_search *q, const block_start *b, int64_t call)
{
    return call - b->job->call_lo + q->problem->jobs[b->job->predecessor].call_lo;
}

/* When the stream no longer delays the job, called at `call`: at the earliest with times = lo, at the latest with times
 * = hi. The stream's last job ends at `complete` by its interval; its response, at index `response` of the times,
 * bounds that end, too. */
static int64_t leaves_stream(const interval_search *q, const block_start *b, int64_t call, int64_t complete,
                             size_t response, const int64_t *times)
{
    if (!b->job->continues_job)
        return complete + q->problem->stream_gap_ns;
    int64_t by_response = predecessor_call(q, b, call) + times[response];
    return (times == b->hi ? min_i64(complete, by_response) : max_i64(complete, by_response)) +
           q->problem->stream_gap_ns;
}

/* Longest time from the reference to the last entry if the job is called at `call`; EXPLORE_MAX_TIME: unknown. */
static int64_t after_reference(const interval_search *q, const block_start *b, int64_t call)
{
    size_t engine = b->job->engine;
    if (!b->job->continues_job || b->lo[q->layout.newest_job_lo + engine] != (int64_t)b->job->predecessor + 1 ||
        b->hi[q->layout.newest_job_hi + engine] != (int64_t)b->job->predecessor + 1)
        return EXPLORE_MAX_TIME;
    int64_t entry = predecessor_call(q, b, call) + b->hi[q->layout.stream_entry_delay + b->job->stream];
    return max_i64(0, entry - b->lo[q->layout.reference + engine]);
}

/* The largest response: the job is called as early as possible, and all else is late. */
static void set_max_response(interval_search *q, block_start *b)
{
    const interval_choice *c = b->choice;
    const interval_layout *at = &q->layout;
    const explore_job *j = b->job;
    size_t ready = at->engine_ready + j->engine;
    int64_t call = c->enters_on_arrival ? c->entry_lo - j->latency_ns : c->call_lo, *slots = q->scratch[0];
    int64_t entry = call + j->latency_ns, moved = after_reference(q, b, call);
    if (c->stream_holds) {
        int64_t left = leaves_stream(q, b, call, c->complete_hi, at->stream_max_response + j->stream, b->hi);
        entry = max_i64(entry, left + (j->engine ? 0 : q->problem->max_turn_wait_ns));
    }
    if (c->events_hold) {
        int64_t seen = interval_events_seen_hi(q, j, call, b->hi);
        entry = max_i64(entry, seen + (j->engine ? 0 : q->problem->max_turn_wait_ns));
    }
    entry = min_i64(max_i64(entry, c->held_until), c->entry_hi);
    int64_t start = max_i64(entry, min_i64(b->hi[ready], b->hi[at->reference_slots + ready] + moved));
    for (size_t i = 0; i < b->slot_count; i++)
        slots[i] = min_i64(b->hi[b->first_slot + i], b->hi[at->reference_slots + b->first_slot + i] + moved);
    slot_fill f = fill_from(q, b, true, start);
    fill_slots(slots, b->slot_count, &f);
    b->outcome.max_response = f.last_end - call;
    b->outcome.max_entry_delay = entry - call;
}

/* By shares only the last slots have earliest times. */
static void fill_early_slots(const interval_search *q, int64_t *slots, const block_start *b, slot_fill *f)
{
    size_t first = f->by_shares ? q->problem->first_early_slot : 0;
    fill_slots(slots + first, b->slot_count - first, f);
}

/* The smallest response: the job is called as late as possible, and all else is early. */
static int64_t min_response(interval_search *q, const block_start *b)
{
    const interval_choice *c = b->choice;
    const explore_job *j = b->job;
    int64_t call = min_i64(c->call_hi, c->entry_hi - j->latency_ns);
    int64_t start = max_i64(max_i64(call + j->latency_ns, c->start_lo), b->lo[q->layout.engine_ready + j->engine]);
    if (j->stream != EXPLORE_NONE)
        start =
            max_i64(start, leaves_stream(q, b, call, c->complete_lo, q->layout.stream_min_response + j->stream, b->lo));
    start = max_i64(start, interval_events_seen_lo(q, j, call, b->lo));
    slot_fill f = fill_from(q, b, false, start);
    memcpy(q->scratch[0], b->lo + b->first_slot, b->slot_count * sizeof *b->lo);
    fill_early_slots(q, q->scratch[0], b, &f);
    return f.last_end - call;
}

/* The latest or the earliest time from which on blocks start. */
static int64_t start_from(const interval_search *q, const block_start *b, bool late)
{
    size_t ready = q->layout.engine_ready + b->job->engine;
    return late ? max_i64(b->choice->entry_hi, b->hi[ready]) : max_i64(b->choice->start_lo, b->lo[ready]);
}

/* Starts the blocks with everything as late as possible. The slots go to scratch[1]. */
static slot_fill fill_late(interval_search *q, block_start *b)
{
    int64_t start = start_from(q, b, true), *slots = q->scratch[1], *max_sum = &b->hi[q->layout.max_slot_sum];
    slot_fill f = fill_from(q, b, true, start);
    memcpy(slots, b->hi + b->first_slot, b->slot_count * sizeof *slots);
    b->max_slot_sum = *max_sum;
    if (q->problem->shares || b->job->engine) {
        fill_slots(slots, b->slot_count, &f);
        return f;
    }
    int64_t idle = slots_idle_sum(b->lo + b->first_slot, b->slot_count, b->choice->entry_hi);
    int64_t sum = min_i64(*max_sum + idle, slots_sum(slots, b->slot_count, start));
    fill_slots(slots, b->slot_count, &f);
    b->max_slot_sum = bound_by_sum(q, b, &f, sum);
    return f;
}

/* Starts the blocks with everything as early as possible. */
static slot_fill fill_early(interval_search *q, block_start *b)
{
    int64_t start = start_from(q, b, false), *min_sum = &b->lo[q->layout.min_slot_sum];
    slot_fill f = fill_from(q, b, false, start);
    if (!b->job->engine && !q->problem->shares)
        *min_sum = max_i64(*min_sum, slots_sum(b->lo, b->slot_count, start)) + slots_work(&f, f.block_count);
    fill_early_slots(q, b->lo + b->first_slot, b, &f);
    return f;
}

/* How many blocks start up to `until` with everything late or early; the first one always counts. */
static uint64_t count_until(interval_search *q, const block_start *b, bool late, int64_t until)
{
    const int64_t *slots = (late ? b->hi : b->lo) + b->first_slot;
    slot_fill f = fill_from(q, b, late, start_from(q, b, late));
    f.cut_off = until;
    f.start_hi = INT64_MAX;
    f.block_count = b->job->block_count - (late ? b->started_min : b->started_max);
    memcpy(q->scratch[0], slots, b->slot_count * sizeof *slots);
    if (late)
        fill_slots(q->scratch[0], b->slot_count, &f);
    else
        fill_early_slots(q, q->scratch[0], b, &f);
    return f.block_count;
}

/* Sets the counts of blocks that start in this step. False: no execution has this choice. */
static bool count_blocks(interval_search *q, block_start *b)
{
    uint64_t left_max = b->job->block_count - b->started_min, left_min = b->job->block_count - b->started_max;
    const interval_choice *c = b->choice;
    b->count_max = left_max;
    b->count_min = left_min;
    if (!c->cut_part)
        return c->last_start_hi == INT64_MAX || count_until(q, b, false, c->last_start_hi) == left_min;
    uint64_t certain = count_until(q, b, true, c->undisturbed_until), open = open_count(b);
    uint64_t possible = count_until(q, b, false, c->last_start_hi);
    certain = certain > open ? certain - open : 1;
    if (possible == left_min || possible + open >= left_max)
        possible = left_max - 1; /* all but one, even if only started_min blocks have started before */
    else
        possible += open;
    uint64_t numbers = possible - certain + 1, parts = min_u64(numbers, INTERVAL_CUT_PARTS);
    if (certain > possible || c->cut_part > parts)
        return false;
    b->count_certain = certain + numbers * (c->cut_part - 1) / parts;
    b->count_max = certain + numbers * c->cut_part / parts - 1;
    b->count_min = max_u64(1, b->count_certain < left_min ? b->count_certain : left_min - 1);
    return true;
}

/* Sets the successor's other times than slots: when the engine is ready, and when higher levels enter. */
static void set_times(const interval_search *q, block_start *b, const slot_fill *early, const slot_fill *late,
                      const slot_fill *reference)
{
    const interval_layout *at = &q->layout;
    const explore_job *j = b->job;
    size_t ready = at->engine_ready + j->engine;
    int64_t switch_ns = j->engine || b->choice->cut_part ? 0 : q->problem->switch_ns;
    int64_t passed = max_i64(0, early->last_start + switch_ns - b->hi[ready]);
    if (!j->engine) {
        int64_t *spread = &b->hi[at->max_slot_spread];
        b->hi[at->max_slot_sum] = b->max_slot_sum;
        *spread = max_i64(max_i64(0, j->max_ns + q->problem->handover_ns - switch_ns), *spread - passed);
    }
    for (size_t l = 0; l < j->queue && !j->engine; l++) /* A2: no job of these levels had entered */
        if (b->lo[at->entry + l] <= early->last_start) {
            b->lo[at->entry + l] = early->last_start + 1;
            b->lo[at->entry_index + l] = 0;
        }
    b->lo[ready] = early->last_start + switch_ns;
    b->hi[ready] = late->last_start + switch_ns;
    b->hi[at->reference_slots + ready] = reference->last_start + switch_ns;
}

/* Sets the times of the successor, and the outcome. False: no execution has this choice. */
static bool start_blocks(interval_search *q, block_start *b)
{
    size_t ready = q->layout.engine_ready + b->job->engine;
    const interval_choice *c = b->choice;
    /* It starts by start_hi, so a slot and the engine are free by then. By shares it may start before the slot is free
     * that it waits for at the latest. */
    if (!q->problem->shares || b->job->engine)
        b->hi[b->first_slot] = min_i64(b->hi[b->first_slot], c->start_hi);
    b->hi[ready] = min_i64(b->hi[ready], c->start_hi);
    if (!count_blocks(q, b))
        return false;
    slot_fill late = fill_late(q, b);
    if (!c->is_resumed) {
        b->outcome.min_response = min_response(q, b);
        set_max_response(q, b);
    }
    slot_fill reference = fill_reference(q, b);
    if (entered_last(q, b) && c->enters_on_arrival) {
        int64_t entry = b->lo[q->layout.reference + b->job->engine];
        b->outcome.max_response = reference.last_end - (entry - b->job->latency_ns);
    }
    slot_fill early = fill_early(q, b);
    memcpy(b->hi + b->first_slot, q->scratch[1], b->slot_count * sizeof *b->hi);
    b->outcome.end_lo = early.last_end;
    b->outcome.end_hi = late.last_end;
    set_times(q, b, &early, &late, &reference);
    return true;
}

void interval_forget_past(const interval_search *q, interval_state *n)
{
    const explore_problem *p = q->problem;
    const interval_layout *at = &q->layout;
    int64_t *lo = interval_lo(q, n), *hi = interval_hi(q, n), *reference = hi + at->reference_slots;
    int64_t past = lo[at->last_start] - 1, idle = p->shares ? 0 : slots_idle_sum(lo, p->slot_count[0], past);
    hi[at->max_slot_sum] += idle;
    hi[at->max_reference_sum] += idle;
    for (size_t e = 0; e < p->engine_count; e++) {
        size_t ready = at->engine_ready + e;
        lo[ready] = max_i64(lo[ready], past);
        hi[ready] = max_i64(hi[ready], past);
        reference[ready] = max_i64(reference[ready], past);
        for (size_t i = p->first_slot[e]; i < p->first_slot[e] + p->slot_count[e]; i++) {
            lo[i] = max_i64(lo[i], lo[ready]);
            hi[i] = max_i64(hi[i], hi[ready]);
            reference[i] = max_i64(reference[i], reference[ready]);
        }
    }
}

/* Keeps the outcome of a stream's last job, unless no job of the stream is left. Its end matters only from the arrival
 * of the next job on. */
static void complete_stream(const interval_search *q, interval_state *n, uint32_t stream, const job_outcome *o)
{
    const explore_problem *p = q->problem;
    const interval_layout *at = &q->layout;
    int64_t *lo = interval_lo(q, n), *hi = interval_hi(q, n), arrival = INT64_MAX;
    const explore_stream *all = &p->streams[stream];
    for (uint32_t i = explore_stream_find(all, n->first_left); i < all->job_count; i++) {
        const explore_job *j = &p->jobs[all->jobs[i]];
        if (j->call_lo + p->min_latency_ns >= arrival)
            break;
        if (!interval_is_dispatched(n, all->jobs[i]))
            arrival = min_i64(arrival, j->call_lo + j->latency_ns);
    }
    bool is_empty = arrival == INT64_MAX;
    lo[at->stream_complete + stream] = is_empty ? 0 : max_i64(o->end_lo, arrival - p->stream_gap_ns);
    hi[at->stream_complete + stream] = is_empty ? 0 : max_i64(o->end_hi, arrival - p->stream_gap_ns);
    hi[at->stream_max_response + stream] = is_empty ? 0 : o->max_response;
    hi[at->stream_entry_delay + stream] = is_empty ? 0 : o->max_entry_delay;
    lo[at->stream_min_response + stream] = is_empty ? 0 : o->min_response;
    lo[at->stream_call + stream] = is_empty ? 0 : o->call_lo;
}

void interval_dispatched(interval_search *q, interval_state *n, uint32_t job, const job_outcome *o)
{
    explore_problem *p = q->problem;
    explore_add_result(p, job, o->min_response, o->max_response, o->end_hi);
    n->words[job / 64] |= UINT64_C(1) << (job % 64);
    while (n->first_left < p->job_count && interval_is_dispatched(n, n->first_left))
        n->first_left++;
    if (p->jobs[job].stream != EXPLORE_NONE)
        complete_stream(q, n, p->jobs[job].stream, o);
    interval_note_events(q, n, job, o);
}

/* Completes the outcome of a resumed job by its earlier blocks. */
static void add_partial(const interval_search *q, block_start *b)
{
    const interval_layout *at = &q->layout;
    size_t level = b->job->queue;
    job_outcome *o = &b->outcome;
    o->min_response = max_i64(b->lo[at->partial_min_response + level], o->end_lo - b->job->call_hi);
    o->max_response = max_i64(b->hi[at->partial_max_response + level], o->end_hi - b->job->call_lo);
    o->max_entry_delay = o->max_response;
    o->end_lo = max_i64(o->end_lo, b->lo[at->partial_end + level]);
    o->end_hi = max_i64(o->end_hi, b->hi[at->partial_end + level]);
}

/* Keeps the partial job of a level, unless the job was not cut off. */
static void set_partial(const interval_search *q, interval_state *n, const block_start *b)
{
    const interval_layout *at = &q->layout;
    size_t level = b->job->queue;
    uint64_t *partial = interval_partial(q, n, level);
    uint64_t started_max = min_u64(b->started_max + b->count_max, b->job->block_count - 1);
    bool is_cut = b->choice->cut_part > 0;
    partial[0] = is_cut ? b->choice->job : EXPLORE_NONE;
    partial[1] = is_cut;
    b->lo[at->partial_started + level] = is_cut ? (int64_t)(b->started_min + b->count_certain) : 0;
    b->hi[at->partial_started + level] = is_cut ? (int64_t)started_max : 0;
    b->lo[at->partial_end + level] = is_cut ? b->outcome.end_lo : 0;
    b->hi[at->partial_end + level] = is_cut ? b->outcome.end_hi : 0;
    b->lo[at->partial_min_response + level] = is_cut ? b->outcome.min_response : 0;
    b->hi[at->partial_max_response + level] = is_cut ? b->outcome.max_response : 0;
}

/* Partial jobs may resume once a job of a higher level is fully dispatched. Every step must add to the progress, so a
 * fully dispatched job counts more than all partial jobs together. */
static void add_progress(const interval_search *q, interval_state *n, const block_start *b)
{
    size_t partial_count = q->problem->partial_count;
    if (b->choice->cut_part) {
        n->progress++;
        return;
    }
    n->progress += partial_count + 1;
    for (size_t l = b->job->queue + 1; l < partial_count && !b->job->engine; l++) {
        n->progress -= interval_partial(q, n, l)[1];
        interval_partial(q, n, l)[1] = 0;
    }
}

bool interval_step(interval_search *q, interval_state *s, const interval_choice *c)
{
    const explore_problem *p = q->problem;
    const interval_layout *at = &q->layout;
    interval_state *n = q->successor;
    const explore_job *j = &p->jobs[c->job];
    memcpy(n, s, q->state_bytes);
    block_start b = {.job = j,
                     .choice = c,
                     .lo = interval_lo(q, n),
                     .hi = interval_hi(q, n),
                     .first_slot = p->first_slot[j->engine],
                     .slot_count = p->slot_count[j->engine],
                     .outcome = {.call_lo = c->call_lo}};
    if (c->is_resumed) {
        b.started_min = (uint64_t)b.lo[at->partial_started + j->queue];
        b.started_max = (uint64_t)b.hi[at->partial_started + j->queue];
    }
    if (!start_blocks(q, &b))
        return false;
    add_progress(q, n, &b);
    if (!c->is_resumed) {
        b.lo[at->entry + j->queue] = c->entry_lo;
        b.lo[at->entry_index + j->queue] = c->enters_on_arrival && !j->order_is_open ? j->call_index : 0;
    }
    b.lo[at->last_start] = max_i64(b.lo[at->last_start], c->start_lo);
    if (c->is_resumed)
        add_partial(q, &b);
    if (p->partial_count && !j->engine)
        set_partial(q, n, &b);
    interval_forget_past(q, n);
    if (!c->cut_part)
        interval_dispatched(q, n, c->job, &b.outcome);
    return true;
}

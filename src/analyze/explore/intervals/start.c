/* The blocks of a choice take the slots that come free first, once with everything as early as it can be and once as
 * late. For a given order of jobs, times grow with every duration, entry, slot and further block, so that all
 * executions lie between the two (docs/explore.md, lemma 3).
 *
 * A response is bounded for one call at a time (lemma 5). It shrinks when the call moves later and nothing else does,
 * so the largest response is at the earliest call, and the smallest at the latest. It is known what else moves with the
 * call in two cases. A job in its engine's highest queue entered after all that the engine started before. And a job
 * that is right behind another operation of the same job of its task was called a fixed time after that one. */
#include "analyze/explore/intervals/start.h"

#include <string.h>

#include "analyze/explore/intervals/events.h"
#include "analyze/explore/intervals/slots/equal_fill.h"
#include "analyze/explore/intervals/slots/share_fill.h"
#include "analyze/explore/intervals/slots/sum.h"
#include "base/minmax.h"

static void fill_slots(int64_t *slots, size_t count, slot_fill *f)
{
    if (f->by_shares)
        share_fill(slots, count, f);
    else
        equal_fill(slots, count, f);
}

/* Of a kernel that lists its blocks: the number of blocks at the front, and at the back, of which it is not known
 * whether they are among those that start in this step. */
static uint64_t open_count(const block_start *b)
{
    return b->job->each_ns && b->choice->cut_part ? b->started_max - b->started_min : 0;
}

/* Blocks that start from `start` on, as late or as early as they can. Late: all blocks that may be among them. Early:
 * only the blocks that always are, or one of the shortest where it is not known which. Blocks before and behind those
 * that start only make everything later. */
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

/* The EE's last start and end are no later than if all that it has started were spread over its slots evenly. `sum` is
 * the largest sum of the slots before; returns the largest sum after. */
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

/* Slots and engine if the latest entry is at the reference, which moves to this job's earliest entry if that is
 * later. */
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

/* When the job's predecessor was called if the job is called at `call`: an operation of the same job of a task was
 * called a fixed time before. */
static int64_t predecessor_call(const interval_search *q, const block_start *b, int64_t call)
{
    return call - b->job->call_lo + q->problem->jobs[b->job->predecessor].call_lo;
}

/* When the job's stream does not hold it any more, at the earliest (times: lo) or at the latest (times: hi), if it is
 * called at `call`. The stream's last job is complete at `complete` by its interval, and by its response, which is at
 * `response` in the times. */
static int64_t leaves_stream(const interval_search *q, const block_start *b, int64_t call, int64_t complete,
                             size_t response, const int64_t *times)
{
    if (!b->job->continues_job)
        return complete + q->problem->stream_gap_ns;
    int64_t by_response = predecessor_call(q, b, call) + times[response];
    return (times == b->hi ? min_i64(complete, by_response) : max_i64(complete, by_response)) +
           q->problem->stream_gap_ns;
}

/* How much later than the reference the latest entry is, at most, if the job is called at `call`; EXPLORE_MAX_TIME if
 * that is not known. */
static int64_t after_reference(const interval_search *q, const block_start *b, int64_t call)
{
    size_t engine = b->job->engine;
    if (!b->job->continues_job || b->lo[q->layout.newest_job_lo + engine] != (int64_t)b->job->predecessor + 1 ||
        b->hi[q->layout.newest_job_hi + engine] != (int64_t)b->job->predecessor + 1)
        return EXPLORE_MAX_TIME;
    int64_t entry = predecessor_call(q, b, call) + b->hi[q->layout.stream_entry_delay + b->job->stream];
    return max_i64(0, entry - b->lo[q->layout.reference + engine]);
}

/* The largest response: the job is called as early as it can be, and all else is late. */
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

/* By shares only the last of the slots have earliest times. */
static void fill_early_slots(const interval_search *q, int64_t *slots, const block_start *b, slot_fill *f)
{
    size_t first = f->by_shares ? q->problem->first_early_slot : 0;
    fill_slots(slots + first, b->slot_count - first, f);
}

/* The smallest response: the job is called as late as it can be, and all else is early. */
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

/* From when on blocks start, at the latest or at the earliest. */
static int64_t start_from(const interval_search *q, const block_start *b, bool late)
{
    size_t ready = q->layout.engine_ready + b->job->engine;
    return late ? max_i64(b->choice->entry_hi, b->hi[ready]) : max_i64(b->choice->start_lo, b->lo[ready]);
}

/* Everything as late as it can be. The slots go to scratch[1]. */
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

/* Everything as early as it can be. */
static slot_fill fill_early(interval_search *q, block_start *b)
{
    int64_t start = start_from(q, b, false), *min_sum = &b->lo[q->layout.min_slot_sum];
    slot_fill f = fill_from(q, b, false, start);
    if (!b->job->engine && !q->problem->shares)
        *min_sum = max_i64(*min_sum, slots_sum(b->lo, b->slot_count, start)) + slots_work(&f, f.block_count);
    fill_early_slots(q, b->lo + b->first_slot, b, &f);
    return f;
}

/* How many blocks start up to time `until`, at the latest or at the earliest; the first one counts in any case. */
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

/* How many blocks start in this step, at least and at most. False: no execution has this choice. */
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

/* Sets the successor's times that are not slots: when the engine is ready, and from when on higher levels enter. */
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

bool interval_start_blocks(interval_search *q, block_start *b)
{
    size_t ready = q->layout.engine_ready + b->job->engine;
    const interval_choice *c = b->choice;
    /* It starts by start_hi, so a slot and the engine are free by then. By shares it may have started before the slot
     * is free that it waits for at the latest. */
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

/* The successor of a state: times of the blocks that start, then what is known of jobs, streams and levels. */
#include "analyze/explore/intervals/step.h"

#include <string.h>

#include "analyze/explore/intervals/events.h"
#include "analyze/explore/intervals/slots/sum.h"
#include "analyze/explore/intervals/start.h"
#include "analyze/explore/problem/jobs.h"
#include "analyze/explore/problem/results.h"
#include "base/minmax.h"

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

/* What is kept of a stream's last job; nothing where no job is left in the stream. When it is complete matters only
 * from the arrival of the next job on. */
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

/* A job that went on after it was cut off: its outcome is of all its blocks. */
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

/* What is kept of the partial job of a level; nothing where the job was not cut off. */
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

/* Jobs that were cut off may go on once a job of a higher level is fully dispatched. Every step must lead to more
 * progress: a job that is fully dispatched counts more than all jobs that are cut off together. */
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
    if (!interval_start_blocks(q, &b))
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

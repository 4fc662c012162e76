/* When hosts make their calls. A launch reaches the GPU a little after its call returned, but not after its operation
 * started. The workload makes the call earlier by the GPU's launch latency. A wait returns when the operations that it
 * waits for have ended; the time that the host takes to notice is part of its next pause. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/integers.h"
#include "profile/make/making.h"
#include "profile/reading.h"

#define SLACK_NS 2000 /* how far clocks of host and GPU may differ: CUPTI aligns them to about a microsecond */

/* The time from the call until its first operation is in its stream's queue. */
static int64_t latency_of(const gcast_gpu *gpu, const made_item *item, gcast_kind kind)
{
    if (item->graph)
        return (gpu->graph_latency_ns ? gpu->graph_latency_ns : gpu->launch_latency_ns) +
               item->op_count * gpu->graph_node_ns;
    return kind == GCAST_KIND_KERNEL ? gpu->launch_latency_ns : gpu->copy_latency_ns;
}

/* Sets lag_ns: the median time from the return of a call to the start of its operation on an idle GPU. */
static gcast_status find_lag(making *m)
{
    VEC(int64_t) lags = {0};
    int64_t busy_ns = INT64_MIN; /* the end of all operations so far */
    for (size_t i = 0; i < m->t->op_count; i++) {
        const prof_op *op = &m->t->ops[i];
        if (m->t->streams[op->stream].device != m->device)
            continue;
        const prof_call *c = op->call == PROF_NONE ? NULL : &m->t->calls[op->call];
        if (c && m->op_of[i] != PROF_NONE && c->first_op == i && c->kind != PROF_CALL_GRAPH_LAUNCH &&
            c->end_ns >= busy_ns && op->start_ns >= c->end_ns && !vec_push(&lags, op->start_ns - c->end_ns)) {
            vec_free(&lags);
            return gcast_error_set_memory(m->err);
        }
        busy_ns = max_i64(busy_ns, op->end_ns);
    }
    if (lags.count) {
        qsort(lags.at, lags.count, sizeof *lags.at, compare_i64);
        m->lag_ns = lags.at[lags.count / 2];
    }
    vec_free(&lags);
    return GCAST_OK;
}

/* The last end of the operations called so far, on each stream and on the GPU. */
typedef struct ends {
    int64_t *stream_ns; /* by stream of the trace */
    uint32_t *last_op;  /* by stream of the trace: index in ops[] */
    int64_t device_ns;
} ends;

/* Numbers of waits whose stream was assumed, or that are left out, by reason. */
typedef struct wait_counts {
    uint64_t assumed, events, unknown, early, frees;
} wait_counts;

static void call_ops(making *m, made_item *item, ends *e)
{
    const prof_call *c = item->call == PROF_NONE ? NULL : &m->t->calls[item->call];
    made_op *first = &m->ops.at[item->first_op], *last = first + item->op_count - 1;
    const prof_op *op = &m->t->ops[first->op];
    int64_t start_ns = op->start_ns; /* of a graph: the first start of a node */
    for (made_op *x = first; x <= last; x++)
        start_ns = min_i64(start_ns, m->t->ops[x->op].start_ns);
    int64_t arrive_ns = c ? min_i64(c->end_ns + m->lag_ns, start_ns) : start_ns;
    item->call_ns = arrive_ns - latency_of(m->options->gpu, item, op->kind);
    item->return_ns = item->call_ns;
    int64_t end_ns = INT64_MIN;
    for (made_op *x = first; x <= last; x++) {
        const prof_op *at = &m->t->ops[x->op];
        end_ns = max_i64(end_ns, at->end_ns);
        e->stream_ns[x->stream] = max_i64(e->stream_ns[x->stream], at->end_ns);
        e->last_op[x->stream] = (uint32_t)(x - m->ops.at);
        e->device_ns = max_i64(e->device_ns, at->end_ns);
    }
    if (c && !item->graph && op->kind == GCAST_KIND_COPY && (op->is_pageable || call_is_synchronous(c->name)) &&
        c->end_ns >= end_ns) {
        last->host_waits = true;
        item->return_ns = end_ns;
    }
}

/* A wait for an event equals a wait for its stream, if the stream's last operation was called before the record.
 * Returns that stream, else PROF_NONE. */
static uint32_t stream_of_event(const making *m, const prof_call *c, const ends *e)
{
    const prof_call *record = c->record == PROF_NONE ? NULL : &m->t->calls[c->record];
    if (!record || record->stream == PROF_NONE || e->last_op[record->stream] == PROF_NONE)
        return PROF_NONE;
    const made_item *last = &m->items.at[m->ops.at[e->last_op[record->stream]].item];
    return last->order_ns < record->start_ns ? record->stream : PROF_NONE;
}

/* The stream of the thread's last operation. */
static uint32_t stream_of_thread(const making *m, size_t item)
{
    for (size_t i = item; i-- > 0;)
        if (m->items.at[i].kind == ITEM_OPS && m->items.at[i].thread == m->items.at[item].thread)
            return m->ops.at[m->items.at[i].first_op].stream;
    return PROF_NONE;
}

/* Finds the stream and the return of a wait. False: the wait is left out, and its time is a pause of the host. */
static bool call_wait(making *m, size_t index, const ends *e, wait_counts *counts)
{
    made_item *item = &m->items.at[index];
    const prof_call *c = &m->t->calls[item->call];
    int64_t covered_ns = e->device_ns;
    if (item->kind == ITEM_MALLOC) {
        item->call_ns = item->return_ns = c->start_ns;
        return true;
    }
    if (c->kind == PROF_CALL_EVENT_SYNC) {
        item->kind = ITEM_STREAM_SYNC;
        item->stream = stream_of_event(m, c, e);
        counts->events += item->stream == PROF_NONE;
    } else if (item->kind == ITEM_STREAM_SYNC && item->stream == PROF_NONE) {
        item->stream = stream_of_thread(m, index);
        bool fits = item->stream != PROF_NONE && e->stream_ns[item->stream] <= c->end_ns + SLACK_NS;
        item->stream = fits ? item->stream : PROF_NONE;
        counts->assumed += fits;
        counts->unknown += !fits;
    }
    if (item->kind == ITEM_STREAM_SYNC && item->stream == PROF_NONE)
        return false;
    if (item->kind == ITEM_STREAM_SYNC)
        covered_ns = e->stream_ns[item->stream];
    if (covered_ns > c->end_ns + SLACK_NS) {
        counts->early += item->kind != ITEM_FREE;
        counts->frees += item->kind == ITEM_FREE;
        return false;
    }
    item->call_ns = c->start_ns;
    item->return_ns = max_i64(c->start_ns, covered_ns);
    return true;
}

/* An operation without a call must be called before the next operation of its stream. Its extra latency makes it reach
 * the GPU at its recorded start all the same. */
static void call_callless(making *m, int64_t *called_ns)
{
    for (size_t i = 0; i < m->t->stream_count; i++)
        called_ns[i] = INT64_MAX;
    for (size_t i = m->t->op_count; i-- > 0;) {
        if (m->op_of[i] == PROF_NONE)
            continue;
        made_item *item = &m->items.at[m->ops.at[m->op_of[i]].item];
        int64_t *later_ns = &called_ns[m->ops.at[m->op_of[i]].stream];
        if (item->call == PROF_NONE && *later_ns != INT64_MAX && *later_ns <= item->call_ns) {
            item->late_ns = item->call_ns - (*later_ns - 1);
            item->call_ns = item->return_ns = *later_ns - 1;
        }
        *later_ns = min_i64(*later_ns, item->call_ns);
    }
}

/* A host makes no call before its previous one has returned. */
static void keep_order(making *m, int64_t *returned_ns)
{
    for (size_t i = 0; i < m->items.count; i++) {
        made_item *item = &m->items.at[i];
        if (item->thread == PROF_NONE)
            continue;
        int64_t *last_ns = &returned_ns[item->thread];
        item->call_ns = max_i64(item->call_ns, *last_ns);
        item->return_ns = max_i64(item->return_ns, item->call_ns);
        *last_ns = item->return_ns;
    }
}

/* Drops the items that are not in `keep`, and corrects `item` of the operations. */
static void drop_items(making *m, const bool *keep)
{
    size_t count = 0;
    for (size_t i = 0; i < m->items.count; i++) {
        if (!keep[i])
            continue;
        for (uint32_t k = 0; k < m->items.at[i].op_count; k++)
            m->ops.at[m->items.at[i].first_op + k].item = (uint32_t)count;
        m->items.at[count++] = m->items.at[i];
    }
    m->items.count = count;
}

static bool find_waits(making *m, const wait_counts *c)
{
    prof_findings *f = m->findings;
    return findings_add(f,
                        "{wait} for a stream: the profile does not say which; the stream of the thread's last "
                        "operation is assumed",
                        NULL, c->assumed) &&
           findings_add(f, "{wait} for a stream: the profile does not say which; it becomes a pause of the host", NULL,
                        c->unknown) &&
           findings_add(f, "{wait} for an event that cannot become a wait for a stream: it becomes a pause of the host",
                        NULL, c->events) &&
           findings_add(
               f, "{wait} that returned before the operations to wait for had ended: it becomes a pause of the host",
               NULL, c->early) &&
           findings_add(f, "{free} that did not wait for the GPU: it becomes a pause of the host", NULL, c->frees);
}

gcast_status make_call_times(making *m)
{
    size_t streams = m->t->stream_count + 1, threads = m->t->thread_count + 1;
    ends e = {.stream_ns = malloc(streams * sizeof *e.stream_ns),
              .last_op = malloc(streams * sizeof *e.last_op),
              .device_ns = INT64_MIN / 2};
    int64_t *returned_ns = malloc(threads * sizeof *returned_ns);
    bool *keep = malloc(m->items.count + 1);
    wait_counts counts = {0};
    gcast_status status =
        e.stream_ns && e.last_op && returned_ns && keep ? find_lag(m) : gcast_error_set_memory(m->err);
    if (status == GCAST_OK) {
        for (size_t i = 0; i < streams; i++) {
            e.stream_ns[i] = INT64_MIN / 2;
            e.last_op[i] = PROF_NONE;
        }
        for (size_t i = 0; i < threads; i++)
            returned_ns[i] = INT64_MIN / 2;
        for (size_t i = 0; i < m->items.count; i++) {
            keep[i] = m->items.at[i].kind == ITEM_OPS || call_wait(m, i, &e, &counts);
            if (m->items.at[i].kind == ITEM_OPS)
                call_ops(m, &m->items.at[i], &e);
        }
        drop_items(m, keep);
        keep_order(m, returned_ns);
        call_callless(m, e.stream_ns);
        if (!find_waits(m, &counts))
            status = gcast_error_set_memory(m->err);
    }
    free(e.stream_ns);
    free(e.last_op);
    free(returned_ns);
    free(keep);
    return status;
}

/* Findings about starts that contradict calls: a stream starts its operations in the order of their calls, and none
 * before its call. Profiles contradict this if clocks differ, or if several threads make calls at the same time. */

/* Nodes of a graph start in any order, but not before their launch. */
static bool is_node(const made_item *item)
{
    return item->graph || item->op_count > 1;
}

gcast_status make_order_notes(making *m)
{
    int64_t *latest_ns = malloc((m->t->stream_count + 1) * sizeof *latest_ns); /* by stream: the latest start so far */
    uint64_t early = 0, crossed = 0;
    const char *early_name = NULL, *crossed_name = NULL;
    for (size_t i = 0; latest_ns && i < m->t->stream_count; i++)
        latest_ns[i] = INT64_MIN;
    for (size_t i = 0; latest_ns && i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        const made_item *item = &m->items.at[m->ops.at[i].item];
        int64_t *latest = &latest_ns[m->ops.at[i].stream];
        if (item->call == PROF_NONE)
            continue;
        bool is_early = op->start_ns < m->t->calls[item->call].start_ns;
        bool is_crossed = !is_early && !is_node(item) && op->start_ns < *latest;
        early_name = is_early && !early ? op->name : early_name;
        crossed_name = is_crossed && !crossed ? op->name : crossed_name;
        early += is_early;
        crossed += is_crossed;
        if (!is_node(item) && op->start_ns > *latest)
            *latest = op->start_ns;
    }
    bool ok = latest_ns &&
              findings_add(m->findings,
                           "{operation} started before its call in the profile: the clocks of host and GPU differ, or "
                           "the profile links calls with wrong operations",
                           early_name, early) &&
              findings_add(m->findings,
                           "{operation} started before an operation of the same stream that was called earlier: the "
                           "order of calls is used",
                           crossed_name, crossed);
    free(latest_ns);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}

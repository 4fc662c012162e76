/* When hosts make their calls. A launch reaches the GPU when its call returns, a little later or, where the call goes
 * on for other reasons, at the latest when the operation starts. The workload calls it so much earlier as the GPU's
 * latency says. A wait returns when all that it waits for has ended; what the host takes to notice is part of its next
 * pause. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/minmax.h"
#include "profile/call_names.h"
#include "profile/make/make_steps.h"

#define SLACK_NS 2000 /* how far clocks of host and GPU may differ: CUPTI aligns them to about a microsecond */

/* From the call until its first operation is in its stream's queue. */
static int64_t latency_of(const gcast_gpu *gpu, const made_item *item, gcast_kind kind)
{
    if (item->graph)
        return (gpu->graph_latency_ns ? gpu->graph_latency_ns : gpu->launch_latency_ns) +
               item->op_count * gpu->graph_node_ns;
    return kind == GCAST_KIND_KERNEL ? gpu->launch_latency_ns : gpu->copy_latency_ns;
}

/* From the returns of calls to starts on an idle GPU: the median. */
static gcast_status find_lag(making *m)
{
    VEC(int64_t) lags = {0};
    int64_t busy_ns = INT64_MIN; /* the GPU has nothing to do from here on */
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

/* Ends of what was called so far, on each stream and on the GPU. */
typedef struct ends {
    int64_t *stream_ns; /* by stream of the trace */
    uint32_t *last_op;  /* by stream of the trace: index in ops[] */
    int64_t device_ns;
} ends;

/* What the waits that are left out were. */
typedef struct wait_counts {
    uint64_t assumed, events, unknown, early, frees;
} wait_counts;

static void call_ops(making *m, made_item *item, ends *e)
{
    const prof_call *c = item->call == PROF_NONE ? NULL : &m->t->calls[item->call];
    made_op *first = &m->ops.at[item->first_op], *last = first + item->op_count - 1;
    const prof_op *op = &m->t->ops[first->op];
    int64_t start_ns = op->start_ns; /* of its first node, where it is a graph */
    for (made_op *x = first; x <= last; x++)
        start_ns = min_i64(start_ns, m->t->ops[x->op].start_ns);
    int64_t arrive_ns = c ? min_i64(c->end_ns + m->lag_ns, start_ns) : start_ns;
    item->call_ns = arrive_ns - latency_of(m->o->gpu, item, op->kind);
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

/* The stream that the wait for an event stands for: the last operation before the record is the last of its stream. */
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

/* Which operations a wait waits for. False: it is left out, and what it takes is a pause of the host. */
static bool call_wait(making *m, size_t index, const ends *e, wait_counts *counts)
{
    made_item *item = &m->items.at[index];
    const prof_call *c = &m->t->calls[item->call];
    int64_t covered_ns = e->device_ns;
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

/* Operations without a call were called before those that ran after them in their stream, and reach the GPU when they
 * started all the same. */
static void call_lone(making *m, int64_t *called_ns)
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

/* A host's call comes no sooner than the last one returned. */
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

/* Takes the items out that `keep` does not have, and tells the operations. */
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
    return findings_add(f, "{wait} for a stream that is not told: that of the thread's last operation is taken", NULL,
                        c->assumed) &&
           findings_add(f, "{wait} for a stream that is not told: a pause of the host", NULL, c->unknown) &&
           findings_add(f, "{wait} for an event that a wait for a stream cannot stand for: a pause of the host", NULL,
                        c->events) &&
           findings_add(f, "{wait} that returned before the end of the operations to wait for: a pause of the host",
                        NULL, c->early) &&
           findings_add(f, "{free} without a wait for the GPU: a pause of the host", NULL, c->frees);
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
        call_lone(m, e.stream_ns);
        if (!find_waits(m, &counts))
            status = gcast_error_set_memory(m->err);
    }
    free(e.stream_ns);
    free(e.last_op);
    free(returned_ns);
    free(keep);
    return status;
}

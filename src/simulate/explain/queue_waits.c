/* What an operation waits for from its call to the queue of its engine (stream, NULL stream, events, connection), and a
 * copy from there to its start. Operations in front of it are taken one after the other. */
#include "simulate/explain/queue_waits.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "base/vec.h"
#include "model/gpu/event_gap.h"
#include "model/workload/dependencies/dependencies.h"
#include "model/workload/edit.h"
#include "simulate/explain/attributes/programmatic_waits.h"
#include "simulate/explain/graphs/graph_waits.h"
#include "simulate/explain/times/node_times.h"
#include "simulate/explain/wait_list.h"
#include "simulate/run_ops.h"

/* An operation in front of the subject. */
typedef struct rival {
    uint64_t place; /* in the order in which they go: launch number or time */
    size_t run_op;
} rival;

typedef VEC(rival) rivals;

static int by_place(const void *a, const void *b)
{
    const rival *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts what was collected; false where that failed. */
static bool sort(rivals *all, bool ok)
{
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_place);
    return ok;
}

/* The wait from `start` until `holder` is complete, and then until it departs, both not after `end`. Returns when the
 * wait is over. */
static int64_t wait_departure(explain *e, const gcast_run *run, gcast_reason reason, int64_t start, int64_t end,
                              size_t holder)
{
    int64_t complete = min_i64(run->ops[holder].end_ns, end);
    int64_t departed = min_i64(run->ops[holder].end_ns + run->gpu->stream_gap_ns, end);
    if (complete > start) {
        explain_add_for(e, reason, start, complete, holder);
        start = complete;
    }
    if (departed > start) {
        explain_add_for(e, GCAST_WHY_GAP, start, departed, holder);
        start = departed;
    }
    return start;
}

/* Passes over the waits before that for the operation that departed last; returns its index. */
static size_t skip_to_last(explain *e, const older_ops *all, gcast_reason reason, size_t first, size_t behind,
                           int64_t *start, int64_t end)
{
    size_t last = behind > first ? all->all.at[behind - 1].latest : first;
    const older_op *before = last > first ? &all->all.at[all->all.at[last - 1].latest] : NULL;
    if (!before || before->until_ns <= *start || before->until_ns >= end)
        return first;
    explain_add_for(e, reason, *start, before->until_ns, before->run_op);
    *start = before->until_ns;
    return last;
}

/* The wait from *start to `end` for older operations of a stream that have not departed, one after the other. */
static void wait_stream(explain *e, const gcast_run *run, size_t subject, gcast_reason reason, int64_t *start,
                        int64_t end, int stream)
{
    const older_ops *all = &e->index->streams;
    size_t first, launch = e->index->nodes.launch_first[subject];
    size_t behind = older_ops_before(all, stream, run->ops[launch].launch, &first);
    if (e->brief && *start < end)
        first = skip_to_last(e, all, reason, first, behind, start, end);
    for (size_t i = older_ops_after(all, first, behind, *start); i < behind && *start < end; i++)
        if (all->all.at[i].until_ns > *start)
            *start = wait_departure(e, run, reason, *start, end, all->all.at[i].run_op);
}

/* N1: the wait for all older operations of blocking streams; the one that ends last stands for them. */
static int64_t wait_blocking(explain *e, const gcast_run *run, size_t subject, int64_t start, int64_t end)
{
    const older_ops *all = &e->index->blocking;
    size_t first, behind = older_ops_before(all, 0, run->ops[subject].launch, &first);
    if (behind == first)
        return start;
    size_t last = all->all.at[all->all.at[behind - 1].latest].run_op;
    return wait_departure(e, run, GCAST_WHY_NULL_FIRST, start, end, last);
}

/* The wait for the operations that the subject, or its launch, is after, as far as they were called before it: one
 * after the other, as they end, and after each until its event is seen. False without memory. */
static bool wait_events(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    const node_times *nodes = &e->index->nodes;
    size_t first = nodes->launch_first[subject];
    const gcast_op *op = run_spec(run, first);
    int64_t gap_ns = event_gap_of(run->gpu);
    rivals all = {0};
    bool ok = true;
    for (size_t k = 0; k < op->after_count && ok; k++) {
        size_t i = nodes->launch_last[dependencies_operation(first, run->ops[first].op, op->after[k])];
        if (!run->ops[i].skipped && run->ops[i].launch < run->ops[subject].launch &&
            run_spec(run, i)->stream != op->stream)
            ok = vec_push(&all, ((rival){(uint64_t)run->ops[i].end_ns, i}));
    }
    sort(&all, ok);
    for (size_t i = 0; i < all.count && ok && *start < end; i++) {
        int64_t seen_ns = min_i64(run->ops[all.at[i].run_op].end_ns + gap_ns, end);
        if (seen_ns <= *start)
            continue;
        explain_add_for(e, GCAST_WHY_AFTER, *start, seen_ns, all.at[i].run_op);
        *start = seen_ns;
    }
    vec_free(&all);
    return ok;
}

/* The wait for the kernels in front in the subject's connection, one after the other, and then for its turn. */
static void wait_connection(explain *e, const gcast_run *run, size_t subject, int64_t start, int64_t end)
{
    const older_ops *all = &e->index->connections;
    const gcast_run_op *r = &run->ops[subject];
    size_t first, behind = older_ops_before(all, r->connection, r->launch, &first);
    for (size_t i = older_ops_after(all, first, behind, start); i < behind && start < end; i++) {
        int64_t enter = min_i64(all->all.at[i].until_ns, end);
        if (enter <= start)
            continue;
        explain_add_for(e, GCAST_WHY_CONNECTION, start, enter, all->all.at[i].run_op);
        start = enter;
    }
    explain_add(e, GCAST_WHY_TURN, start, end, 0, NULL, 0);
}

bool explain_queue(explain *e, const gcast_run *run, size_t subject)
{
    const gcast_run_op *r = &run->ops[subject];
    int own_stream = run_spec(run, subject)->stream;
    const gcast_stream *stream = &run->workload->streams[own_stream];
    explain_add(e, GCAST_WHY_LATENCY, r->call_ns, r->arrive_ns, 0, NULL, 0);
    int64_t t = r->arrive_ns;
    explain_overlap(e, run, subject, &t);
    bool ok = true;
    wait_stream(e, run, subject, GCAST_WHY_STREAM, &t, r->head_ns, own_stream);
    if (node_times_has_edges(&e->index->nodes, run, subject)) {
        ok = explain_edges(e, run, subject, &t, r->enter_ns);
    } else {
        if (stream->id == 0)
            t = wait_blocking(e, run, subject, t, r->enter_ns);
        else if (stream->blocking)
            wait_stream(e, run, subject, GCAST_WHY_NULL_BEFORE, &t, r->enter_ns,
                        workload_find_stream(run->workload, 0));
        ok = wait_events(e, run, subject, &t, r->enter_ns);
    }
    wait_connection(e, run, subject, t, r->enter_ns);
    return ok;
}

void explain_copy(explain *e, const gcast_run *run, size_t subject)
{
    const older_ops *all = &e->index->engines;
    const gcast_run_op *r = &run->ops[subject];
    int64_t t = r->enter_ns;
    size_t first, behind = older_ops_before(all, r->engine, (uint64_t)r->start_ns, &first);
    for (size_t i = older_ops_after(all, first, behind, t); i < behind && t < r->start_ns; i++) {
        int64_t idle_ns = all->all.at[i].until_ns;
        if (idle_ns <= t)
            continue;
        explain_add_for(e, GCAST_WHY_COPY_FIFO, t, idle_ns, all->all.at[i].run_op);
        t = idle_ns;
    }
    explain_add(e, GCAST_WHY_COPY_BESIDE, t, r->start_ns, 0, NULL, 0);
}

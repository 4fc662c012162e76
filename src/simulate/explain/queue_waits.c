/* What an operation waits for from its call to the queue of its engine (stream, NULL stream, events, connection), and a
 * copy from there to its start. Operations in front of it are sorted once, and then taken one after the other. */
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

/* Operations of a stream that were called before the subject, by launch; for a launch of a graph its last node stands.
 * False without memory. */
static bool older_of_stream(const gcast_run *run, size_t subject, int stream, rivals *all)
{
    bool ok = true;
    size_t behind, first = graph_launch_first(run, subject);
    for (size_t i = 0; i < run->op_count && ok; i = behind) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        behind = graph_launch_behind(run, i);
        if (!r->skipped && gcast_kind_on_gpu(op->kind) && op->stream == stream && r->launch < run->ops[first].launch)
            ok = vec_push(all, ((rival){r->launch, graph_launch_last(run, i)}));
    }
    return sort(all, ok);
}

/* Kernels that joined the subject's connection before it, by launch; false without memory. */
static bool older_of_connection(const gcast_run *run, size_t subject, rivals *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->connection >= 0 && r->connection == run->ops[subject].connection &&
            r->launch < run->ops[subject].launch)
            ok = vec_push(all, ((rival){r->launch, i}));
    }
    return sort(all, ok);
}

/* Copies that the subject's engine started before it, by start; false without memory. */
static bool earlier_copies(const gcast_run *run, size_t subject, rivals *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->engine == run->ops[subject].engine && i != subject &&
            r->start_ns < run->ops[subject].start_ns)
            ok = vec_push(all, ((rival){(uint64_t)r->start_ns, i}));
    }
    return sort(all, ok);
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

/* The wait from *start to `end` for older operations of a stream that have not departed, one after the other. */
static bool wait_stream(explain *e, const gcast_run *run, size_t subject, gcast_reason reason, int64_t *start,
                        int64_t end, int stream)
{
    rivals all = {0};
    bool ok = *start >= end || older_of_stream(run, subject, stream, &all);
    for (size_t i = 0; i < all.count && ok && *start < end; i++)
        if (run->ops[all.at[i].run_op].end_ns + run->gpu->stream_gap_ns > *start)
            *start = wait_departure(e, run, reason, *start, end, all.at[i].run_op);
    vec_free(&all);
    return ok;
}

/* N1: the wait for all older operations of blocking streams; the one that ends last stands for them. */
static int64_t wait_blocking(explain *e, const gcast_run *run, size_t subject, int64_t start, int64_t end)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (r->skipped || !gcast_kind_on_gpu(op->kind) || r->launch >= run->ops[subject].launch)
            continue;
        const gcast_stream *stream = &run->workload->streams[op->stream];
        if (stream->id != 0 && stream->blocking && (last == SIZE_MAX || r->end_ns > run->ops[last].end_ns))
            last = i;
    }
    return last == SIZE_MAX ? start : wait_departure(e, run, GCAST_WHY_NULL_FIRST, start, end, last);
}

/* The wait for the operations that the subject, or its launch, is after, as far as they were called before it: one
 * after the other, as they end, and after each until its event is seen. False without memory. */
static bool wait_events(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    size_t first = graph_launch_first(run, subject);
    const gcast_op *op = run_spec(run, first);
    int64_t gap_ns = event_gap_of(run->gpu);
    rivals all = {0};
    bool ok = true;
    for (size_t k = 0; k < op->after_count && ok; k++) {
        size_t i = graph_launch_last(run, dependencies_operation(first, run->ops[first].op, op->after[k]));
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
static bool wait_connection(explain *e, const gcast_run *run, size_t subject, int64_t start, int64_t end)
{
    rivals all = {0};
    bool ok = start >= end || older_of_connection(run, subject, &all);
    for (size_t i = 0; i < all.count && ok && start < end; i++) {
        int64_t enter = run->ops[all.at[i].run_op].enter_ns;
        if (enter <= start)
            continue;
        enter = enter < end ? enter : end;
        explain_add_for(e, GCAST_WHY_CONNECTION, start, enter, all.at[i].run_op);
        start = enter;
    }
    explain_add(e, GCAST_WHY_TURN, start, end, 0, NULL, 0);
    vec_free(&all);
    return ok;
}

bool explain_queue(explain *e, const gcast_run *run, size_t subject)
{
    const gcast_run_op *r = &run->ops[subject];
    int own_stream = run_spec(run, subject)->stream;
    const gcast_stream *stream = &run->workload->streams[own_stream];
    explain_add(e, GCAST_WHY_LATENCY, r->call_ns, r->arrive_ns, 0, NULL, 0);
    int64_t t = r->arrive_ns;
    explain_overlap(e, run, subject, &t);
    bool ok = wait_stream(e, run, subject, GCAST_WHY_STREAM, &t, r->head_ns, own_stream);
    if (graph_node_has_edges(run, subject))
        return ok && explain_edges(e, run, subject, &t, r->enter_ns) &&
               wait_connection(e, run, subject, t, r->enter_ns);
    if (stream->id == 0)
        t = wait_blocking(e, run, subject, t, r->enter_ns);
    else if (stream->blocking)
        ok = ok && wait_stream(e, run, subject, GCAST_WHY_NULL_BEFORE, &t, r->enter_ns,
                               workload_find_stream(run->workload, 0));
    ok = ok && wait_events(e, run, subject, &t, r->enter_ns);
    return ok && wait_connection(e, run, subject, t, r->enter_ns);
}

bool explain_copy(explain *e, const gcast_run *run, size_t subject)
{
    const gcast_run_op *r = &run->ops[subject];
    int64_t t = r->enter_ns;
    rivals all = {0};
    bool ok = t >= r->start_ns || earlier_copies(run, subject, &all);
    for (size_t i = 0; i < all.count && ok && t < r->start_ns; i++) {
        int64_t idle_ns = run->ops[all.at[i].run_op].end_ns + run->gpu->copy_gap_ns;
        if (idle_ns <= t)
            continue;
        explain_add_for(e, GCAST_WHY_COPY_FIFO, t, idle_ns, all.at[i].run_op);
        t = idle_ns;
    }
    explain_add(e, GCAST_WHY_COPY_BESIDE, t, r->start_ns, 0, NULL, 0);
    vec_free(&all);
    return ok;
}

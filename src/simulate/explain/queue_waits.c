/* The waits of an operation from its call to the queue of its engine (for its stream, the NULL stream, events, its
 * connection), and of a copy from there to its start. Operations in front of it are told one after the other. */
#include "simulate/explain/queue_waits.h"

#include <stdlib.h>

#include "base/integers.h"
#include "base/vec.h"
#include "model/gpu.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/explain/explanation.h"
#include "simulate/explain/programmatic_waits.h"
#include "simulate/explain/run_index.h"
#include "simulate/run_ops.h"

/* An edge of a graph that leads to the subject. */
typedef struct seen_edge {
    int64_t seen_ns; /* when it is seen */
    size_t from;     /* the operation that it comes from */
} seen_edge;

static int by_time(const void *a, const void *b)
{
    const seen_edge *x = a, *y = b;
    if (x->seen_ns != y->seen_ns)
        return x->seen_ns < y->seen_ns ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* When an edge of operation i is seen. */
static int64_t seen_at(const gcast_run *run, const run_index *x, size_t i, const graph_edge *edge)
{
    const gcast_run_op *y = &run->ops[i];
    if (edge->port == GCAST_PORT_FULL)
        return x->nodes.done_ns[i] + edge->delay_ns;
    int64_t from = edge->port == GCAST_PORT_PROGRAMMATIC ? explain_triggered_ns(run, x, i) : y->dispatched_ns;
    return max_i64(from + edge->delay_ns, y->dispatched_ns + 1);
}

/* The edge between two nodes; NULL: there is none. Edges of a node are in the order of its successors. */
static const graph_edge *edge_between(const graph_shape *shape, uint32_t from, uint32_t to)
{
    const graph_node *y = &shape->nodes[from];
    uint32_t low = y->first_edge, high = low + y->edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shape->edges[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < y->first_edge + y->edge_count && shape->edges[low].to == to ? &shape->edges[low] : NULL;
}

/* Collects the edges that lead to the subject. Returns how many. */
static size_t collect(const gcast_run *run, const run_index *x, size_t subject, seen_edge *found)
{
    const gcast_op *op = run_spec(run, subject);
    size_t count = 0;
    for (size_t k = 0; k < op->after_count; k++) {
        const graph_edge *edge = edge_between(&x->nodes.shape, op->after[k], run->ops[subject].op);
        size_t from = dependencies_operation(subject, run->ops[subject].op, op->after[k]);
        if (edge)
            found[count++] = (seen_edge){seen_at(run, x, from, edge), from};
    }
    return count;
}

/* Adds the waits of a node from *start until it has seen its edges, one after the other, up to `end` at most. False
 * without memory. */
static bool explain_edges(explain *e, const gcast_run *run, size_t subject, int64_t *start, int64_t end)
{
    seen_edge *found = calloc(run_spec(run, subject)->after_count + 1, sizeof *found);
    size_t count = found ? collect(run, e->index, subject, found) : 0;
    if (count)
        qsort(found, count, sizeof *found, by_time);
    for (size_t i = 0; i < count && *start < end; i++) {
        int64_t seen_ns = min_i64(found[i].seen_ns, end);
        if (seen_ns <= *start)
            continue;
        explain_add_for(e, GCAST_WHY_EDGE, *start, seen_ns, found[i].from);
        *start = seen_ns;
    }
    bool ok = found != NULL;
    free(found);
    return ok;
}

/* An operation in front of the subject. */
typedef struct rival {
    uint64_t place; /* by which they are sorted: a launch number or time */
    size_t run_op;
} rival;

typedef VEC(rival) rivals;

static int by_place(const void *a, const void *b)
{
    const rival *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts the rivals, if `ok`; returns `ok`. */
static bool sort(rivals *all, bool ok)
{
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_place);
    return ok;
}

/* Adds the wait from `start` until `holder` is complete, and then until it departs, both up to `end` at most. Returns
 * when it is over. */
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

/* Sums up the waits before the one for the operation that departed last as one wait; returns the index of that
 * operation. */
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

/* Adds the waits from *start to `end` for older operations of a stream that have not departed, one after the other. */
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

/* N1: adds the wait for all older operations of blocking streams, as a wait for the one that ends last. */
static int64_t wait_blocking(explain *e, const gcast_run *run, size_t subject, int64_t start, int64_t end)
{
    const older_ops *all = &e->index->blocking;
    size_t first, behind = older_ops_before(all, 0, run->ops[subject].launch, &first);
    if (behind == first)
        return start;
    size_t last = all->all.at[all->all.at[behind - 1].latest].run_op;
    return wait_departure(e, run, GCAST_WHY_NULL_FIRST, start, end, last);
}

/* Adds the waits for the dependencies of the subject or its launch that were called before it, one after the other as
 * they end, each until its event is seen. False without memory. */
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

/* Adds the waits for the kernels in front in the subject's connection, one after the other, and then for its turn. */
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

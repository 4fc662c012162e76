/* The index of a run: older operations by group, nodes of graphs, kernels and blocks. */
#include "simulate/explain/run_index.h"

#include <stdlib.h>

#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/run_ops.h"

static int by_place(const void *a, const void *b)
{
    const older_op *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* False without memory. */
static bool older_ops_add(older_ops *o, int group, uint64_t place, size_t run_op, int64_t until_ns)
{
    older_op x = {.group = group, .place = place, .run_op = run_op, .until_ns = until_ns};
    return vec_push(&o->all, x);
}

static bool is_later(const older_op *x, const older_op *y)
{
    return x->until_ns != y->until_ns ? x->until_ns > y->until_ns : x->run_op < y->run_op;
}

/* To be called once, after the last older_ops_add. */
static void older_ops_sort(older_ops *o)
{
    older_op *at = o->all.at;
    if (o->all.count)
        qsort(at, o->all.count, sizeof *at, by_place);
    for (size_t i = 0; i < o->all.count; i++) {
        bool follows = i > 0 && at[i - 1].group == at[i].group && !is_later(&at[i], &at[at[i - 1].latest]);
        at[i].latest = follows ? at[i - 1].latest : i;
    }
}

static void older_ops_free(older_ops *o)
{
    vec_free(&o->all);
}

/* The first operation at this group and place or later. */
static size_t lower_bound(const older_ops *o, int group, uint64_t place)
{
    size_t low = 0, high = o->all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const older_op *x = &o->all.at[middle];
        if (x->group < group || (x->group == group && x->place < place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t older_ops_before(const older_ops *o, int group, uint64_t place, size_t *first)
{
    *first = lower_bound(o, group, 0);
    return lower_bound(o, group, place);
}

size_t older_ops_after(const older_ops *o, size_t first, size_t end, int64_t time_ns)
{
    while (first < end) { /* the largest until_ns so far never decreases in a group */
        size_t middle = first + (end - first) / 2;
        if (o->all.at[o->all.at[middle].latest].until_ns <= time_ns)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool same_launch(const gcast_run *run, size_t a, size_t b)
{
    return run_spec(run, a)->graph != GCAST_NO_GRAPH && run_spec(run, a)->graph == run_spec(run, b)->graph &&
           run->ops[a].job == run->ops[b].job;
}

/* Sets the launch of `first`, and returns the operation behind its last one. */
static size_t set_launch(node_times *t, const gcast_run *run, size_t first)
{
    size_t last = first, behind = first + 1;
    for (; behind < run->op_count && same_launch(run, first, behind); behind++) {
        const gcast_run_op *r = &run->ops[behind], *l = &run->ops[last];
        if (r->end_ns > l->end_ns || (r->end_ns == l->end_ns && r->entry > l->entry))
            last = behind;
    }
    for (size_t i = first; i < behind; i++) {
        t->launch_first[i] = first;
        t->launch_last[i] = last;
    }
    return behind;
}

/* Successors of operation i by another port than full are done no sooner than it is. */
static void pass_on(node_times *t, const gcast_run *run, size_t i)
{
    const graph_node *y = &t->shape.nodes[run->ops[i].op];
    for (uint32_t k = y->first_edge; k < y->first_edge + y->edge_count; k++) {
        size_t to = dependencies_operation(i, run->ops[i].op, t->shape.edges[k].to);
        if (t->shape.edges[k].port == GCAST_PORT_FULL || t->done_ns[to] >= t->done_ns[i])
            continue;
        t->done_ns[to] = t->done_ns[i];
        t->done_by[to] = t->done_by[i];
    }
}

/* False without memory; free in any case. */
static bool node_times_init(node_times *t, const gcast_run *run)
{
    size_t count = run->op_count + 1;
    *t = (node_times){.launch_first = malloc(count * sizeof *t->launch_first),
                      .launch_last = malloc(count * sizeof *t->launch_last)};
    if (!t->launch_first || !t->launch_last)
        return false;
    for (size_t i = 0; i < run->op_count;)
        i = set_launch(t, run, i);
    if (!run->workload->graph_count)
        return true;
    t->done_ns = malloc(count * sizeof *t->done_ns);
    t->done_by = malloc(count * sizeof *t->done_by);
    if (!graph_shape_init(&t->shape, run->workload, run->gpu) || !t->done_ns || !t->done_by)
        return false;
    for (size_t i = 0; i < run->op_count; i++) {
        t->done_ns[i] = run->ops[i].end_ns;
        t->done_by[i] = i;
    }
    for (size_t i = 0; i < run->op_count; i++)
        if (run_spec(run, i)->graph != GCAST_NO_GRAPH)
            pass_on(t, run, i);
    return true;
}

static void node_times_free(node_times *t)
{
    graph_shape_free(&t->shape);
    free(t->launch_first);
    free(t->launch_last);
    free(t->done_ns);
    free(t->done_by);
}

bool node_times_has_edges(const node_times *t, const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    if (i >= run->op_count || op->graph == GCAST_NO_GRAPH || t->launch_first[i] == i)
        return false;
    return op->after_count > 0; /* only the first node may depend on operations that are no nodes */
}

bool node_times_waits(const node_times *t, const gcast_run *run, size_t i, size_t k)
{
    const gcast_op *op = run_spec(run, i);
    bool inside =
        i < run->op_count && op->graph != GCAST_NO_GRAPH && run->workload->ops[op->after[k]].graph == op->graph;
    return inside && graph_shape_port(&t->shape, run->ops[i].op, k) != GCAST_PORT_FULL;
}

/* Adds a launch; its last node stands for it. */
static bool add_launch(run_index *x, const gcast_run *run, size_t first)
{
    size_t last = x->nodes.launch_last[first];
    return older_ops_add(&x->streams, run_spec(run, first)->stream, run->ops[first].launch, last,
                         run->ops[last].end_ns + run->gpu->stream_gap_ns);
}

static bool add_operation(run_index *x, const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    const gcast_stream *stream = &run->workload->streams[run_spec(run, i)->stream];
    bool ok = x->nodes.launch_first[i] != i || add_launch(x, run, i);
    if (stream->id != 0 && stream->blocking)
        ok = ok && older_ops_add(&x->blocking, 0, r->launch, i, r->end_ns);
    if (r->connection >= 0)
        ok = ok && older_ops_add(&x->connections, r->connection, r->launch, i, r->enter_ns);
    if (r->engine >= 0)
        ok = ok && older_ops_add(&x->engines, r->engine, (uint64_t)r->start_ns, i, r->end_ns + run->gpu->copy_gap_ns);
    return ok;
}

static bool index_blocks(run_index *x, const gcast_run *run)
{
    sm_set sms = {0};
    bool ok = sm_set_init(&sms, run->gpu, run->workload) && kernel_windows_init(&x->kernels, run) &&
              block_history_init(&x->history, run, &x->kernels, &sms);
    sm_set_free(&sms);
    return ok;
}

bool run_index_init(run_index *x, const gcast_run *run)
{
    *x = (run_index){.has_plans = explain_any_plan(run), .has_blocks = run->blocks_recorded};
    bool ok = node_times_init(&x->nodes, run);
    for (size_t i = 0; i < run->op_count && ok; i++)
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind))
            ok = add_operation(x, run, i);
    if (!ok)
        return false;
    older_ops_sort(&x->streams);
    older_ops_sort(&x->blocking);
    older_ops_sort(&x->connections);
    older_ops_sort(&x->engines);
    return !x->has_blocks || index_blocks(x, run);
}

void run_index_free(run_index *x)
{
    older_ops_free(&x->streams);
    older_ops_free(&x->blocking);
    older_ops_free(&x->connections);
    older_ops_free(&x->engines);
    node_times_free(&x->nodes);
    kernel_windows_free(&x->kernels);
    block_history_free(&x->history);
}

/* Places, parts and delays of nodes, and when nodes and launches are done. */
#include "simulate/check/graph_facts.h"

#include <stdlib.h>

#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

#define LATE (INT64_MAX / 4) /* so that sums of a few do not overflow */

static int64_t product(int64_t ns, uint64_t n)
{
    int64_t all;
    return n > LATE || __builtin_mul_overflow(ns, (int64_t)n, &all) || all > LATE ? LATE : all;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a + b > LATE ? LATE : a + b;
}

static bool inside(const gcast_workload *w, size_t i, size_t k)
{
    return w->ops[i].graph != GCAST_NO_GRAPH && w->ops[w->ops[i].after[k]].graph == w->ops[i].graph;
}

static bool host_copy(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY && op->direction != GCAST_D2D;
}

/* Does the op run outside the SMs? */
static bool outside(const gcast_op *op)
{
    return host_copy(op) || (op->kind == GCAST_KIND_MEMSET && op->bytes <= 4096);
}

static gcast_port port_of(const graph_facts *f, size_t i, size_t k)
{
    return f->nodes[i].is_far ? GCAST_PORT_FULL : graph_ports_of(&f->ports, i, k);
}

/* Sets the place and part of op i in its launch, and whether it is far. `begun`: how many roots and parts the launch
 * has so far. */
static void place_node(graph_facts *f, const gcast_workload *w, size_t i, uint32_t begun[2])
{
    const gcast_op *op = &w->ops[i];
    node_facts *x = &f->nodes[i];
    bool next = i && w->ops[i - 1].graph == op->graph, begins = outside(op);
    x->place = next ? f->nodes[i - 1].place + 1 : 0;
    begun[0] = next ? begun[0] : 0;
    begun[1] = next ? begun[1] : 0;
    x->is_far = host_copy(op);
    x->part = UINT32_MAX;
    for (size_t k = 0; k < op->after_count; k++)
        if (inside(w, i, k)) {
            x->edges++;
            x->part = f->nodes[op->after[k]].part < x->part ? f->nodes[op->after[k]].part : x->part;
            begins = begins || outside(&w->ops[op->after[k]]);
            x->is_far = x->is_far || host_copy(&w->ops[op->after[k]]);
        }
    for (size_t k = 0; k < op->after_count; k++)
        x->is_far = x->is_far || (inside(w, i, k) && f->nodes[op->after[k]].part != x->part);
    x->root = x->edges ? 0 : begun[0]++;
    begins = begins || !x->edges;
    x->joins = begins && !host_copy(op);
    x->part = begins ? begun[1]++ : x->part;
    for (size_t k = 0; k < op->after_count; k++)
        if (inside(w, i, k) && !x->is_far && port_of(f, i, k) == GCAST_PORT_FULL)
            f->nodes[op->after[k]].full++;
}

static int64_t gap_of(const gcast_gpu *g, gcast_port port)
{
    if (port == GCAST_PORT_PROGRAMMATIC && g->graph_trigger_gap_ns)
        return g->graph_trigger_gap_ns;
    if (port == GCAST_PORT_LAUNCH_COMPLETION && g->graph_start_gap_ns)
        return g->graph_start_gap_ns;
    return g->graph_gap_ns ? g->graph_gap_ns : g->stream_gap_ns;
}

static int64_t delay_of(graph_facts *f, const gcast_run *run, size_t i, size_t k)
{
    const gcast_gpu *g = run->gpu;
    node_facts *y = &f->nodes[run->workload->ops[i].after[k]];
    gcast_port port = port_of(f, i, k);
    const gcast_op *ops = run->workload->ops;
    if (f->nodes[i].is_far && g->graph_copy_gap_ns && host_copy(&ops[i]) != host_copy(&ops[ops[i].after[k]]))
        return g->graph_copy_gap_ns;
    if (f->nodes[i].is_far)
        return g->event_gap_ns ? g->event_gap_ns : g->stream_gap_ns;
    uint32_t number = y->passed[port]++;
    if (port == GCAST_PORT_FULL && g->graph_wide && y->full >= (uint32_t)g->graph_wide)
        return sum(gap_of(g, port) + g->graph_wide_ns, product(g->graph_wide_step_ns, y->full - 1 - number));
    return sum(gap_of(g, port), product(g->graph_step_ns, number));
}

/* The operation of dependency k of operation i: operations of a job are in the order of the workload. */
static size_t named(const gcast_run *run, size_t i, size_t k)
{
    return i + run_spec(run, i)->after[k] - run->ops[i].op;
}

/* Are the nodes in front of operation i in its launch in the run? */
static bool is_listed(const graph_facts *f, const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    uint32_t place = f->nodes[r->op].place;
    if (place > i || run->ops[i - place].op != r->op - place || run->ops[i - place].job != r->job)
        return false;
    for (size_t k = 0; k < run_spec(run, i)->after_count; k++)
        if (inside(run->workload, r->op, k) && (named(run, i, k) >= i || named(run, i, k) < i - place))
            return false;
    return true;
}

static void set_times(graph_facts *f, const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    int64_t *end = &f->ends[graph_facts_first(f, run, i)];
    f->done[i] = check_end_ns(run, &run->ops[i]);
    *end = f->done[i] > *end ? f->done[i] : *end;
    for (size_t k = 0; k < op->after_count; k++)
        if (inside(run->workload, run->ops[i].op, k) && port_of(f, run->ops[i].op, k) != GCAST_PORT_FULL &&
            f->done[named(run, i, k)] > f->done[i])
            f->done[i] = f->done[named(run, i, k)];
}

static void set_shape(graph_facts *f, const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    size_t filled = 0;
    uint32_t begun[2] = {0};
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].graph != GCAST_NO_GRAPH)
            place_node(f, w, i, begun);
    for (size_t i = w->op_count; i-- > 0;) /* from the last node, which knows how many there are */
        f->nodes[i].count =
            i + 1 < w->op_count && f->nodes[i + 1].place ? f->nodes[i + 1].count : f->nodes[i].place + 1;
    for (size_t i = 0; i < w->op_count; i++) {
        f->nodes[i].first_delay = filled;
        for (size_t k = 0; k < w->ops[i].after_count; k++, filled++)
            f->delays[filled] = inside(w, i, k) ? delay_of(f, run, i, k) : 0;
    }
}

gcast_status graph_facts_init(graph_facts *f, const gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    size_t edges = 0;
    *f = (graph_facts){0};
    if (!w->graph_count)
        return GCAST_OK;
    for (size_t i = 0; i < w->op_count; i++)
        edges += w->ops[i].after_count;
    f->nodes = calloc(w->op_count + 1, sizeof *f->nodes);
    f->delays = calloc(edges + 1, sizeof *f->delays);
    f->done = calloc(run->op_count + 1, sizeof *f->done);
    f->ends = calloc(run->op_count + 1, sizeof *f->ends);
    if (!f->nodes || !f->delays || !f->done || !f->ends || !graph_ports_init(&f->ports, w))
        return gcast_error_set_memory(err);
    set_shape(f, run);
    for (size_t i = 0; i < run->op_count; i++) {
        if (!is_listed(f, run, i))
            return check_broken(run, i, "C-graph", "nodes of its launch are not in the run", err);
        set_times(f, run, i);
    }
    return GCAST_OK;
}

void graph_facts_free(graph_facts *f)
{
    free(f->nodes);
    free(f->delays);
    free(f->done);
    free(f->ends);
    graph_ports_free(&f->ports);
}

size_t graph_facts_first(const graph_facts *f, const gcast_run *run, size_t i)
{
    return f->nodes && i < run->op_count ? i - f->nodes[run->ops[i].op].place : i;
}

size_t graph_facts_count(const graph_facts *f, const gcast_run *run, size_t i)
{
    return f->nodes && i < run->op_count ? f->nodes[run->ops[i].op].count : 1;
}

bool graph_facts_has_edges(const graph_facts *f, const gcast_run *run, size_t i)
{
    return f->nodes && i < run->op_count && f->nodes[run->ops[i].op].edges;
}

bool graph_facts_joins(const graph_facts *f, const gcast_run *run, size_t i)
{
    return f->nodes[run->ops[i].op].joins;
}

int64_t graph_facts_end(const graph_facts *f, const gcast_run *run, size_t i)
{
    return f->nodes && i < run->op_count ? f->ends[graph_facts_first(f, run, i)] : check_end_ns(run, &run->ops[i]);
}

int64_t graph_facts_latency(const graph_facts *f, const gcast_run *run, size_t i)
{
    const gcast_gpu *g = run->gpu;
    int64_t latency = g->graph_latency_ns ? g->graph_latency_ns : g->launch_latency_ns;
    latency = sum(latency, product(g->graph_node_ns, graph_facts_count(f, run, i)));
    return sum(latency, product(g->graph_root_ns, f->nodes[run->ops[i].op].root));
}

int64_t graph_facts_before(const graph_facts *f, const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    int64_t last = 0;
    for (size_t k = 0; f->nodes && i < run->op_count && k < op->after_count; k++) {
        bool waits = inside(run->workload, run->ops[i].op, k) && port_of(f, run->ops[i].op, k) != GCAST_PORT_FULL;
        last = waits && f->done[named(run, i, k)] > last ? f->done[named(run, i, k)] : last;
    }
    return last;
}

bool graph_facts_edge(const graph_facts *f, const gcast_run *run, size_t i, size_t k, graph_facts_of_edge *out)
{
    if (!inside(run->workload, run->ops[i].op, k))
        return false;
    out->from = named(run, i, k);
    out->port = port_of(f, run->ops[i].op, k);
    out->done_ns = f->done[out->from];
    out->delay_ns = f->delays[f->nodes[run->ops[i].op].first_delay + k];
    return true;
}

/* Turns launches into launches of CUDA graphs, as if captured from streams, and back.
 *
 * The calls of a host between two of its waits become one graph. Each operation has an edge from the previous one of
 * its stream and from each of its dependencies. The launch is called at the time of the first call, without the pauses
 * between the others. All launches of a host go to one stream; if hosts share streams, those of all hosts do. Where one
 * host continues a stream that another began, as PyTorch's backward pass does, the graph goes on, too. */
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "change/change_parts.h"
#include "model/workload/workload.h"

#define SMALL_MEMSET 4096 /* bytes; larger ones run on SMs */

/* A small memset delays the next node so much more in a graph than in a stream: 3 to 6 microseconds on an H200, in all
 * recorded graphs with memsets (docs/whatif.md). */
#define MEMSET_HOLD_NS 4000

typedef struct capture {
    gcast_workload *w;
    const gcast_gpu *gpu;
    size_t *last;          /* by stream: the last op of the graph in it; SIZE_MAX: none */
    int *stream;           /* by host: the stream of all its launches; -1: not known yet */
    int *old_stream;       /* by op: the stream that it was in */
    size_t first;          /* op that begins the graph */
    size_t made;           /* graphs with more than one node */
    VEC(uint32_t) after;   /* of one node: its dependencies */
    VEC(gcast_port) ports; /* of each dependency */
} capture;

/* Can the op be a node? Not if the host waits for it, or if graphs cannot have it. */
static bool may_be_node(const gcast_op *op)
{
    return gcast_kind_on_gpu(op->kind) && op->host != GCAST_NO_HOST && !op->host_waits &&
           op->policy == GCAST_POLICY_HARDWARE && !op->launches;
}

/* Does the op depend on an op that is neither in the graph that begins at `first` nor an earlier call of its host? Only
 * the first node may. */
static bool waits_for_others(const capture *k, const gcast_op *op)
{
    for (size_t i = 0; i < op->after_count; i++)
        if (op->after[i] < k->first && k->w->ops[op->after[i]].host != op->host)
            return true;
    return false;
}

/* May op i join the graph of op i - 1? */
static bool goes_on(const capture *k, size_t i)
{
    const gcast_op *op = &k->w->ops[i], *before = &k->w->ops[i - 1];
    if (op->graph != GCAST_NO_GRAPH || before->graph != GCAST_NO_GRAPH)
        return op->graph == before->graph; /* launches of graphs stay as they are */
    bool same = op->host == before->host || k->old_stream[i] == k->old_stream[i - 1];
    return may_be_node(op) && may_be_node(before) && same && op->skip_ns == GCAST_NEVER && !waits_for_others(k, op);
}

static bool add_edge(capture *k, size_t from, gcast_port port)
{
    for (size_t i = 0; i < k->after.count; i++)
        if (k->after.at[i] == from)
            return true;
    return vec_push(&k->after, (uint32_t)from) && vec_push(&k->ports, port);
}

/* Collects the edges of a node: from the previous op of its stream, and from its dependencies in this graph. The first
 * node keeps its dependencies outside. */
static bool collect_edges(capture *k, size_t i)
{
    const gcast_op *op = &k->w->ops[i];
    size_t before = k->last[k->old_stream[i]];
    bool ok = true;
    k->after.count = k->ports.count = 0;
    if (before != SIZE_MAX && i != k->first) {
        bool early = op->programmatic && op->kind == GCAST_KIND_KERNEL && k->w->ops[before].kind == GCAST_KIND_KERNEL;
        ok = add_edge(k, before, early ? GCAST_PORT_PROGRAMMATIC : GCAST_PORT_FULL);
    }
    for (size_t a = 0; a < op->after_count && ok; a++)
        if (op->after[a] >= k->first || i == k->first)
            ok = add_edge(k, op->after[a], GCAST_PORT_FULL);
    k->last[k->old_stream[i]] = i;
    return ok;
}

static gcast_status make_node(capture *k, size_t i, int graph, gcast_error *err)
{
    bool ok = collect_edges(k, i);
    gcast_op op = k->w->ops[i];
    op.graph = graph;
    op.programmatic = false;
    if (i != k->first) {
        op.host = k->w->ops[k->first].host;
        op.release_ns = k->w->ops[k->first].release_ns;
        op.delay_ns = op.event_pause_ns = op.extra_latency_ns = 0;
    }
    op.ports = NULL;
    if (op.kind == GCAST_KIND_MEMSET && op.bytes <= SMALL_MEMSET && k->gpu->graph_gap_ns) {
        op.min_ns += MEMSET_HOLD_NS;
        op.max_ns += MEMSET_HOLD_NS;
    }
    workload_put_op(k->w, i, &op);
    ok = ok && workload_set_after(k->w, i, k->after.at, k->after.count) && workload_set_ports(k->w, i, k->ports.at);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Turns the ops from `first` to before `behind` into one launch. Numbers of graphs must ascend, so a launch that was
 * there gets a new number, too. */
static gcast_status make_launch(capture *k, size_t behind, gcast_error *err)
{
    char name[40];
    int graph;
    const gcast_op *first = &k->w->ops[k->first];
    bool was_graph = first->graph != GCAST_NO_GRAPH;
    snprintf(name, sizeof name, "captured %zu", k->made + 1);
    if (!was_graph && behind - k->first < 2)
        return GCAST_OK;
    gcast_status status = gcast_workload_add_graph(k->w, was_graph ? k->w->graphs[first->graph] : name, &graph, err);
    for (size_t i = 0; i < k->w->stream_count; i++)
        k->last[i] = SIZE_MAX;
    k->made += !was_graph;
    for (size_t i = k->first; i < behind && status == GCAST_OK; i++) {
        gcast_op op = k->w->ops[i];
        op.graph = graph;
        if (was_graph)
            workload_put_op(k->w, i, &op);
        else
            status = make_node(k, i, graph, err);
    }
    return status;
}

/* Do several hosts use one stream? Then all launches go to one stream, to keep the order of their calls. An error where
 * ops without a host share a stream with hosts. */
static gcast_status streams_are_shared(const capture *k, bool *shared, gcast_error *err)
{
    int *user = malloc((k->w->stream_count + 1) * sizeof *user); /* by stream: the host that uses it; -2: none */
    gcast_status status = user ? GCAST_OK : gcast_error_set_memory(err);
    *shared = false;
    for (size_t i = 0; i < k->w->stream_count && user; i++)
        user[i] = -2;
    for (size_t i = 0; i < k->w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &k->w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        bool other = user[op->stream] != -2 && user[op->stream] != op->host;
        *shared = *shared || other;
        if (other && (op->host == GCAST_NO_HOST || user[op->stream] == GCAST_NO_HOST))
            status = gcast_error_set(
                err, GCAST_INPUT, NULL,
                "%.100s was launched before the recording began, or by nobody: its CPU thread is unknown", op->label);
        user[op->stream] = op->host;
    }
    free(user);
    return status;
}

/* Moves all calls and waits of a host to one stream. */
static void put_in_one_stream(capture *k, bool shared)
{
    for (size_t i = 0; i < k->w->op_count; i++) {
        gcast_op op = k->w->ops[i];
        k->old_stream[i] = op.stream;
        if (op.host == GCAST_NO_HOST || op.stream < 0)
            continue;
        bool is_first = k->stream[op.host] < 0 && gcast_kind_on_gpu(op.kind);
        for (size_t h = 0; h < k->w->host_count && is_first; h++)
            if (k->stream[h] < 0 && (shared || h == (size_t)op.host))
                k->stream[h] = op.stream;
        if (k->stream[op.host] >= 0)
            op.stream = k->stream[op.host];
        workload_put_op(k->w, i, &op);
    }
}

static gcast_status capture_all(capture *k, gcast_error *err)
{
    bool shared;
    gcast_status status = streams_are_shared(k, &shared, err);
    if (status == GCAST_OK)
        put_in_one_stream(k, shared);
    for (size_t i = 0; i < k->w->op_count && status == GCAST_OK;) {
        k->first = i;
        bool may = may_be_node(&k->w->ops[i]) || k->w->ops[i].graph != GCAST_NO_GRAPH;
        for (i++; may && i < k->w->op_count && goes_on(k, i);)
            i++;
        if (may)
            status = make_launch(k, i, err);
    }
    if (status == GCAST_OK && !k->made)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "no host makes two calls in a row that a graph could hold");
    return status;
}

gcast_status change_to_graphs(variant *v, gcast_error *err)
{
    gcast_workload *w = v->w;
    capture k = {.w = w, .gpu = v->gpu};
    k.last = malloc((w->stream_count + 1) * sizeof *k.last);
    k.stream = malloc((w->host_count + 1) * sizeof *k.stream);
    k.old_stream = malloc((w->op_count + 1) * sizeof *k.old_stream);
    gcast_status status = k.last && k.stream && k.old_stream ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t i = 0; i < w->host_count && status == GCAST_OK; i++)
        k.stream[i] = -1;
    if (status == GCAST_OK)
        status = capture_all(&k, err);
    free(k.last);
    free(k.stream);
    free(k.old_stream);
    vec_free(&k.after);
    vec_free(&k.ports);
    return status;
}

gcast_status change_to_launches(variant *v, const change *c, gcast_error *err)
{
    gcast_workload *w = v->w;
    int64_t pause_ns = c->value >= 0 ? c->value : v->gpu->launch_latency_ns;
    int graph = GCAST_NO_GRAPH; /* of the op before */
    if (!w->graph_count)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there are no graphs");
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = w->ops[i];
        if (op.graph != GCAST_NO_GRAPH && op.graph == graph && op.host != GCAST_NO_HOST)
            op.delay_ns = pause_ns;
        graph = op.graph;
        op.graph = GCAST_NO_GRAPH;
        op.ports = NULL;
        workload_put_op(w, i, &op);
    }
    workload_owned(w)->graphs.count = w->graph_count = 0;
    return GCAST_OK;
}

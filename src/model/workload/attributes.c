#include "model/workload/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/names.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"

#define PATH_SIZE sizeof((gcast_error *)NULL)->path

uint32_t attributes_cluster(const gcast_op *op)
{
    return op->cluster[0] * op->cluster[1] * op->cluster[2];
}

uint64_t attributes_block_at(const gcast_op *op, uint64_t position)
{
    uint64_t cluster = position / attributes_cluster(op), rank = position % attributes_cluster(op), at[3];
    if (attributes_cluster(op) == 1)
        return position;
    for (int k = 0; k < 3; k++) {
        uint64_t clusters = op->grid[k] / op->cluster[k];
        at[k] = cluster % clusters * op->cluster[k] + rank % op->cluster[k];
        cluster /= clusters;
        rank /= op->cluster[k];
    }
    return at[0] + op->grid[0] * (at[1] + op->grid[1] * at[2]);
}

bool attributes_waits(const gcast_op *op)
{
    return op->wait_ns != GCAST_NEVER;
}

/* The first key of an attribute that an op has, except attributes that any node of a graph may have; NULL: none. */
static const char *key_besides_graph(const gcast_op *op)
{
    if (op->cluster[0] != 1 || op->cluster[1] != 1 || op->cluster[2] != 1)
        return "cluster";
    if (op->cooperative)
        return "cooperative";
    if (op->programmatic)
        return "programmatic";
    if (op->waits_for_count)
        return "waits_for";
    return attributes_waits(op) ? "wait_ns" : NULL;
}

/* The first key of an attribute that an op has; NULL: none. */
static const char *first_key(const gcast_op *op)
{
    if (op->graph != GCAST_NO_GRAPH)
        return "graph";
    return op->trigger_ns != GCAST_NEVER ? "trigger_ns" : key_besides_graph(op);
}

bool attributes_any(const gcast_op *op)
{
    return first_key(op) != NULL;
}

bool attributes_is_next_node(const gcast_workload *w, size_t op)
{
    return op > 0 && w->ops[op].graph != GCAST_NO_GRAPH && w->ops[op - 1].graph == w->ops[op].graph;
}

bool attributes_is_first_node(const gcast_workload *w, size_t op)
{
    return w->ops[op].graph != GCAST_NO_GRAPH && !attributes_is_next_node(w, op);
}

static void key_path(const gcast_workload *w, size_t op, const char *key, char path[PATH_SIZE])
{
    gcast_workload_op_path(w, op, path, PATH_SIZE);
    size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "/%.60s", key);
}

#define fail_at(key, ...) (key_path(w, i, key, path), gcast_error_set(err, GCAST_INPUT, path, __VA_ARGS__))

static gcast_status check_cluster(const gcast_workload *w, size_t i, gcast_error *err)
{
    static const char axes[] = "xyz";
    const gcast_op *op = &w->ops[i];
    char path[PATH_SIZE];
    for (int k = 0; k < 3; k++) {
        if (op->cluster[k] < 1 || op->cluster[k] > ATTRIBUTES_MAX_CLUSTER)
            return fail_at("cluster", "a cluster has from 1 to %d blocks", ATTRIBUTES_MAX_CLUSTER);
        if (op->grid[k] % op->cluster[k])
            return fail_at(
                "cluster",
                "%u blocks of the grid in the direction %c are not a multiple of %u, the size of the cluster",
                op->grid[k], axes[k], op->cluster[k]);
    }
    if (attributes_cluster(op) > ATTRIBUTES_MAX_CLUSTER)
        return fail_at("cluster", "a cluster has from 1 to %d blocks", ATTRIBUTES_MAX_CLUSTER);
    return GCAST_OK;
}

static gcast_status check_times(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    int64_t shortest = workload_shortest_block(op);
    char path[PATH_SIZE];
    if (op->trigger_ns != GCAST_NEVER && (op->trigger_ns < 0 || op->trigger_ns > WORKLOAD_MAX_NS))
        return fail_at("trigger_ns", "must be from 0 to 2^61 - 1");
    if (!attributes_waits(op))
        return GCAST_OK;
    if (op->wait_ns < 0 || op->wait_ns > WORKLOAD_MAX_NS)
        return fail_at("wait_ns", "must be from 0 to 2^61 - 1");
    if (shortest != GCAST_UNKNOWN_NS && op->wait_ns > shortest)
        return fail_at("wait_ns", "a block takes %lld ns, and cannot wait after %lld", (long long)shortest,
                       (long long)op->wait_ns);
    return GCAST_OK;
}

static gcast_status check_waits_for(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    char path[PATH_SIZE];
    for (size_t k = 0; k < op->waits_for_count; k++) {
        if (op->waits_for[k] >= w->op_count)
            return fail_at("waits_for", "there is no op %u", op->waits_for[k]);
        const gcast_op *other = &w->ops[op->waits_for[k]];
        if (other->kind != GCAST_KIND_KERNEL)
            return fail_at("waits_for", "%.100s is a %s: blocks wait for blocks of kernels", other->label,
                           gcast_name(GCAST_NAMES_KIND, other->kind));
        if (other->task != op->task)
            return fail_at("waits_for", "%.100s is not of the same job", other->label);
    }
    if (op->waits_for_count && !attributes_waits(op))
        return fail_at("waits_for", "when its blocks wait is missing: wait_ns");
    return GCAST_OK;
}

gcast_status attributes_check(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    char path[PATH_SIZE];
    const char *key = first_key(op);
    if (!key)
        return GCAST_OK;
    if (op->graph != GCAST_NO_GRAPH && (op->graph < 0 || (size_t)op->graph >= w->graph_count))
        return fail_at("graph", "there is no such launch of a graph");
    if (!gcast_kind_on_gpu(op->kind) || (op->kind != GCAST_KIND_KERNEL && op->graph == GCAST_NO_GRAPH))
        return fail_at(key, "a %s has no %s", gcast_name(GCAST_NAMES_KIND, op->kind), key);
    if (op->kind != GCAST_KIND_KERNEL)
        return GCAST_OK;
    if (op->policy != GCAST_POLICY_HARDWARE || op->launches)
        return fail_at(key, "a kernel with a plan, or one that launches kernels, has no %s", key);
    if (op->programmatic && op->graph != GCAST_NO_GRAPH)
        return fail_at("programmatic",
                       "a node of a graph cannot be programmatic: give the port programmatic in \"after\"");
    gcast_status status = check_cluster(w, i, err);
    if (status == GCAST_OK)
        status = check_times(w, i, err);
    return status == GCAST_OK ? check_waits_for(w, i, err) : status;
}

/* A further node of a launch is called with the first one. */
static gcast_status check_node(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i], *before = &w->ops[i - 1];
    char path[PATH_SIZE];
    if (op->stream != before->stream || op->host != before->host || op->task != before->task)
        return fail_at("graph", "the nodes of %.100s must have one stream and one host", w->graphs[op->graph]);
    if (op->release_ns != before->release_ns)
        return fail_at("release_ns", "the nodes of %.100s must be released together", w->graphs[op->graph]);
    if (op->delay_ns || op->skip_ns != GCAST_NEVER || op->extra_latency_ns || op->host_waits || before->host_waits)
        return fail_at("graph",
                       "only the first node of %.100s may have delay_ns, skip_ns and extra_latency_ns, and none "
                       "host_waits",
                       w->graphs[op->graph]);
    return GCAST_OK;
}

/* Checks the ports and the predecessors of an op. */
static gcast_status check_edges(const gcast_workload *w, size_t i, gcast_error *err)
{
    const gcast_op *op = &w->ops[i];
    char path[PATH_SIZE];
    for (size_t k = 0; k < op->after_count; k++) {
        const gcast_op *named = &w->ops[op->after[k]];
        bool inside = op->graph != GCAST_NO_GRAPH && named->graph == op->graph;
        gcast_port port = op->ports ? op->ports[k] : GCAST_PORT_FULL;
        if ((unsigned)port >= GCAST_PORTS)
            return fail_at("after", "a port is full, programmatic or launch_completion");
        if (port != GCAST_PORT_FULL && (!inside || op->kind != GCAST_KIND_KERNEL || named->kind != GCAST_KIND_KERNEL))
            return fail_at("after", "the port %s is for kernels of one graph", gcast_name(GCAST_NAMES_PORT, port));
        if (!inside && attributes_is_next_node(w, i))
            return fail_at("after",
                           "%.100s is not in %.100s: only the first node of a graph can depend on other operations",
                           named->label, w->graphs[op->graph]);
    }
    return GCAST_OK;
}

gcast_status attributes_check_graphs(const gcast_workload *w, gcast_error *err)
{
    char path[PATH_SIZE];
    int last = GCAST_NO_GRAPH; /* launch whose nodes came last */
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_status status = check_edges(w, i, err);
        if (status == GCAST_OK && attributes_is_next_node(w, i))
            status = check_node(w, i, err);
        if (status != GCAST_OK)
            return status;
        if (!attributes_is_first_node(w, i))
            continue;
        if (w->ops[i].graph <= last)
            return fail_at("graph", "the nodes of %.100s must be consecutive", w->graphs[w->ops[i].graph]);
        last = w->ops[i].graph;
    }
    return GCAST_OK;
}

gcast_status attributes_refuse(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < w->op_count; i++) {
        const char *key = first_key(&w->ops[i]);
        if (key)
            return fail_at(key, "%.100s has %s: %s", w->ops[i].label, key, refusal);
    }
    return GCAST_OK;
}

/* The first op with a plan, or that launches kernels; op_count: none. */
static size_t first_managed(const gcast_workload *w)
{
    size_t i = 0;
    while (i < w->op_count && w->ops[i].policy == GCAST_POLICY_HARDWARE && !w->ops[i].launches)
        i++;
    return i;
}

gcast_status attributes_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    size_t managed = first_managed(w);
    char path[PATH_SIZE];
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const char *key = op->graph == GCAST_NO_GRAPH ? first_key(op) : key_besides_graph(op);
        if (!key)
            continue;
        if (managed < w->op_count)
            return fail_at(key, "%.100s has %s, and %.100s %s: gridcast does not simulate these together", op->label,
                           key, w->ops[managed].label, w->ops[managed].launches ? "launches kernels" : "has a plan");
        if (op->programmatic && gpu->limits.cc_major < ATTRIBUTES_PROGRAMMATIC_CC)
            return fail_at("programmatic",
                           "%.100s is programmatic, which needs compute capability %d.0: %.100s has %d.%d", op->label,
                           ATTRIBUTES_PROGRAMMATIC_CC, gpu->name, gpu->limits.cc_major, gpu->limits.cc_minor);
        if (op->cooperative && gpu->limits.cc_major < ATTRIBUTES_COOPERATIVE_CC)
            return fail_at("cooperative",
                           "%.100s is cooperative, which needs compute capability %d.0: %.100s has %d.%d", op->label,
                           ATTRIBUTES_COOPERATIVE_CC, gpu->name, gpu->limits.cc_major, gpu->limits.cc_minor);
    }
    return GCAST_OK;
}

gcast_status attributes_refuse_special(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    gcast_status status = policy_refuse(w, refusal, err);
    return status == GCAST_OK ? attributes_refuse(w, refusal, err) : status;
}

/* The ports that the hardware honours are found in O(ops + edges). */

/* The outgoing edges of an op that have a port, as given in the workload. */
typedef struct out_ports {
    size_t count;        /* of either kind */
    bool from_its_start; /* one of them is launch_completion */
} out_ports;

/* The number of all edges; 0 if none has a port. */
static size_t count_edges(const gcast_workload *w)
{
    size_t edges = 0;
    bool ported = false;
    for (size_t i = 0; i < w->op_count; i++) {
        edges += w->ops[i].after_count;
        ported = ported || w->ops[i].ports;
    }
    return ported ? edges : 0;
}

static void count_out(const gcast_workload *w, out_ports *out)
{
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && w->ops[i].ports; k++) {
            out_ports *from = &out[w->ops[i].after[k]];
            from->count += w->ops[i].ports[k] != GCAST_PORT_FULL;
            from->from_its_start = from->from_its_start || w->ops[i].ports[k] == GCAST_PORT_LAUNCH_COMPLETION;
        }
}

/* Sets the ports of the incoming edges of an op. */
static void set_ports(const gcast_op *op, const out_ports *out, gcast_port *ports)
{
    uint32_t first = UINT32_MAX; /* the first predecessor with a port */
    for (size_t k = 0; k < op->after_count; k++) {
        uint32_t from = op->after[k];
        ports[k] = op->ports ? op->ports[k] : GCAST_PORT_FULL;
        if (ports[k] == GCAST_PORT_PROGRAMMATIC && out[from].from_its_start)
            ports[k] = GCAST_PORT_FULL;
        if (ports[k] != GCAST_PORT_FULL && from < first)
            first = from;
    }
    for (size_t k = 0; k < op->after_count && first != UINT32_MAX; k++)
        if (op->after[k] != first && (out[op->after[k]].count > 1 || out[first].count > 1))
            ports[k] = GCAST_PORT_FULL;
}

bool graph_ports_init(graph_ports *p, const gcast_workload *w)
{
    size_t edges = count_edges(w), filled = 0;
    *p = (graph_ports){0};
    if (!edges)
        return true;
    out_ports *out = calloc(w->op_count, sizeof *out);
    p->first = calloc(w->op_count, sizeof *p->first);
    p->ports = calloc(edges, sizeof *p->ports);
    bool ok = out && p->first && p->ports;
    if (ok)
        count_out(w, out);
    for (size_t i = 0; i < w->op_count && ok; i++) {
        p->first[i] = filled;
        set_ports(&w->ops[i], out, p->ports + filled);
        filled += w->ops[i].after_count;
    }
    free(out);
    return ok;
}

void graph_ports_free(graph_ports *p)
{
    free(p->first);
    free(p->ports);
    *p = (graph_ports){0};
}

/* Random launches of CUDA graphs: runs of ops become their nodes, with edges of every kind. */
#include <stdio.h>
#include <stdlib.h>

#include "model/workload/workload.h"
#include "property/generate.h"
#include "support/builders.h"

#define MAX_NODES 9

/* The forms of graphs that are made. */
enum { ANY, LINE, STAR, ROOTS, PAIRS, LAYERS, DIAMONDS, FORMS };

static void set_gpu(support_random *r, gcast_gpu *gpu)
{
    gpu->graph_latency_ns = percent(r, 50) ? 0 : one_of(r, 1, 3, 10, 30);
    gpu->graph_node_ns = percent(r, 50) ? 0 : one_of(r, 1, 2, 5);
    gpu->graph_root_ns = percent(r, 50) ? 0 : one_of(r, 1, 3, 10);
    gpu->graph_gap_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5, 20);
    gpu->graph_step_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5);
    gpu->graph_trigger_gap_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5);
    gpu->graph_start_gap_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5);
    gpu->graph_copy_gap_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5, 20);
    gpu->graph_wait_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5, 20);
    gpu->graph_wide = percent(r, 50) ? 0 : (int)one_of(r, 1, 2, 3, 4);
    gpu->graph_wide_ns = percent(r, 40) ? 0 : one_of(r, 1, 5, 10);
    gpu->graph_wide_step_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5);
}

static bool may_be_node(const gcast_op *op)
{
    return gcast_kind_on_gpu(op->kind) && op->policy == GCAST_POLICY_HARDWARE && !op->launches;
}

/* Ops i to i + n - 1 become one launch. */
static void make_launch(support_random *r, gcast_workload *w, size_t i, size_t n)
{
    char name[24];
    int graph;
    gcast_error err;
    gcast_op *ops = (gcast_op *)w->ops + i;
    snprintf(name, sizeof name, "graph%zu", w->graph_count);
    assert_ok(gcast_workload_add_graph(w, name, &graph, &err), &err);
    for (size_t k = 0; k < n; k++) {
        ops[k].graph = graph;
        ops[k].stream = ops[0].stream;
        ops[k].host = ops[0].host;
        ops[k].release_ns = ops[0].release_ns;
        ops[k].delay_ns = k ? 0 : ops[0].delay_ns;
        ops[k].skip_ns = k ? GCAST_NEVER : ops[0].skip_ns;
        ops[k].host_waits = false;
        if (ops[k].kind == GCAST_KIND_KERNEL && percent(r, 60))
            ops[k].trigger_ns = one_of(r, 0, 1, 2, 5, 20, 50, 300);
        if (ops[k].kind == GCAST_KIND_MEMSET && percent(r, 50))
            ops[k].bytes += 4096; /* most are then kernels of the driver */
    }
}

void generate_nodes(support_random *r, gcast_workload *w, gcast_gpu *gpu)
{
    set_gpu(r, gpu);
    for (size_t i = 0, n; i < w->op_count; i += n) {
        size_t most = (size_t)support_between(r, 1, MAX_NODES);
        for (n = 0; n < most && i + n < w->op_count; n++)
            if (!may_be_node(&w->ops[i + n]) || w->ops[i + n].task != w->ops[i].task)
                break;
        if (n && percent(r, 80))
            make_launch(r, w, i, n);
        n = n ? n : 1;
    }
}

/* Is node `place` of a graph of this form after the earlier node `other`? */
static bool is_after(support_random *r, int form, size_t place, size_t other)
{
    switch (form) {
    case LINE:
        return other + 1 == place;
    case STAR:
        return other == 0 || percent(r, 5);
    case ROOTS:
        return percent(r, 8);
    case PAIRS: /* two lines that meet */
        return other + 2 == place || (place > 4 && percent(r, 20));
    case LAYERS: /* of three nodes each, behind the first */
        return other ? (other - 1) / 3 + 1 == (place - 1) / 3 && percent(r, 50) : place <= 3;
    case DIAMONDS: /* one behind the other */
        return (place % 3 ? other + place % 3 == place : other + 2 >= place) || percent(r, 5);
    default:
        return percent(r, 35);
    }
}

static void add_edges(support_random *r, gcast_workload *w, size_t i, size_t place, int form, int ported)
{
    uint32_t after[MAX_NODES] = {0};
    gcast_port ports[MAX_NODES];
    size_t count = 0;
    for (size_t other = 0; other < place; other++) {
        const gcast_op *named = &w->ops[i - place + other];
        if (!is_after(r, form, place, other))
            continue;
        bool kernels = w->ops[i].kind == GCAST_KIND_KERNEL && named->kind == GCAST_KIND_KERNEL;
        ports[count] = kernels && percent(r, ported) ? (gcast_port)support_between(r, ported == 100, GCAST_PORTS - 1)
                                                     : GCAST_PORT_FULL;
        after[count++] = (uint32_t)(i - place + other);
    }
    if (count > 1 && percent(r, 30)) { /* they may be named in any order */
        uint32_t other = after[0];
        gcast_port port = ports[0];
        after[0] = after[count - 1];
        ports[0] = ports[count - 1];
        after[count - 1] = other;
        ports[count - 1] = port;
    }
    assert_true(workload_set_after(w, i, after, count));
    assert_true(!count || workload_set_ports(w, i, ports));
}

void generate_edges(support_random *r, gcast_workload *w)
{
    int form = ANY, ported = 0;
    for (size_t i = 0, place = 0; i < w->op_count; i++) {
        bool is_next = i && w->ops[i].graph >= 0 && w->ops[i].graph == w->ops[i - 1].graph;
        place = is_next ? place + 1 : 0;
        if (!is_next) {
            form = (int)support_between(r, 0, FORMS - 1);
            ported = (int)one_of(r, 0, 40, 80, 100);
        } else {
            add_edges(r, w, i, place, form, ported);
        }
    }
}

void generate_mesh(support_random *r, gcast_workload *w)
{
    gcast_error err;
    int graph, nodes = (int)support_between(r, 4, MAX_NODES), ported = (int)one_of(r, 40, 80, 100);
    int form = (int)one_of(r, ANY, LAYERS, LAYERS, DIAMONDS, DIAMONDS);
    size_t first = w->op_count;
    assert_ok(gcast_workload_add_graph(w, "mesh", &graph, &err), &err);
    for (int place = 0; place < nodes; place++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = "node";
        op.graph = graph;
        op.stream = (int)(first % w->stream_count);
        op.block[0] = 32;
        op.shape.threads = 32;
        op.grid[0] = 1;
        op.min_ns = op.max_ns = support_between(r, 10, 150);
        if (percent(r, 60))
            op.trigger_ns = support_between(r, 0, 100);
        assert_true(support_add_op(w, &op, &err) >= 0);
        if (place)
            add_edges(r, w, first + (size_t)place, (size_t)place, form, ported);
    }
}

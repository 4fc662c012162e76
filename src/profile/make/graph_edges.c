/* Edges between the nodes of a graph launch, recorded or inferred, and the order in which the driver queues nodes. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/heap.h"
#include "base/index.h"
#include "base/integers.h"
#include "profile/make/graph_launches.h"
#include "profile/trace_finish.h"

/* Recorded edges come first. Nodes that run nothing on the GPU, such as empty nodes and host nodes, are skipped: their
 * successors depend on their predecessors. The driver itself adds such nodes to executable graphs, where many nodes
 * depend on one. */

#define MOST_PASSED 256 /* limit of skipped nodes behind one operation */

typedef struct told_launch {
    graph_launches *g;
    const made_item *launch;
    int64_t pid;
    hash_index index;      /* from origins to operations of the launch */
    VEC(int64_t) passed;   /* the operation's node and the skipped nodes before it */
    bool is_complete;      /* so far all edges are known */
    uint64_t contradicted; /* edges that times contradict */
    uint64_t early;        /* edges that times contradict as full ones: taken as programmatic */
} told_launch;

static uint32_t op_of(const told_launch *t, int64_t origin)
{
    for (index_probe p = index_start(&t->index, index_hash(&origin, sizeof origin)); index_next(&t->index, &p);)
        if (trace_op(t->g->m, p.value)->origin == origin)
            return p.value;
    return PROF_NONE;
}

/* Indexes the nodes of the launch. Each must occur once, and all must be of one graph: nodes of a child graph have no
 * edges to nodes outside of it. */
static bool find_nodes(told_launch *t)
{
    const making *m = t->g->m;
    int64_t graph = -1;
    for (uint32_t k = 0; k < t->launch->op_count && t->is_complete; k++) {
        const prof_op *op = trace_op(m, t->launch->first_op + k);
        const prof_node *n = op->origin == PROF_UNKNOWN ? NULL : graph_node_find(m->t, t->pid, op->origin);
        t->is_complete = n && op_of(t, op->origin) == PROF_NONE && (graph < 0 || graph == n->graph);
        graph = n ? n->graph : graph;
        if (t->is_complete &&
            !index_add(&t->index, index_hash(&op->origin, sizeof op->origin), t->launch->first_op + k))
            return false;
    }
    return true;
}

/* Is there such an edge already? All edges to an operation are added in a row. */
static bool is_there(const making *m, uint32_t op, uint32_t before)
{
    for (size_t i = m->afters.count; i-- > 0 && m->afters.at[i].op == op;)
        if (m->afters.at[i].before == before)
            return true;
    return false;
}

/* An edge between kernels that ran at the same time cannot be a full one: it is taken as programmatic. */
static bool add_edge(told_launch *t, uint32_t op, uint32_t before, gcast_port port)
{
    making *m = t->g->m;
    const prof_op *x = trace_op(m, op), *y = trace_op(m, before);
    bool kernels = x->kind == GCAST_KIND_KERNEL && y->kind == GCAST_KIND_KERNEL;
    made_after a = {.op = op, .before = before, .port = kernels ? port : GCAST_PORT_FULL};
    if (op <= before || (!kernels && y->end_ns > x->start_ns)) {
        t->contradicted++;
        return true;
    }
    if (a.port == GCAST_PORT_FULL && y->end_ns > x->start_ns) {
        a.port = GCAST_PORT_PROGRAMMATIC;
        t->early++;
    }
    return vec_push(&m->afters, a);
}

/* Skips a node without an operation: the operation depends on the node's predecessors. */
static bool pass(told_launch *t, int64_t node)
{
    const prof_node *n = graph_node_find(t->g->m->t, t->pid, node);
    for (size_t i = 0; i < t->passed.count; i++)
        if (t->passed.at[i] == node)
            return true;
    t->is_complete = t->is_complete && !(n && n->is_graph) && t->passed.count < MOST_PASSED;
    return !t->is_complete || vec_push(&t->passed, node);
}

static bool add_edges_to(told_launch *t, uint32_t op)
{
    const prof_trace *trace = t->g->m->t;
    t->passed.count = 0;
    if (!vec_push(&t->passed, trace_op(t->g->m, op)->origin))
        return false;
    for (size_t i = 0; i < t->passed.count && t->is_complete; i++) {
        size_t count;
        const prof_edge *edges = graph_edges_to(trace, t->pid, t->passed.at[i], &count);
        for (size_t k = 0; k < count && t->is_complete; k++) {
            uint32_t before = op_of(t, edges[k].before);
            gcast_port port = i == 0 ? edges[k].port : GCAST_PORT_FULL;
            if (before == PROF_NONE ? !pass(t, edges[k].before)
                                    : before != op && !is_there(t->g->m, op, before) && !add_edge(t, op, before, port))
                return false;
        }
    }
    return true;
}

bool graph_edges_told(graph_launches *g, const made_item *launch, bool *told)
{
    uint32_t stream = trace_op(g->m, launch->first_op)->stream;
    told_launch t = {
        .g = g, .launch = launch, .pid = g->m->t->streams[stream].pid, .is_complete = g->m->t->node_count > 0};
    size_t at = g->m->afters.count;
    bool ok = find_nodes(&t);
    for (uint32_t k = 0; k < launch->op_count && ok && t.is_complete; k++)
        ok = add_edges_to(&t, launch->first_op + k);
    *told = t.is_complete && t.contradicted <= g->m->afters.count - at; /* else they cannot be believed */
    if (!*told)
        g->m->afters.count = at;
    g->contradicted += *told ? t.contradicted : 0;
    g->early += *told ? t.early : 0;
    index_free(&t.index);
    vec_free(&t.passed);
    return ok;
}

/* Edges that are not recorded are inferred from all launches of a graph. A candidate is a node that had ended before
 * this node started, in every launch. The rules are:
 * 1. the node depends on the last candidate of its own stream, if that stream runs its nodes one by one;
 * 2. it depends on the candidate that ended last, if that was right before the node's start in any launch, and its own
 *    stream had been ready for longer;
 * 3. if neither applies, it depends on the candidate that ended last; without candidates, it is a root. */

#define MOST_BACK 256    /* limit of the candidates of one node */
#define MOST_BEFORE 16   /* limit of the predecessors of one node */
#define MOST_VISITS 4096 /* limit of the nodes visited to see whether an edge is implied */

typedef struct inferring {
    graph_launches *g;
    const graph_group *group;
    uint32_t *order;       /* numbers of nodes by their starts in the first launch */
    uint32_t *last;        /* by stream of the trace: number of its last node so far */
    bool *overlaps;        /* by stream of the trace: its nodes ran beside each other */
    uint32_t *first_edge;  /* by node: its part of befores[] */
    uint32_t *edge_count;  /* by node */
    uint32_t *visited;     /* by node: the last search that visited it */
    uint32_t search;       /* number of the current search */
    VEC(uint32_t) befores; /* predecessors */
    bool *is_early;        /* by node: its edge is programmatic */
    VEC(uint32_t) stack;
} inferring;

/* Predecessors of a node before implied ones are removed. */
typedef struct before_list {
    uint32_t at[MOST_BEFORE];
    uint32_t count;
} before_list;

static const prof_op *node_in(const inferring *x, size_t launch, uint32_t node)
{
    return node_at(x->g, x->group->firsts.at[launch], node);
}

/* Did `before` end before `node` started, in all launches? */
static bool precedes(const inferring *x, uint32_t before, uint32_t node)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        if (node_in(x, l, before)->end_ns > node_in(x, l, node)->start_ns)
            return false;
    return true;
}

static void add_before(before_list *list, uint32_t node)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == node)
            return;
    if (list->count < MOST_BEFORE)
        list->at[list->count++] = node;
}

/* Sorts nodes by start, and finds the streams that run their nodes one by one. */
static void look_at_streams(inferring *x)
{
    uint32_t nodes = x->group->nodes, first = x->group->firsts.at[0];
    for (uint32_t k = 0; k < nodes; k++) {
        x->order[x->g->node_op[first + k] - first] = k;
        x->last[node_in(x, 0, k)->stream] = PROF_NONE;
        x->overlaps[node_in(x, 0, k)->stream] = false;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = x->order[i], stream = node_in(x, 0, node)->stream;
        if (x->last[stream] != PROF_NONE && !precedes(x, x->last[stream], node))
            x->overlaps[stream] = true;
        x->last[stream] = node;
    }
}

/* The node of the list that ended last in this launch. */
static uint32_t last_ended(const inferring *x, size_t launch, const uint32_t *list, uint32_t count)
{
    uint32_t best = PROF_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (best == PROF_NONE || node_in(x, launch, list[i])->end_ns > node_in(x, launch, best)->end_ns)
            best = list[i];
    return best;
}

/* The kernel's predecessor in its stream if that is a kernel, too; else PROF_NONE. */
static uint32_t kernel_before(const inferring *x, uint32_t place)
{
    const prof_op *op = node_in(x, 0, x->order[place]);
    for (uint32_t i = place; i-- > 0 && place - i <= MOST_BACK && op->kind == GCAST_KIND_KERNEL;) {
        const prof_op *before = node_in(x, 0, x->order[i]);
        if (before->stream == op->stream)
            return before->kind == GCAST_KIND_KERNEL ? x->order[i] : PROF_NONE;
    }
    return PROF_NONE;
}

/* Did the kernel overlap with `before` in some launch? In every launch, `before` must have started well before it, and
 * no candidate may have ended right before its start. */
static bool is_programmatic(const inferring *x, uint32_t before, uint32_t node, const uint32_t *ended, uint32_t count)
{
    bool overlaps = false;
    for (size_t l = 0; l < x->group->firsts.count; l++) {
        const prof_op *op = node_in(x, l, node), *first = node_in(x, l, before);
        uint32_t last = last_ended(x, l, ended, count);
        overlaps = overlaps || first->end_ns > op->start_ns;
        if (op->start_ns - first->start_ns <= READY_NS ||
            (last != PROF_NONE && op->start_ns - node_in(x, l, last)->end_ns <= READY_NS))
            return false;
    }
    return overlaps;
}

static before_list find_befores(inferring *x, uint32_t place)
{
    uint32_t node = x->order[place], stream = node_in(x, 0, node)->stream, own = PROF_NONE;
    uint32_t ended[MOST_BACK], count = 0;
    before_list list = {.count = 0};
    for (uint32_t i = place; i-- > 0 && place - i <= MOST_BACK;) {
        uint32_t before = x->order[i];
        if (!precedes(x, before, node))
            continue;
        ended[count++] = before;
        if (own == PROF_NONE && !x->overlaps[stream] && node_in(x, 0, before)->stream == stream)
            own = before;
    }
    uint32_t first = own == PROF_NONE ? kernel_before(x, place) : PROF_NONE;
    x->is_early[node] = first != PROF_NONE && is_programmatic(x, first, node, ended, count);
    if (x->is_early[node]) {
        add_before(&list, first);
        return list;
    }
    if (own != PROF_NONE)
        add_before(&list, own);
    for (size_t l = 0; l < x->group->firsts.count && count; l++) {
        uint32_t last = last_ended(x, l, ended, count);
        int64_t end_ns = node_in(x, l, last)->end_ns;
        bool is_ready = own != PROF_NONE && node_in(x, l, own)->end_ns >= end_ns - READY_NS;
        if (!is_ready && end_ns >= node_in(x, l, node)->start_ns - EVENT_NS)
            add_before(&list, last);
    }
    if (!list.count && count)
        add_before(&list, last_ended(x, 0, ended, count));
    return list;
}

/* Does `node` depend on `before` by edges that exist already? */
static bool is_implied(inferring *x, uint32_t before, uint32_t node, bool *ok)
{
    uint32_t visits = 0;
    x->stack.count = 0;
    x->search++;
    *ok = vec_push(&x->stack, node);
    while (*ok && x->stack.count && visits++ < MOST_VISITS) {
        uint32_t at = x->stack.at[--x->stack.count];
        for (uint32_t i = 0; i < x->edge_count[at] && *ok; i++) {
            uint32_t next = x->befores.at[x->first_edge[at] + i];
            if (next == before)
                return true;
            if (x->visited[next] != x->search)
                *ok = vec_push(&x->stack, next);
            x->visited[next] = x->search;
        }
    }
    return false;
}

/* Keeps the edges that others do not imply. */
static bool keep_edges(inferring *x, uint32_t node, const before_list *list)
{
    bool ok = true;
    x->first_edge[node] = (uint32_t)x->befores.count;
    x->edge_count[node] = 0;
    uint32_t kept[MOST_BEFORE], count = 0;
    for (uint32_t i = 0; i < list->count && ok; i++) {
        bool implied = false;
        for (uint32_t k = 0; k < list->count && ok && !implied; k++)
            implied = k != i && is_implied(x, list->at[i], list->at[k], &ok);
        if (!implied)
            kept[count++] = list->at[i];
    }
    for (uint32_t i = 0; i < count && ok; i++)
        ok = vec_push(&x->befores, kept[i]);
    x->edge_count[node] = ok ? count : 0;
    return ok;
}

/* Adds the same edges to every launch. */
static bool add_afters(inferring *x)
{
    making *m = x->g->m;
    bool ok = true;
    for (size_t l = 0; l < x->group->firsts.count && ok; l++) {
        const uint32_t *ops = &x->g->node_op[x->group->firsts.at[l]];
        for (uint32_t k = 0; k < x->group->nodes && ok; k++)
            for (uint32_t i = 0; i < x->edge_count[k] && ok; i++) {
                made_after a = {.op = ops[k],
                                .before = ops[x->befores.at[x->first_edge[k] + i]],
                                .port = x->is_early[k] ? GCAST_PORT_PROGRAMMATIC : GCAST_PORT_FULL};
                x->g->early += x->is_early[k];
                ok = vec_push(&m->afters, a);
            }
    }
    return ok;
}

bool graph_edges_inferred(graph_launches *g, const graph_group *group)
{
    size_t nodes = (size_t)group->nodes + 1, streams = g->m->t->stream_count + 1;
    inferring x = {.g = g,
                   .group = group,
                   .order = malloc(nodes * sizeof *x.order),
                   .last = malloc(streams * sizeof *x.last),
                   .overlaps = malloc(streams * sizeof *x.overlaps),
                   .first_edge = malloc(nodes * sizeof *x.first_edge),
                   .edge_count = calloc(nodes, sizeof *x.edge_count),
                   .visited = calloc(nodes, sizeof *x.visited),
                   .is_early = calloc(nodes, sizeof *x.is_early)};
    bool ok = x.order && x.is_early && x.last && x.overlaps && x.first_edge && x.edge_count && x.visited;
    if (ok)
        look_at_streams(&x);
    for (uint32_t i = 0; i < group->nodes && ok; i++) {
        before_list list = find_befores(&x, i);
        ok = keep_edges(&x, x.order[i], &list);
    }
    ok = ok && add_afters(&x);
    free(x.order);
    free(x.last);
    free(x.overlaps);
    free(x.first_edge);
    free(x.edge_count);
    free(x.visited);
    free(x.is_early);
    vec_free(&x.befores);
    vec_free(&x.stack);
    return ok;
}

/* The driver queues the nodes of a launch in the order in which the program made them, each behind its predecessors.
 * With few connections this order decides which branch waits for which; the order of starts is no substitute. */

typedef struct ordering {
    making *m;
    uint32_t first, count; /* operations of the launch */
    made_after *edges;     /* edges of the launch, by `op` */
    size_t edge_count;
    uint32_t *waits;      /* by node: predecessors that are not placed yet */
    uint32_t *first_edge; /* by node: its part of successors[] */
    uint32_t *successors;
    uint32_t *place; /* by node: its place in the new order */
} ordering;

/* The number of the program's node: nodes are numbered as they are made; -1: unknown. */
static int64_t number_of(const making *m, uint32_t op)
{
    const prof_op *x = trace_op(m, op);
    return x->origin >= 0 ? x->origin : x->node;
}

/* Do all nodes have numbers, and are these unique? */
static bool are_numbered(const ordering *x, int64_t *numbers)
{
    for (uint32_t k = 0; k < x->count; k++)
        numbers[k] = number_of(x->m, x->first + k);
    qsort(numbers, x->count, sizeof *numbers, compare_i64);
    bool are = numbers[0] >= 0;
    for (uint32_t k = 1; k < x->count; k++)
        are = are && numbers[k] != numbers[k - 1];
    return are;
}

static void link_nodes(ordering *x)
{
    for (size_t e = 0; e < x->edge_count; e++) {
        x->waits[x->edges[e].op - x->first]++;
        x->first_edge[x->edges[e].before - x->first + 1]++;
    }
    for (uint32_t k = 0; k < x->count; k++)
        x->first_edge[k + 1] += x->first_edge[k];
    for (size_t e = x->edge_count; e-- > 0;) /* place[] is not needed yet: here it counts successors */
        x->successors[x->first_edge[x->edges[e].before - x->first] + x->place[x->edges[e].before - x->first]++] =
            x->edges[e].op - x->first;
}

/* Among the nodes whose predecessors are all placed, the one that was made first comes next. */
static bool place_nodes(ordering *x)
{
    heap ready = {0};
    bool ok = true;
    uint32_t next = 0;
    for (uint32_t k = 0; k < x->count && ok; k++)
        if (!x->waits[k])
            ok = heap_push(&ready, (heap_item){number_of(x->m, x->first + k), 0, k});
    while (ok && heap_count(&ready)) {
        uint32_t k = heap_pop(&ready).id;
        x->place[k] = next++;
        for (uint32_t e = x->first_edge[k]; e < x->first_edge[k + 1] && ok; e++)
            if (--x->waits[x->successors[e]] == 0)
                ok = heap_push(&ready, (heap_item){number_of(x->m, x->first + x->successors[e]), 0, x->successors[e]});
    }
    vec_free(&ready.items);
    return ok;
}

/* Moves the operations to their new places. False without memory. */
static bool move_nodes(const ordering *x)
{
    making *m = x->m;
    made_op *moved = malloc(x->count * sizeof *moved);
    if (!moved)
        return false;
    for (uint32_t k = 0; k < x->count; k++)
        moved[x->place[k]] = m->ops.at[x->first + k];
    for (uint32_t k = 0; k < x->count; k++) {
        m->ops.at[x->first + k] = moved[k];
        m->op_of[moved[k].op] = x->first + k;
    }
    for (size_t e = 0; e < x->edge_count; e++) {
        x->edges[e].op = x->first + x->place[x->edges[e].op - x->first];
        x->edges[e].before = x->first + x->place[x->edges[e].before - x->first];
    }
    free(moved);
    return true;
}

bool graph_order(graph_launches *g, uint32_t first_op, uint32_t nodes, size_t first_after, size_t after_count)
{
    ordering x = {.m = g->m,
                  .first = first_op,
                  .count = nodes,
                  .edges = after_count ? &g->m->afters.at[first_after] : NULL,
                  .edge_count = after_count,
                  .waits = calloc((size_t)nodes + 1, sizeof *x.waits),
                  .first_edge = calloc((size_t)nodes + 2, sizeof *x.first_edge),
                  .successors = malloc((after_count + 1) * sizeof *x.successors),
                  .place = calloc((size_t)nodes + 1, sizeof *x.place)};
    int64_t *numbers = malloc(((size_t)nodes + 1) * sizeof *numbers);
    bool ok = x.waits && x.first_edge && x.successors && x.place && numbers;
    bool numbered = ok && are_numbered(&x, numbers);
    g->unnumbered += ok && !numbered;
    if (numbered) {
        link_nodes(&x);
        ok = place_nodes(&x) && move_nodes(&x);
    }
    free(x.waits);
    free(x.first_edge);
    free(x.successors);
    free(x.place);
    free(numbers);
    return ok;
}

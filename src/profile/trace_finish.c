/* prof_trace_finish: sorts a trace that was filled in any order, and sets the references between its entries. */
#include "profile/trace_finish.h"

#include <stdlib.h>

#include "profile/reading.h"

#define MAX_CLONES 64 /* an executable graph is a clone of a graph, which may be a clone, too */

static int by_number(const void *a, const void *b)
{
    const prof_node *x = a, *y = b;
    return compare_pairs(x->pid, y->pid, x->number, y->number);
}

/* If a node was added twice, the entry with an origin comes first. */
static int by_number_and_origin(const void *a, const void *b)
{
    const prof_node *x = a, *y = b;
    int order = by_number(a, b);
    return order ? order : (x->origin < y->origin) - (x->origin > y->origin);
}

static int by_node(const void *a, const void *b)
{
    const prof_edge *x = a, *y = b;
    return compare_pairs(x->pid, y->pid, x->node, y->node);
}

static int by_edge(const void *a, const void *b)
{
    const prof_edge *x = a, *y = b;
    int order = by_node(a, b);
    return order ? order : compare_pairs(x->before, y->before, y->port, x->port); /* a recorded port first */
}

static const prof_node *find_node(const prof_node *nodes, size_t count, int64_t pid, int64_t number)
{
    const prof_node key = {.pid = pid, .number = number};
    return count ? bsearch(&key, nodes, count, sizeof key, by_number) : NULL;
}

const prof_node *graph_node_find(const prof_trace *t, int64_t pid, int64_t number)
{
    return find_node(t->nodes, t->node_count, pid, number);
}

/* Follows clones back to the node that the program made. */
static int64_t origin_of(const owned_trace *o, int64_t pid, int64_t number)
{
    for (int i = 0; i < MAX_CLONES; i++) {
        const prof_node *n = find_node(o->nodes.at, o->nodes.count, pid, number);
        if (!n || !n->origin)
            break;
        number = n->origin;
    }
    return number;
}

static void keep_each_node_once(owned_trace *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->nodes.count; i++)
        if (!kept || by_number(&o->nodes.at[kept - 1], &o->nodes.at[i]) != 0)
            o->nodes.at[kept++] = o->nodes.at[i];
    o->nodes.count = kept;
}

/* Moves edges from clones to the original nodes, sorts them, and removes duplicates. */
static void finish_edges(owned_trace *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->edges.count; i++) {
        prof_edge *e = &o->edges.at[i];
        e->before = origin_of(o, e->pid, e->before);
        e->node = origin_of(o, e->pid, e->node);
    }
    if (o->edges.count)
        qsort(o->edges.at, o->edges.count, sizeof *o->edges.at, by_edge);
    for (size_t i = 0; i < o->edges.count; i++) {
        prof_edge e = o->edges.at[i], *last = kept ? &o->edges.at[kept - 1] : NULL;
        if (!last || by_node(last, &e) != 0 || last->before != e.before)
            o->edges.at[kept++] = e;
    }
    o->edges.count = kept;
}

/* Sorts nodes and edges, removes duplicates, and sets the `origin` of operations. */
static void finish_graphs(owned_trace *o)
{
    if (o->nodes.count)
        qsort(o->nodes.at, o->nodes.count, sizeof *o->nodes.at, by_number_and_origin);
    keep_each_node_once(o);
    finish_edges(o);
    for (size_t i = 0; i < o->ops.count; i++) {
        prof_op *op = &o->ops.at[i];
        int64_t pid = o->streams.at[op->stream].pid;
        bool is_told = op->node != PROF_UNKNOWN && find_node(o->nodes.at, o->nodes.count, pid, op->node);
        op->origin = is_told ? origin_of(o, pid, op->node) : PROF_UNKNOWN;
    }
}

const prof_edge *graph_edges_to(const prof_trace *t, int64_t pid, int64_t node, size_t *count)
{
    const prof_edge key = {.pid = pid, .node = node};
    size_t low = 0, high = t->edge_count, end;
    while (low < high) { /* finds the first edge that is not below the key */
        size_t middle = low + (high - low) / 2;
        if (by_node(&t->edges[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < t->edge_count && by_node(&t->edges[end], &key) == 0; end++)
        ;
    *count = end - low;
    return *count ? &t->edges[low] : NULL;
}

static int by_call(const void *a, const void *b)
{
    const prof_call *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1; /* the enclosing call first */
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->correlation != y->correlation ? (x->correlation < y->correlation ? -1 : 1) : 0;
}

static int by_op(const void *a, const void *b)
{
    const prof_op *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->node != y->node ? (x->node < y->node ? -1 : 1) : 0;
}

static int by_block(const void *a, const void *b)
{
    const prof_block *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->block != y->block ? (x->block < y->block ? -1 : 1) : 0;
}

static int by_range(const void *a, const void *b)
{
    const prof_range *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->end_ns != y->end_ns ? (x->end_ns > y->end_ns ? -1 : 1) : 0;
}

/* Finds calls by process and correlation. */
typedef struct call_finder {
    owned_trace *o;
    hash_index index;
} call_finder;

static uint64_t call_hash(const owned_trace *o, int64_t pid, int64_t correlation)
{
    const int64_t key[2] = {o->one_process ? PROF_UNKNOWN : pid, correlation};
    return index_hash(key, sizeof key);
}

static uint32_t find_call(const call_finder *f, int64_t pid, int64_t correlation)
{
    const owned_trace *o = f->o;
    if (correlation == PROF_UNKNOWN)
        return PROF_NONE;
    for (index_probe p = index_start(&f->index, call_hash(o, pid, correlation)); index_next(&f->index, &p);) {
        const prof_call *c = &o->calls.at[p.value];
        if (c->correlation == correlation && (o->one_process || o->threads.at[c->thread].pid == pid))
            return p.value;
    }
    return PROF_NONE;
}

/* A driver call inside a runtime call has the same correlation: the two become one call, with the kind of either. Any
 * other call with a number that is in use is not indexed. */
static bool join_calls(call_finder *f)
{
    owned_trace *o = f->o;
    size_t kept = 0;
    for (size_t i = 0; i < o->calls.count; i++) {
        prof_call c = o->calls.at[i];
        int64_t pid = o->threads.at[c.thread].pid;
        uint32_t outer = find_call(f, pid, c.correlation);
        prof_call *around = outer == PROF_NONE ? NULL : &o->calls.at[outer];
        if (around && around->thread == c.thread && c.end_ns <= around->end_ns) {
            around->kind = around->kind == PROF_CALL_OTHER ? c.kind : around->kind;
            continue;
        }
        if (around &&
            !prof_find(&o->trace, "{call} with the number of another call: their operations are unknown", c.name, 1))
            return false;
        o->calls.at[kept] = c;
        if (!around && c.correlation != PROF_UNKNOWN &&
            !index_add(&f->index, call_hash(o, pid, c.correlation), (uint32_t)kept))
            return false;
        kept++;
    }
    o->calls.count = kept;
    return true;
}

static prof_call_kind kind_of_op(gcast_kind kind)
{
    return kind == GCAST_KIND_KERNEL ? PROF_CALL_LAUNCH : kind == GCAST_KIND_COPY ? PROF_CALL_COPY : PROF_CALL_MEMSET;
}

static void join_ops(const call_finder *f)
{
    owned_trace *o = f->o;
    for (size_t i = o->ops.count; i-- > 0;) { /* backwards, so that the list of a call is in the order of starts */
        prof_op *op = &o->ops.at[i];
        op->call = find_call(f, o->streams.at[op->stream].pid, op->correlation);
        if (op->call == PROF_NONE)
            continue;
        prof_call *c = &o->calls.at[op->call];
        op->next_of_call = c->first_op;
        c->first_op = (uint32_t)i;
        c->op_count++;
        if (c->kind != PROF_CALL_GRAPH_LAUNCH)
            c->kind = kind_of_op(op->kind);                              /* whatever its name */
        if (c->stream == PROF_NONE && c->kind != PROF_CALL_GRAPH_LAUNCH) /* nodes may run in the driver's own streams */
            c->stream = op->stream;
    }
}

static bool join_tolds(const call_finder *f)
{
    owned_trace *o = f->o;
    for (size_t i = 0; i < o->tolds.count; i++) {
        const prof_call_told *told = &o->tolds.at[i];
        uint32_t call = find_call(f, told->pid, told->correlation);
        uint32_t record = find_call(f, told->pid, told->record_correlation);
        if (call == PROF_NONE) {
            if (!prof_find(&o->trace, "{synchronisation} by a call that is not in the profile: left out", NULL, 1))
                return false;
            continue;
        }
        prof_call *c = &o->calls.at[call];
        if (told->stream != PROF_NONE)
            c->stream = told->stream;
        if (told->event != PROF_UNKNOWN)
            c->event = told->event;
        if (record == PROF_NONE)
            continue;
        c->record = record;
        if (told->record_stream != PROF_NONE)
            o->calls.at[record].stream = told->record_stream;
    }
    return true;
}

static void join_blocks(const call_finder *f)
{
    owned_trace *o = f->o;
    for (size_t i = 0; i < o->blocks.count; i++) {
        prof_block *b = &o->blocks.at[i];
        uint32_t call = find_call(f, b->pid, b->correlation);
        b->op = call == PROF_NONE ? PROF_NONE : o->calls.at[call].first_op;
    }
    if (o->blocks.count)
        qsort(o->blocks.at, o->blocks.count, sizeof *o->blocks.at, by_block);
}

static void publish(owned_trace *o)
{
    prof_trace *t = &o->trace;
    t->gpus = o->gpus.at;
    t->gpu_count = o->gpus.count;
    t->threads = o->threads.at;
    t->thread_count = o->threads.count;
    t->streams = o->streams.at;
    t->stream_count = o->streams.count;
    t->calls = o->calls.at;
    t->call_count = o->calls.count;
    t->ops = o->ops.at;
    t->op_count = o->ops.count;
    t->blocks = o->blocks.at;
    t->block_count = o->blocks.count;
    t->nodes = o->nodes.at;
    t->node_count = o->nodes.count;
    t->edges = o->edges.at;
    t->edge_count = o->edges.count;
    t->ranges = o->ranges.at;
    t->range_count = o->ranges.count;
    t->findings = o->findings.list.at;
    t->finding_count = o->findings.list.count;
}

gcast_status prof_trace_finish(prof_trace *t, gcast_error *err)
{
    owned_trace *o = trace_owned(t);
    call_finder f = {.o = o};
    if (o->calls.count)
        qsort(o->calls.at, o->calls.count, sizeof *o->calls.at, by_call);
    if (o->ops.count)
        qsort(o->ops.at, o->ops.count, sizeof *o->ops.at, by_op);
    if (o->ranges.count)
        qsort(o->ranges.at, o->ranges.count, sizeof *o->ranges.at, by_range);
    bool ok = join_calls(&f);
    if (ok)
        join_ops(&f);
    ok = ok && join_tolds(&f);
    if (ok)
        join_blocks(&f);
    index_free(&f.index);
    finish_graphs(o);
    publish(o);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

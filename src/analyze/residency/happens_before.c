/* Makes the edges between facts, sorts them in both directions, and walks along them. */
#include "analyze/residency/happens_before.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"

typedef VEC(needs_edge) needs_edges;

#define NONE UINT32_MAX

/* Facts besides those of ops. For host h: all calls of the hosts below it, or above it, are complete; all frees of
 * these hosts have returned. */
enum { DONE_BELOW, DONE_ABOVE, FREED_BELOW, FREED_ABOVE, HOST_FACTS };

/* The last launches of a stream, each by its first op. */
typedef struct stream_tail {
    uint32_t before, last; /* the last launch but one, and the last one; or NONE */
    uint32_t sure;         /* the latest one before `last` that is not skipped on its own; or NONE */
} stream_tail;

typedef struct maker {
    const gcast_workload *w;
    needs_edges *edges;
    stream_tail *tails;       /* by stream, of the ops so far */
    uint32_t *last_of_host;   /* by host: the last of its ops so far; or NONE */
    uint32_t *last_of_stream; /* by stream: its last launch in the file; or NONE */
    uint32_t host_facts;      /* the first fact of a host */
    uint32_t loose_done;      /* the fact that all ops without a host are complete */
    uint32_t loose_freed;     /* the fact that all that frees without a host wait for is complete */
    bool frees;               /* the workload has frees */
    bool failed;              /* no memory */
} maker;

static uint32_t fact(size_t op, needs_fact f)
{
    return needs_number(op, f);
}

/* `host` may be host_count: then all hosts are below it. */
static uint32_t host_fact(const maker *m, size_t host, int which)
{
    return m->host_facts + (uint32_t)(host * HOST_FACTS + (size_t)which);
}

static uint32_t fact_count(const gcast_workload *w)
{
    return (uint32_t)(w->op_count * NEEDS_FACTS + (w->host_count + 1) * HOST_FACTS + 2);
}

static void add_kind(maker *m, uint32_t from, uint32_t to, need_kind kind)
{
    m->failed = m->failed || !vec_push(m->edges, ((needs_edge){from, to, kind}));
}

static void add(maker *m, uint32_t from, uint32_t to, bool maybe)
{
    add_kind(m, from, to, maybe ? NEED_MAYBE : NEED_SURE);
}

size_t needs_launch_of(const gcast_workload *w, size_t op)
{
    while (attributes_is_next_node(w, op))
        op--;
    return op;
}

/* An op without a host that may be skipped on its own. */
static bool is_loose_skip(const gcast_workload *w, size_t launch)
{
    return w->ops[launch].host == GCAST_NO_HOST && w->ops[launch].skip_ns != GCAST_NEVER;
}

bool needs_may_be_skipped(const gcast_workload *w, size_t op, size_t other)
{
    size_t launch = needs_launch_of(w, op);
    int host = w->ops[op].host;
    if (host == GCAST_NO_HOST)
        return w->ops[launch].skip_ns != GCAST_NEVER && needs_launch_of(w, other) != launch;
    for (size_t i = w->ops[other].host == host ? other + 1 : 0; i <= op; i++)
        if (w->ops[i].host == host && w->ops[i].skip_ns != GCAST_NEVER)
            return true;
    return false;
}

/* Stream order: an op waits for the op or graph launch before its own. */
static void add_stream_order(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    stream_tail *t = &m->tails[op->stream];
    if (!attributes_is_next_node(m->w, i)) {
        if (t->last != NONE && !is_loose_skip(m->w, t->last))
            t->sure = t->last;
        t->before = t->last;
        t->last = (uint32_t)i;
    } else {
        add(m, fact(i, NEEDS_CALLED), fact(t->last, NEEDS_CALLED), false);
    }
    add(m, fact(t->last, NEEDS_LAUNCHED), fact(i, NEEDS_COMPLETE), false);
    for (int k = 0; k < 2; k++) {
        uint32_t before = k ? t->sure : t->before;
        bool maybe = !k && before != t->sure; /* it may be skipped; then nobody waits for it */
        if (before == NONE || (k && t->sure == t->before))
            continue;
        if (op->host == GCAST_NO_HOST)
            add(m, fact(i, NEEDS_CALLED), fact(before, NEEDS_CALLED), maybe);
        add(m, fact(i, NEEDS_ENTERED), fact(before, NEEDS_LAUNCHED), maybe || op->programmatic);
        if (!op->programmatic)
            continue;
        add(m, fact(i, NEEDS_ENTERED), fact(before, NEEDS_ENTERED), maybe);
        add(m, fact(i, NEEDS_COMPLETE), fact(before, NEEDS_LAUNCHED), maybe);
    }
}

/* An event of another stream: all roots of a launch wait for it. It delays nothing if it is recorded later or never. */
static void add_event(maker *m, size_t i, size_t named)
{
    const gcast_workload *w = m->w;
    size_t launch = needs_launch_of(w, named);
    bool loose = w->ops[i].host == GCAST_NO_HOST;
    bool sure = w->ops[launch].host == w->ops[i].host && !is_loose_skip(w, launch);
    if (w->ops[launch].stream == w->ops[i].stream)
        return;
    if (loose && sure) /* otherwise the workload would not be valid */
        add(m, fact(i, NEEDS_CALLED), fact(launch, NEEDS_CALLED), false);
    add(m, fact(i, NEEDS_ENTERED), fact(launch, NEEDS_LAUNCHED), !sure);
    for (size_t node = i + 1; node < w->op_count && attributes_is_next_node(w, node); node++)
        if (!w->ops[node].after_count)
            add(m, fact(node, NEEDS_ENTERED), fact(launch, NEEDS_LAUNCHED), !sure);
}

static void add_dependencies(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    for (size_t k = 0; k < op->after_count; k++) {
        uint32_t named = op->after[k];
        bool full = !op->ports || op->ports[k] == GCAST_PORT_FULL;
        if (op->graph == GCAST_NO_GRAPH || m->w->ops[named].graph != op->graph) {
            add_event(m, i, named);
            continue;
        }
        add(m, fact(i, NEEDS_ENTERED), fact(named, NEEDS_ENTERED), false);
        add(m, fact(i, NEEDS_ENTERED), fact(named, NEEDS_COMPLETE), !full); /* a port may count as full */
    }
    for (size_t k = 0; k < op->waits_for_count; k++)
        add_kind(m, fact(i, NEEDS_COMPLETE), fact(op->waits_for[k], NEEDS_STARTED), NEED_BLOCKS);
}

/* A stream synchronization. Calls of others into the stream may come before it or after it. */
static void add_stream_wait(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    uint32_t own = m->tails[op->stream].last, last = m->last_of_stream[op->stream];
    if (last == NONE)
        return;
    if (op->host == GCAST_NO_HOST || m->w->ops[last].host != op->host)
        add(m, fact(i, NEEDS_COMPLETE), fact(last, NEEDS_LAUNCHED), true);
    else if (own != NONE)
        add(m, fact(i, NEEDS_COMPLETE), fact(own, NEEDS_LAUNCHED), false);
}

/* A device synchronization waits for everything called before it; calls of other hosts may come before it. */
static void add_device_wait(maker *m, size_t i, uint32_t before)
{
    size_t host = m->w->ops[i].host == GCAST_NO_HOST ? m->w->host_count : (size_t)m->w->ops[i].host;
    if (before != NONE)
        add(m, fact(i, NEEDS_COMPLETE), fact(before, NEEDS_ALL_DONE), false);
    add(m, fact(i, NEEDS_COMPLETE), host_fact(m, host, DONE_BELOW), true);
    add(m, fact(i, NEEDS_COMPLETE), host_fact(m, host, DONE_ABOVE), true);
    add(m, fact(i, NEEDS_COMPLETE), m->loose_done, true);
}

static void add_barrier(maker *m, size_t i)
{
    const gcast_workload *w = m->w;
    for (size_t k = 0; k < w->op_count; k++)
        if (k != i && w->ops[k].kind == GCAST_KIND_BARRIER && w->ops[k].barrier == w->ops[i].barrier)
            add(m, fact(i, NEEDS_RETURNED), fact(k, NEEDS_CALLED), needs_may_be_skipped(w, k, i));
}

/* A host calls an op after its previous call has returned, and nobody calls anything until a free has returned. */
static void add_call(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    bool loose = op->host == GCAST_NO_HOST;
    size_t host = loose ? m->w->host_count : (size_t)op->host;
    uint32_t before = loose ? NONE : m->last_of_host[host];
    add(m, fact(i, NEEDS_RETURNED), fact(i, NEEDS_CALLED), false);
    if (before != NONE) {
        add(m, fact(i, NEEDS_CALLED), fact(before, NEEDS_RETURNED), false);
        add(m, fact(i, NEEDS_ALL_DONE), fact(before, NEEDS_ALL_DONE), false);
    }
    if (m->frees) {
        add(m, fact(i, NEEDS_CALLED), host_fact(m, host, FREED_BELOW), true);
        add(m, fact(i, NEEDS_CALLED), host_fact(m, host, FREED_ABOVE), true);
        add(m, fact(i, NEEDS_CALLED), m->loose_freed, true);
    }
    if (gcast_kind_on_gpu(op->kind))
        add(m, loose ? m->loose_done : fact(i, NEEDS_ALL_DONE), fact(i, NEEDS_COMPLETE), loose);
    if (op->host_waits || !gcast_kind_on_gpu(op->kind))
        add(m, fact(i, NEEDS_RETURNED), fact(i, NEEDS_COMPLETE), false);
    if (op->kind == GCAST_KIND_SYNC && op->stream >= 0)
        add_stream_wait(m, i);
    else if (op->kind == GCAST_KIND_SYNC || op->kind == GCAST_KIND_FREE)
        add_device_wait(m, i, before);
    else if (op->kind == GCAST_KIND_BARRIER)
        add_barrier(m, i);
    if (!loose)
        m->last_of_host[host] = (uint32_t)i;
}

/* The facts of hosts follow from the last op of each host. */
static void add_host_facts(maker *m)
{
    size_t hosts = m->w->host_count;
    for (size_t h = 0; h < hosts; h++) {
        static const int chains[] = {DONE_BELOW, FREED_BELOW, DONE_ABOVE, FREED_ABOVE};
        for (int k = 0; k < HOST_FACTS; k++) {
            bool below = k < 2;
            add(m, host_fact(m, below ? h + 1 : h, chains[k]), host_fact(m, below ? h : h + 1, chains[k]), true);
        }
        if (m->last_of_host[h] == NONE)
            continue;
        add(m, host_fact(m, h + 1, DONE_BELOW), fact(m->last_of_host[h], NEEDS_ALL_DONE), true);
        if (h > 0)
            add(m, host_fact(m, h - 1, DONE_ABOVE), fact(m->last_of_host[h], NEEDS_ALL_DONE), true);
    }
    for (size_t i = 0; i < m->w->op_count; i++) {
        const gcast_op *op = &m->w->ops[i];
        if (op->kind != GCAST_KIND_FREE)
            continue;
        if (op->host == GCAST_NO_HOST) {
            add(m, m->loose_freed, fact(i, NEEDS_COMPLETE), true);
            continue;
        }
        add(m, host_fact(m, (size_t)op->host + 1, FREED_BELOW), fact(i, NEEDS_COMPLETE), true);
        if (op->host > 0)
            add(m, host_fact(m, (size_t)op->host - 1, FREED_ABOVE), fact(i, NEEDS_COMPLETE), true);
    }
}

/* An op without a host, to sort by release. */
typedef struct loose_call {
    int64_t release_ns;
    uint32_t op;
} loose_call;

static int by_release(const void *a, const void *b)
{
    const loose_call *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

uint32_t *needs_loose_calls(const gcast_workload *w, size_t *count)
{
    loose_call *calls = malloc((w->op_count + 1) * sizeof *calls);
    uint32_t *ops = malloc((w->op_count + 1) * sizeof *ops);
    *count = 0;
    for (size_t i = 0; calls && i < w->op_count; i++)
        if (w->ops[i].host == GCAST_NO_HOST)
            calls[(*count)++] = (loose_call){w->ops[i].release_ns, (uint32_t)i};
    if (*count)
        qsort(calls, *count, sizeof *calls, by_release);
    for (size_t k = 0; ops && k < *count; k++)
        ops[k] = calls[k].op;
    if (!calls) {
        free(ops);
        ops = NULL;
    }
    free(calls);
    return ops;
}

/* Ops without a host are called in the order of their releases. */
static void add_file_order(maker *m)
{
    size_t count;
    uint32_t *calls = needs_loose_calls(m->w, &count);
    uint32_t last = NONE; /* the last one that is surely called */
    m->failed = m->failed || !calls;
    for (size_t k = 0; calls && k < count; k++) {
        if (last != NONE)
            add(m, fact(calls[k], NEEDS_CALLED), fact(last, NEEDS_CALLED), false);
        if (!is_loose_skip(m->w, needs_launch_of(m->w, calls[k])))
            last = calls[k];
    }
    free(calls);
}

static void find_last(maker *m)
{
    for (size_t i = 0; i < m->w->stream_count; i++) {
        m->tails[i] = (stream_tail){NONE, NONE, NONE};
        m->last_of_stream[i] = NONE;
    }
    for (size_t i = 0; i < m->w->host_count; i++)
        m->last_of_host[i] = NONE;
    for (size_t i = 0; i < m->w->op_count; i++) {
        const gcast_op *op = &m->w->ops[i];
        m->frees = m->frees || op->kind == GCAST_KIND_FREE;
        if (gcast_kind_on_gpu(op->kind) && !attributes_is_next_node(m->w, i))
            m->last_of_stream[op->stream] = (uint32_t)i;
    }
}

static void make_edges(maker *m, const needs_assumed *assumed)
{
    find_last(m);
    for (size_t i = 0; i < m->w->op_count && !m->failed; i++) {
        add_call(m, i);
        if (!gcast_kind_on_gpu(m->w->ops[i].kind))
            continue;
        add_kind(m, fact(i, NEEDS_ENTERED), fact(i, NEEDS_CALLED),
                 NEED_PAST); /* only blocks wait for what is not called yet */
        add(m, fact(i, NEEDS_STARTED), fact(i, NEEDS_CALLED), false);
        add(m, fact(i, NEEDS_STARTED), fact(i, NEEDS_ENTERED), false);
        add(m, fact(i, NEEDS_COMPLETE), fact(i, NEEDS_ENTERED), false);
        add_stream_order(m, i);
        add_dependencies(m, i);
    }
    add_host_facts(m);
    if (assumed && assumed->in_file_order)
        add_file_order(m);
    if (assumed && assumed->order) {
        const needs_order *o = assumed->order;
        uint32_t other = (uint32_t)needs_launch_of(m->w, o->other);
        add(m, fact(o->op, NEEDS_CALLED), fact(other, NEEDS_CALLED), false);
        add(m, fact(o->op, NEEDS_ENTERED), fact(other, NEEDS_LAUNCHED), false);
    }
}

/* Relies on check_callers: calls into a stream come in the order of the file. False without memory. */
static bool edges_make(needs_edges *edges, const gcast_workload *w, const needs_assumed *assumed)
{
    maker m = {.w = w, .edges = edges, .host_facts = (uint32_t)(w->op_count * NEEDS_FACTS)};
    m.loose_done = host_fact(&m, w->host_count + 1, 0);
    m.loose_freed = m.loose_done + 1;
    m.tails = malloc((w->stream_count + 1) * sizeof *m.tails);
    m.last_of_host = malloc((w->host_count + 1) * sizeof *m.last_of_host);
    m.last_of_stream = malloc((w->stream_count + 1) * sizeof *m.last_of_stream);
    bool ok = m.tails && m.last_of_host && m.last_of_stream;
    if (ok)
        make_edges(&m, assumed);
    free(m.tails);
    free(m.last_of_host);
    free(m.last_of_stream);
    return ok && !m.failed;
}

/* Sorts edges by their `from`; with `back`, by their `to`. */
static bool sort_edges(const needs_edges *all, uint32_t count, bool back, uint32_t **first, needs_edge **edges)
{
    uint32_t *from = calloc((size_t)count + 2, sizeof *from);
    needs_edge *out = malloc((all->count + 1) * sizeof *out);
    *first = from;
    *edges = out;
    if (!from || !out)
        return false;
    for (size_t i = 0; i < all->count; i++)
        from[(back ? all->at[i].to : all->at[i].from) + 2]++;
    for (uint32_t f = 2; f < count + 2; f++)
        from[f] += from[f - 1];
    for (size_t i = 0; i < all->count; i++)
        out[from[(back ? all->at[i].to : all->at[i].from) + 1]++] = all->at[i];
    return true;
}

/* The order of calls into a stream is known if one caller makes them all. */
static gcast_status check_callers(const gcast_workload *w, gcast_error *err)
{
    uint32_t *last = malloc((w->stream_count + 1) * sizeof *last); /* by stream: its last op + 1; 0: none */
    gcast_status status = last ? GCAST_OK : gcast_error_set_memory(err);
    if (last)
        memset(last, 0, (w->stream_count + 1) * sizeof *last);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        const gcast_op *before = last[op->stream] ? &w->ops[last[op->stream] - 1] : op;
        if (before->host != op->host || (op->host == GCAST_NO_HOST && before->release_ns > op->release_ns))
            status = gcast_error_set(err, GCAST_INPUT, NULL,
                                     "%.100s and %.100s are in stream %d, and the order of their calls is not known: "
                                     "use one host per stream, or list operations in the order of their releases",
                                     before->label, op->label, w->streams[op->stream].id);
        last[op->stream] = (uint32_t)i + 1;
    }
    free(last);
    return status;
}

gcast_status needs_make(needs *n, const gcast_workload *w, const needs_assumed *assumed, gcast_error *err)
{
    needs_edges edges = {0};
    *n = (needs){.w = w, .count = fact_count(w)};
    gcast_status status = check_callers(w, err);
    if (status != GCAST_OK)
        return status;
    n->mark = calloc(n->count, 1);
    n->before = calloc(n->count, 1);
    n->stack = malloc((size_t)n->count * sizeof *n->stack);
    bool ok = n->mark && n->before && n->stack && edges_make(&edges, w, assumed) &&
              sort_edges(&edges, n->count, false, &n->first, &n->edges) &&
              sort_edges(&edges, n->count, true, &n->back, &n->backs);
    vec_free(&edges);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

void needs_free(needs *n)
{
    free(n->first);
    free(n->back);
    free(n->edges);
    free(n->backs);
    free(n->mark);
    free(n->before);
    free(n->stack);
}

static bool follows(needs_kind walk, need_kind edge)
{
    if (walk == NEEDS_SURE)
        return edge != NEED_MAYBE;
    return edge != NEED_PAST && !(walk == NEEDS_NO_BLOCKS && edge == NEED_BLOCKS);
}

/* Marks all facts that can be reached from the first `length` facts of the stack. */
static void walk(needs *n, size_t length, needs_kind kind)
{
    while (length) {
        uint32_t at = n->stack[--length];
        for (uint32_t e = n->first[at]; e < n->first[at + 1]; e++) {
            const needs_edge *edge = &n->edges[e];
            if (n->mark[edge->to] || !follows(kind, edge->kind))
                continue;
            n->mark[edge->to] = 1;
            n->stack[length++] = edge->to;
        }
    }
}

/* Pushes the starts that waiters marked as complete by the last walk wait for; returns their number. */
static size_t step_past_waits(needs *n)
{
    size_t length = 0;
    unsigned char *last = n->mark;
    n->mark = n->before;
    n->before = last;
    memset(n->mark, 0, n->count);
    for (size_t i = 0; i < n->w->op_count; i++) {
        const gcast_op *op = &n->w->ops[i];
        for (size_t k = 0; n->before[needs_number(i, NEEDS_COMPLETE)] && k < op->waits_for_count; k++) {
            uint32_t to = needs_number(op->waits_for[k], NEEDS_STARTED);
            if (op->waits_for[k] == i || n->mark[to])
                continue;
            n->mark[to] = 1;
            n->stack[length++] = to;
        }
    }
    return length;
}

void needs_walk(needs *n, size_t op, needs_fact fact, needs_kind kind)
{
    if (kind == NEEDS_PAST_WAIT) {
        walk(n, step_past_waits(n), NEEDS_ALL);
        return;
    }
    memset(n->mark, 0, n->count);
    n->stack[0] = needs_number(op, fact);
    walk(n, 1, kind);
}

void needs_walk_back(needs *n, size_t op, needs_fact fact)
{
    size_t length = 0;
    memset(n->mark, 0, n->count);
    n->stack[length++] = needs_number(op, fact);
    while (length) {
        uint32_t at = n->stack[--length];
        for (uint32_t e = n->back[at]; e < n->back[at + 1]; e++) {
            uint32_t from = n->backs[e].from;
            if (n->mark[from] || !follows(NEEDS_SURE, n->backs[e].kind))
                continue;
            n->mark[from] = 1;
            n->stack[length++] = from;
        }
    }
}

bool needs_marked(const needs *n, size_t op, needs_fact fact)
{
    return n->mark[needs_number(op, fact)];
}

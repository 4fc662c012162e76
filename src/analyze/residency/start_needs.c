#include "analyze/residency/start_needs.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/workload/attributes/attributes.h"

#define NONE UINT32_MAX

typedef struct edge_pair {
    uint32_t from, to;
    bool maybe;
} edge_pair;

/* The end of a stream; ops are the first of their launch. */
typedef struct stream_tail {
    uint32_t before, last; /* the launch before the last one, and the last one; NONE */
} stream_tail;

typedef struct maker {
    const gcast_workload *w;
    VEC(edge_pair) pairs;
    stream_tail *tails;     /* by stream, as far as ops were looked at */
    uint32_t *last_of_host; /* by host: the op that it called last; NONE */
    uint32_t others;        /* the fact that all ops without a host are complete */
    bool failed;            /* without memory */
} maker;

static uint32_t fact(size_t op, needs_fact f)
{
    return (uint32_t)(op * NEEDS_FACTS + f);
}

static void add(maker *m, uint32_t from, uint32_t to, bool maybe)
{
    m->failed = m->failed || !vec_push(&m->pairs, ((edge_pair){from, to, maybe}));
}

/* What an op waits for in its stream: the op or launch of a graph before its own. */
static void add_stream_order(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    stream_tail *t = &m->tails[op->stream];
    if (!attributes_is_next_node(m->w, i))
        *t = (stream_tail){.before = t->last, .last = (uint32_t)i};
    add(m, fact(t->last, NEEDS_LAUNCHED), fact(i, NEEDS_COMPLETE), false);
    if (t->before == NONE)
        return;
    if (!op->programmatic) {
        add(m, fact(i, NEEDS_ENTERED), fact(t->before, NEEDS_LAUNCHED), false);
        return;
    }
    add(m, fact(i, NEEDS_ENTERED), fact(t->before, NEEDS_ENTERED), false);
    add(m, fact(i, NEEDS_ENTERED), fact(t->before, NEEDS_LAUNCHED), true);
    add(m, fact(i, NEEDS_COMPLETE), fact(t->before, NEEDS_LAUNCHED), false);
}

static void add_dependencies(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    for (size_t k = 0; k < op->after_count; k++) {
        bool full = !op->ports || op->ports[k] == GCAST_PORT_FULL;
        add(m, fact(i, NEEDS_ENTERED), fact(op->after[k], full ? NEEDS_COMPLETE : NEEDS_ENTERED), false);
        if (!full)
            add(m, fact(i, NEEDS_ENTERED), fact(op->after[k], NEEDS_COMPLETE), true);
    }
    for (size_t k = 0; k < op->waits_for_count; k++)
        add(m, fact(i, NEEDS_COMPLETE), fact(op->waits_for[k], NEEDS_ENTERED), false);
}

/* A device synchronization waits for all that was called before it; what others call may be before it. */
static void add_device_wait(maker *m, size_t i, uint32_t before)
{
    if (before != NONE)
        add(m, fact(i, NEEDS_RETURNED), fact(before, NEEDS_ALL_DONE), false);
    for (size_t k = m->w->op_count; k-- > 0;) /* the last op of each other host stands for all of them */
        if (m->w->ops[k].host != GCAST_NO_HOST && m->w->ops[k].host != m->w->ops[i].host &&
            m->last_of_host[m->w->ops[k].host] == NONE)
            add(m, fact(i, NEEDS_RETURNED), fact(k, NEEDS_ALL_DONE), true);
    for (size_t h = 0; h < m->w->host_count; h++)
        if ((int)h != m->w->ops[i].host && m->last_of_host[h] != NONE)
            add(m, fact(i, NEEDS_RETURNED), fact(m->last_of_host[h], NEEDS_ALL_DONE), true);
    add(m, fact(i, NEEDS_RETURNED), m->others, true);
}

static void add_barrier(maker *m, size_t i)
{
    for (size_t k = 0; k < m->w->op_count; k++)
        if (k != i && m->w->ops[k].kind == GCAST_KIND_BARRIER && m->w->ops[k].barrier == m->w->ops[i].barrier)
            add(m, fact(i, NEEDS_RETURNED), fact(k, NEEDS_ENTERED), true);
}

/* A host calls an op when its call before it has returned. Calls without a host come whatever happens. */
static void add_call(maker *m, size_t i)
{
    const gcast_op *op = &m->w->ops[i];
    if (op->host == GCAST_NO_HOST) {
        if (gcast_kind_on_gpu(op->kind))
            add(m, m->others, fact(i, NEEDS_COMPLETE), false);
        return;
    }
    uint32_t *last = &m->last_of_host[op->host], before = *last;
    if (before != NONE) {
        add(m, fact(i, NEEDS_ENTERED), fact(before, NEEDS_RETURNED), false);
        add(m, fact(i, NEEDS_RETURNED), fact(before, NEEDS_RETURNED), false);
        add(m, fact(i, NEEDS_ALL_DONE), fact(before, NEEDS_ALL_DONE), false);
    }
    if (gcast_kind_on_gpu(op->kind))
        add(m, fact(i, NEEDS_ALL_DONE), fact(i, NEEDS_COMPLETE), false);
    if (op->host_waits)
        add(m, fact(i, NEEDS_RETURNED), fact(i, NEEDS_COMPLETE), false);
    if (op->kind == GCAST_KIND_SYNC && op->stream >= 0 && m->tails[op->stream].last != NONE)
        add(m, fact(i, NEEDS_RETURNED), fact(m->tails[op->stream].last, NEEDS_LAUNCHED), false);
    if ((op->kind == GCAST_KIND_SYNC && op->stream < 0) || op->kind == GCAST_KIND_FREE)
        add_device_wait(m, i, before);
    if (op->kind == GCAST_KIND_BARRIER)
        add_barrier(m, i);
    *last = (uint32_t)i;
}

/* Calls into one stream have an order that is known if one caller makes them all. */
static gcast_status check_callers(const gcast_workload *w, gcast_error *err)
{
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = i; k-- > 0;) {
            if (!gcast_kind_on_gpu(w->ops[i].kind) || !gcast_kind_on_gpu(w->ops[k].kind) ||
                w->ops[k].stream != w->ops[i].stream)
                continue;
            if (w->ops[k].host != w->ops[i].host ||
                (w->ops[i].host == GCAST_NO_HOST && w->ops[k].release_ns > w->ops[i].release_ns))
                return gcast_error_set(err, GCAST_INPUT, NULL,
                                       "%.100s and %.100s are in stream %d, and in which order they are called is not "
                                       "known: residency needs one host for a stream, or ops in the order of releases",
                                       w->ops[k].label, w->ops[i].label, w->streams[w->ops[i].stream].id);
            break;
        }
    return GCAST_OK;
}

/* Edges by the fact that they begin at, or with `back` that they lead to. */
static bool sort_edges(const maker *m, uint32_t count, bool back, const uint32_t **first, const needs_edge **edges)
{
    uint32_t *from = calloc((size_t)count + 2, sizeof *from);
    needs_edge *out = malloc((m->pairs.count + 1) * sizeof *out);
    *first = from;
    *edges = out;
    if (!from || !out)
        return false;
    for (size_t i = 0; i < m->pairs.count; i++)
        from[(back ? m->pairs.at[i].to : m->pairs.at[i].from) + 2]++;
    for (uint32_t f = 2; f < count + 2; f++)
        from[f] += from[f - 1];
    for (size_t i = 0; i < m->pairs.count; i++) {
        const edge_pair *p = &m->pairs.at[i];
        out[from[(back ? p->to : p->from) + 1]++] = (needs_edge){back ? p->from : p->to, p->maybe};
    }
    return true;
}

static void make_edges(maker *m)
{
    for (size_t i = 0; i < m->w->stream_count; i++)
        m->tails[i] = (stream_tail){NONE, NONE};
    for (size_t i = 0; i < m->w->host_count; i++)
        m->last_of_host[i] = NONE;
    for (size_t i = 0; i < m->w->op_count && !m->failed; i++) {
        const gcast_op *op = &m->w->ops[i];
        add_call(m, i);
        if (!gcast_kind_on_gpu(op->kind)) {
            add(m, fact(i, NEEDS_COMPLETE), fact(i, NEEDS_RETURNED), false);
            continue;
        }
        add(m, fact(i, NEEDS_COMPLETE), fact(i, NEEDS_ENTERED), false);
        add_stream_order(m, i);
        add_dependencies(m, i);
    }
}

gcast_status needs_make(needs *n, const gcast_workload *w, const needs_order *order, gcast_error *err)
{
    maker m = {.w = w, .others = (uint32_t)(w->op_count * NEEDS_FACTS)};
    *n = (needs){.w = w, .count = m.others + 1};
    gcast_status status = check_callers(w, err);
    if (status != GCAST_OK)
        return status;
    m.tails = malloc((w->stream_count + 1) * sizeof *m.tails);
    m.last_of_host = malloc((w->host_count + 1) * sizeof *m.last_of_host);
    n->mark = malloc(n->count);
    n->way = malloc((size_t)n->count * sizeof *n->way);
    if (m.tails && m.last_of_host)
        make_edges(&m);
    if (order)
        add(&m, fact(order->op, NEEDS_ENTERED), fact(order->other, NEEDS_COMPLETE), false);
    bool ok = m.tails && m.last_of_host && n->mark && n->way && !m.failed &&
              sort_edges(&m, n->count, false, &n->first, &n->edges) &&
              sort_edges(&m, n->count, true, &n->back, &n->backs);
    free(m.tails);
    free(m.last_of_host);
    vec_free(&m.pairs);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

void needs_free(needs *n)
{
    free((void *)n->first);
    free((void *)n->back);
    free((void *)n->edges);
    free((void *)n->backs);
    free(n->mark);
    free(n->way);
}

static void walk(needs *n, uint32_t from, const uint32_t *first, const needs_edge *edges, bool maybe)
{
    size_t length = 0;
    memset(n->mark, 0, n->count);
    n->way[length++] = from;
    while (length) {
        uint32_t at = n->way[--length];
        for (uint32_t e = first[at]; e < first[at + 1]; e++) {
            if ((edges[e].maybe && !maybe) || n->mark[edges[e].to])
                continue;
            n->mark[edges[e].to] = 1;
            n->way[length++] = edges[e].to;
        }
    }
}

void needs_walk(needs *n, size_t op, needs_fact f, bool maybe)
{
    walk(n, fact(op, f), n->first, n->edges, maybe);
}

void needs_walk_back(needs *n, size_t op, needs_fact f)
{
    walk(n, fact(op, f), n->back, n->backs, false);
}

bool needs_marked(const needs *n, size_t op, needs_fact f)
{
    return n->mark[fact(op, f)];
}

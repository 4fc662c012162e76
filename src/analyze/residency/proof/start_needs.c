#include "analyze/residency/proof/start_needs.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/residency/proof/needs_edges.h"

/* Edges by the fact that they begin at, or with `back` that they lead to. */
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

/* Calls into one stream have an order that is known if one caller makes them all. */
static gcast_status check_callers(const gcast_workload *w, gcast_error *err)
{
    uint32_t *last = malloc((w->stream_count + 1) * sizeof *last); /* by stream: its op before, from 1; 0: none */
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
                                     "%.100s and %.100s are in stream %d, and in which order they are called is not "
                                     "known: residency needs one host for a stream, or ops in the order of releases",
                                     before->label, op->label, w->streams[op->stream].id);
        last[op->stream] = (uint32_t)i + 1;
    }
    free(last);
    return status;
}

gcast_status needs_make(needs *n, const gcast_workload *w, const needs_assumed *assumed, gcast_error *err)
{
    needs_edges edges = {0};
    *n = (needs){.w = w, .count = needs_edges_fact_count(w)};
    gcast_status status = check_callers(w, err);
    if (status != GCAST_OK)
        return status;
    n->mark = calloc(n->count, 1);
    n->before = calloc(n->count, 1);
    n->way = malloc((size_t)n->count * sizeof *n->way);
    bool ok = n->mark && n->before && n->way && needs_edges_make(&edges, w, assumed) &&
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
    free(n->way);
}

static bool follows(needs_kind walk, need_kind edge)
{
    if (walk == NEEDS_SURE)
        return edge != NEED_MAYBE;
    return edge != NEED_PAST && !(walk == NEEDS_NO_BLOCKS && edge == NEED_BLOCKS);
}

/* Marks all that can be reached from the first `length` facts of the way. */
static void walk(needs *n, size_t length, needs_kind kind)
{
    while (length) {
        uint32_t at = n->way[--length];
        for (uint32_t e = n->first[at]; e < n->first[at + 1]; e++) {
            const needs_edge *edge = &n->edges[e];
            if (n->mark[edge->to] || !follows(kind, edge->kind))
                continue;
            n->mark[edge->to] = 1;
            n->way[length++] = edge->to;
        }
    }
}

/* Puts what the blocks of kernels wait for that the last walk came to on the way; returns how many facts these are. */
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
            n->way[length++] = to;
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
    n->way[0] = needs_number(op, fact);
    walk(n, 1, kind);
}

void needs_walk_back(needs *n, size_t op, needs_fact fact)
{
    size_t length = 0;
    memset(n->mark, 0, n->count);
    n->way[length++] = needs_number(op, fact);
    while (length) {
        uint32_t at = n->way[--length];
        for (uint32_t e = n->back[at]; e < n->back[at + 1]; e++) {
            uint32_t from = n->backs[e].from;
            if (n->mark[from] || !follows(NEEDS_SURE, n->backs[e].kind))
                continue;
            n->mark[from] = 1;
            n->way[length++] = from;
        }
    }
}

bool needs_marked(const needs *n, size_t op, needs_fact fact)
{
    return n->mark[needs_number(op, fact)];
}

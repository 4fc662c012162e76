/* The stream in which a graph was launched. Where the profile does not tell it, all launches of a graph are in one
 * stream if their nodes have one in common: branches of a graph run in streams of the driver, which differ. Of several,
 * it is one that other calls use, too; then the one with most nodes; then the oldest. */
#include <stdlib.h>

#include "profile/make/graphs/graph_launches.h"

typedef struct stream_votes {
    uint32_t nodes;    /* of all launches of the graph that ran in it */
    uint32_t launches; /* that have a node in it */
    size_t seen_by;    /* the launch that was counted last, from 1 */
} stream_votes;

typedef struct choosing {
    making *m;
    const graph_group *group;
    const bool *named;   /* by stream of the trace: other calls use it, too */
    stream_votes *votes; /* by stream of the trace */
} choosing;

static const prof_call *call_of(const making *m, uint32_t first)
{
    return &m->t->calls[m->items.at[m->ops.at[first].item].call];
}

static void set_stream(making *m, uint32_t first, uint32_t nodes, uint32_t stream)
{
    for (uint32_t k = 0; k < nodes; k++)
        m->ops.at[first + k].stream = stream;
}

/* Streams that the program names, and so are not the driver's. In the whole profile, whatever part is imported. */
static void find_named(const making *m, bool *named)
{
    const prof_trace *t = m->t;
    for (size_t i = 0; i < t->call_count; i++)
        if (t->calls[i].stream != PROF_NONE)
            named[t->calls[i].stream] = true;
    for (size_t i = 0; i < t->op_count; i++)
        if (t->ops[i].call != PROF_NONE && t->calls[t->ops[i].call].kind != PROF_CALL_GRAPH_LAUNCH)
            named[t->ops[i].stream] = true;
}

static void vote(const choosing *x)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        for (uint32_t k = 0; k < x->group->nodes; k++) {
            stream_votes *v = &x->votes[trace_op(x->m, x->group->firsts.at[l] + k)->stream];
            v->nodes++;
            v->launches += v->seen_by != l + 1;
            v->seen_by = l + 1;
        }
}

static void forget(const choosing *x)
{
    for (size_t l = 0; l < x->group->firsts.count; l++)
        for (uint32_t k = 0; k < x->group->nodes; k++)
            x->votes[trace_op(x->m, x->group->firsts.at[l] + k)->stream] = (stream_votes){0};
}

static bool is_better(const choosing *x, uint32_t a, uint32_t b)
{
    const stream_votes *v = &x->votes[a], *w = &x->votes[b];
    size_t all = x->group->firsts.count;
    if ((v->launches == all) != (w->launches == all))
        return v->launches == all;
    if (x->named[a] != x->named[b])
        return x->named[a];
    if (v->nodes != w->nodes)
        return v->nodes > w->nodes;
    return x->m->t->streams[a].number < x->m->t->streams[b].number;
}

/* True: the profile does not tell the stream, and there are several that it may be. */
static bool choose(const choosing *x, uint32_t first)
{
    uint32_t told = call_of(x->m, first)->stream, best = trace_op(x->m, first)->stream;
    bool several = false;
    if (told != PROF_NONE && x->m->t->streams[told].device == x->m->device) {
        set_stream(x->m, first, x->group->nodes, told);
        return false;
    }
    for (uint32_t k = 1; k < x->group->nodes; k++) {
        uint32_t stream = trace_op(x->m, first + k)->stream;
        several = several || stream != best;
        if (is_better(x, stream, best))
            best = stream;
    }
    set_stream(x->m, first, x->group->nodes, best);
    return several;
}

bool graph_streams(graph_launches *g)
{
    making *m = g->m;
    bool *named = calloc(m->t->stream_count + 1, sizeof *named);
    stream_votes *votes = calloc(m->t->stream_count + 1, sizeof *votes);
    bool ok = named && votes;
    if (ok)
        find_named(m, named);
    for (size_t i = 0; ok && i < g->groups.count; i++) {
        choosing x = {m, &g->groups.at[i], named, votes};
        vote(&x);
        for (size_t l = 0; l < x.group->firsts.count; l++)
            g->streams_chosen += choose(&x, x.group->firsts.at[l]);
        forget(&x);
    }
    free(named);
    free(votes);
    return ok;
}

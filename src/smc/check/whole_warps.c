#include "smc/check/whole_warps.h"

#include <string.h>

#include "ptx/words.h"
#include "smc/check/refusal.h"
#include "smc/check/regions.h"
#include "smc/check/varying.h"

static bool synchronizes_warp(const ptx_instruction *in)
{
    bool is_barrier = ptx_is(in, "bar") || ptx_is(in, "barrier");
    return is_barrier ? ptx_has(in, "warp") : ptx_has(in, "sync");
}

static bool function_synchronizes(const ptx_function *f)
{
    for (uint32_t i = 0; i < f->items; i++)
        if (f->item[i].kind == PTX_ITEM_INSTRUCTION && synchronizes_warp(f->item[i].instruction))
            return true;
    return false;
}

/* Does a function that the kernel calls do so? */
static bool callee_synchronizes(const smc_kernel *k)
{
    for (uint32_t i = 1; i < k->reached->functions; i++)
        if (function_synchronizes(k->reached->function[i]))
            return true;
    return false;
}

static const ptx_instruction *find_in_region(const ptx_graph *g, const uint8_t *in_region, bool calls_count)
{
    for (uint32_t b = 0; b < g->blocks; b++)
        for (uint32_t i = g->block[b].first; in_region[b] && i < g->block[b].first + g->block[b].count; i++)
            if (synchronizes_warp(g->in[i]) || (calls_count && ptx_is(g->in[i], "call")))
                return g->in[i];
    return NULL;
}

/* What a look at the branches needs. */
typedef struct search {
    const smc_kernel *k; /* the kernel */
    smc_regions regions; /* of its branches */
    smc_varying varying; /* what differs between threads */
    bool calls_count;    /* a function that is called synchronizes warps */
    uint8_t *is_in;      /* by block: it is in the region at hand, or was looked at */
    uint32_t *todo;      /* blocks to look at */
} search;

static bool waits_for_others(const search *s, const ptx_instruction *in)
{
    return synchronizes_warp(in) || ptx_is(in, "bar") || ptx_is(in, "barrier") ||
           (s->calls_count && ptx_is(in, "call"));
}

/* Comes a thread that enters this block to its end without waiting for others? */
static bool passes(const search *s, const ptx_graph_block *x)
{
    for (uint32_t i = x->first; i < x->first + x->count; i++)
        if (waits_for_others(s, s->k->graph.in[i]))
            return false;
    return true;
}

/* May a thread come from block b to the end of the kernel without waiting for others? */
static bool may_end_alone(search *s, uint32_t b)
{
    const ptx_graph *g = &s->k->graph;
    uint32_t count = 0;
    memset(s->is_in, 0, g->blocks);
    s->todo[count++] = b;
    s->is_in[b] = 1;
    while (count) {
        const ptx_graph_block *x = &g->block[s->todo[--count]];
        const ptx_instruction *last = g->in[x->first + x->count - 1];
        if (!passes(s, x))
            continue;
        if (x == &g->block[g->blocks - 1] || ptx_is(last, "ret") || ptx_is(last, "exit"))
            return true;
        for (uint32_t e = x->edge; e < x->edge + x->edges; e++)
            if (!s->is_in[g->edge[e]]) {
                s->is_in[g->edge[e]] = 1;
                s->todo[count++] = g->edge[e];
            }
    }
    return false;
}

/* Branches at which threads part, of which some may end while others are still before the place where their paths meet:
 * because they meet only at the end, or because nothing keeps a thread from going on from there to the end. */
static gcast_status look(search *s, gcast_error *err)
{
    const ptx_graph *g = &s->k->graph;
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t join = s->regions.postdominator[b];
        if (!g->block[b].reached || !s->varying.branch[b] || (join != g->blocks && !may_end_alone(s, join)))
            continue;
        memset(s->is_in, 0, g->blocks);
        if (!smc_regions_mark(&s->regions, b, s->is_in))
            return gcast_error_set_memory(err);
        const ptx_instruction *in = find_in_region(g, s->is_in, s->calls_count);
        if (in)
            return smc_refuse(s->k, in->at, err,
                              "threads of a warp may have ended before others of it synchronize here");
    }
    return GCAST_OK;
}

gcast_status smc_check_whole_warps(const smc_kernel *k, gcast_error *err)
{
    arena memory = {0};
    search s = {.k = k, .calls_count = callee_synchronizes(k)};
    if (k->whole_warps || (!function_synchronizes(k->fn) && !s.calls_count))
        return GCAST_OK;
    s.is_in = arena_alloc_array(&memory, (size_t)k->graph.blocks + 1, 1);
    s.todo = arena_alloc_array(&memory, (size_t)k->graph.blocks + 1, sizeof *s.todo);
    bool ok = smc_regions_open(&s.regions, &k->graph) && s.is_in && s.todo;
    gcast_status status = ok ? smc_varying_find(&k->graph, &memory, &s.varying, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = look(&s, err);
    smc_regions_close(&s.regions);
    arena_free(&memory);
    return status;
}

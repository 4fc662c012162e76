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

/* Branches whose paths meet only at the end: on one of them a thread may end while others go on. */
static gcast_status look(const smc_kernel *k, smc_regions *regions, const smc_varying *varying, uint8_t *in_region,
                         gcast_error *err)
{
    const ptx_graph *g = &k->graph;
    bool calls_count = callee_synchronizes(k);
    for (uint32_t b = 0; b < g->blocks; b++) {
        if (!g->block[b].reached || !varying->branch[b] || regions->postdominator[b] != g->blocks)
            continue;
        memset(in_region, 0, g->blocks);
        if (!smc_regions_mark(regions, b, in_region))
            return gcast_error_set_memory(err);
        const ptx_instruction *in = find_in_region(g, in_region, calls_count);
        if (in)
            return smc_refuse(k, in->at, err, "threads of a warp may have ended before others of it synchronize here");
    }
    return GCAST_OK;
}

gcast_status smc_check_whole_warps(const smc_kernel *k, gcast_error *err)
{
    arena memory = {0};
    smc_regions regions;
    smc_varying varying;
    if (k->whole_warps || (!function_synchronizes(k->fn) && !callee_synchronizes(k)))
        return GCAST_OK;
    uint8_t *in_region = arena_alloc_array(&memory, (size_t)k->graph.blocks + 1, 1);
    bool ok = smc_regions_open(&regions, &k->graph) && in_region;
    gcast_status status = ok ? smc_varying_find(&k->graph, &memory, &varying, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = look(k, &regions, &varying, in_region, err);
    smc_regions_close(&regions);
    arena_free(&memory);
    return status;
}

#include "smc/check/regions.h"

#include <stdlib.h>

#include "base/postdominators.h"
#include "ptx/graph/roles.h"
#include "ptx/words.h"

/* Blocks that end the thread, and the last one, lead to the end. */
static bool leads_to_end(const ptx_graph *g, uint32_t b)
{
    const ptx_graph_block *x = &g->block[b];
    const ptx_instruction *last = g->in[x->first + x->count - 1];
    return b + 1 == g->blocks || (ptx_is_jump(last) && !ptx_is(last, "bra") && !ptx_is(last, "brx"));
}

static bool find_postdominators(smc_regions *r)
{
    const ptx_graph *g = r->g;
    size_t edges = g->blocks;
    for (uint32_t b = 0; b < g->blocks; b++)
        edges += g->block[b].edges;
    uint32_t *start = calloc((size_t)g->blocks + 2 + edges, sizeof *start), used = 0;
    if (!start)
        return false;
    uint32_t *to = start + g->blocks + 2;
    for (uint32_t b = 0; b < g->blocks; b++) {
        const ptx_graph_block *x = &g->block[b];
        start[b] = used;
        for (uint32_t e = x->edge; e < x->edge + x->edges; e++)
            to[used++] = g->edge[e];
        if (leads_to_end(g, b))
            to[used++] = g->blocks;
    }
    start[g->blocks] = start[g->blocks + 1] = used;
    bool ok = postdominators_find(g->blocks + 1, start, to, g->blocks, r->postdominator);
    free(start);
    return ok;
}

bool smc_regions_open(smc_regions *r, const ptx_graph *g)
{
    *r = (smc_regions){.g = g};
    r->postdominator = calloc((size_t)g->blocks + 1, sizeof *r->postdominator);
    r->seen = calloc((size_t)g->blocks + 1, 1);
    return r->postdominator && r->seen && find_postdominators(r);
}

void smc_regions_close(smc_regions *r)
{
    free(r->postdominator);
    free(r->seen);
    vec_free(&r->todo);
    vec_free(&r->visited);
}

bool smc_regions_mark(smc_regions *r, uint32_t b, uint8_t *in_region)
{
    const ptx_graph *g = r->g;
    bool ok = vec_push(&r->todo, b);
    while (r->todo.count && ok) {
        const ptx_graph_block *x = &g->block[r->todo.at[--r->todo.count]];
        for (uint32_t e = x->edge; e < x->edge + x->edges && ok; e++) {
            uint32_t next = g->edge[e];
            if (next == r->postdominator[b] || r->seen[next])
                continue;
            r->seen[next] = in_region[next] = 1;
            ok = vec_push(&r->todo, next) && vec_push(&r->visited, next);
        }
    }
    for (size_t i = 0; i < r->visited.count; i++)
        r->seen[r->visited.at[i]] = 0;
    r->todo.count = r->visited.count = 0;
    return ok;
}

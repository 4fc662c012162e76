/* Blocks that spin, by SM, and what that does to younger ones ("Starving" in docs/model.md).
 * Who starts later never delays who started earlier, so that the end of a block is known
 * when it starts. */
#include "simulate/blocks/starve.h"

#include "simulate/scatter.h"

#include <stdlib.h>

bool starve_happens(const gcast_gpu *gpu, const gcast_workload *w)
{
    bool spins = false;
    for (size_t i = 0; i < w->op_count; i++)
        spins = spins || (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].body == GCAST_BODY_TIMER_SPIN);
    return spins && gpu->starving_warps && gpu->starved_ns;
}

bool starve_init(starve *s, const gcast_gpu *gpu, const gcast_workload *w, bool scatter)
{
    *s = (starve){.count = gpu->sms, .warps = gpu->starving_warps, .most = gpu->starved_ns};
    s->doubtful = s->warps;
    if (scatter) {
        s->doubtful = scatter_doubtful(gpu);
        s->most = scatter_starved_most(gpu);
    }
    if (!starve_happens(gpu, w))
        return true;
    s->sms = calloc((size_t)gpu->sms, sizeof *s->sms);
    return s->sms != NULL;
}

void starve_free(starve *s)
{
    for (int i = 0; s->sms && i < s->count; i++)
        vec_free(&s->sms[i].blocks);
    free(s->sms);
    s->sms = NULL;
}

bool starve_at(const starve *s, uint32_t rank, int64_t t)
{
    if (!s->sms)
        return false;
    const starve_list *list = &s->sms[rank];
    int64_t blocks = 0, warps = 0; /* that spin there past t */
    for (size_t i = 0; i < list->blocks.count; i++) {
        if (list->blocks.at[i].end <= t)
            continue;
        blocks++;
        warps += list->blocks.at[i].warps;
    }
    return warps >= s->warps || (warps >= s->doubtful && blocks >= SCATTER_BLOCKS);
}

int64_t starve_late(const starve *s, uint32_t rank, int64_t end, int64_t most)
{
    int64_t late = most;
    if (!starve_at(s, rank, end))
        return 0;
    const starve_list *list = &s->sms[rank];
    for (size_t i = 0; i < list->blocks.count; i++) {
        int64_t other = list->blocks.at[i].end;
        if (other > end && other - end < late && !starve_at(s, rank, other))
            late = other - end;
    }
    return late;
}

bool starve_add(starve *s, uint32_t rank, int64_t now, int64_t end, int32_t warps)
{
    starve_list *list = &s->sms[rank];
    size_t kept = 0;
    for (size_t i = 0; i < list->blocks.count; i++)
        if (list->blocks.at[i].end > now)
            list->blocks.at[kept++] = list->blocks.at[i];
    list->blocks.count = kept;
    return vec_push(&list->blocks, ((starve_block){end, warps}));
}

/* Blocks that starve, and blocks that sleep. No block ever delays an older one, so that the end of a block is known
 * when it starts. */
#include "simulate/blocks/delays.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/blocks/release_order.h"
#include "simulate/duration.h"

bool starve_happens(const gcast_gpu *gpu, const gcast_workload *w)
{
    bool spins = false;
    for (size_t i = 0; i < w->op_count; i++)
        spins = spins || (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].body == GCAST_BODY_TIMER_SPIN);
    return spins && gpu->starving_warps && gpu->starved_ns;
}

bool starve_init(starve *s, const gcast_gpu *gpu, const gcast_workload *w, bool scatter)
{
    *s = (starve){.sm_count = gpu->sms, .min_warps = gpu->starving_warps, .max_delay_ns = gpu->starved_ns};
    s->scatter_warps = s->min_warps;
    if (scatter) {
        s->scatter_warps = scatter_min_warps(gpu);
        s->max_delay_ns = scatter_max_starved_ns(gpu);
    }
    if (!starve_happens(gpu, w))
        return true;
    s->sms = calloc((size_t)gpu->sms, sizeof *s->sms);
    return s->sms != NULL;
}

void starve_free(starve *s)
{
    for (int i = 0; s->sms && i < s->sm_count; i++)
        vec_free(&s->sms[i].blocks);
    free(s->sms);
    s->sms = NULL;
}

bool starve_at(const starve *s, uint32_t rank, int64_t time)
{
    if (!s->sms)
        return false;
    const starve_list *list = &s->sms[rank];
    int64_t blocks = 0, warps = 0; /* those that still spin there */
    for (size_t i = 0; i < list->blocks.count; i++) {
        if (list->blocks.at[i].end_ns <= time)
            continue;
        blocks++;
        warps += list->blocks.at[i].warps;
    }
    return warps >= s->min_warps || (warps >= s->scatter_warps && blocks >= SCATTER_MIN_BLOCKS);
}

int64_t starve_delay_ns(const starve *s, uint32_t rank, int64_t end_ns, int64_t max_ns)
{
    int64_t delay = max_ns;
    if (!starve_at(s, rank, end_ns))
        return 0;
    const starve_list *list = &s->sms[rank];
    for (size_t i = 0; i < list->blocks.count; i++) {
        int64_t other = list->blocks.at[i].end_ns; /* the block may get issue slots again then */
        if (other > end_ns && other - end_ns < delay && !starve_at(s, rank, other))
            delay = other - end_ns;
    }
    return delay;
}

bool starve_add(starve *s, uint32_t rank, int64_t now, int64_t end_ns, int32_t warps)
{
    starve_list *list = &s->sms[rank];
    size_t kept = 0;
    for (size_t i = 0; i < list->blocks.count; i++)
        if (list->blocks.at[i].end_ns > now)
            list->blocks.at[kept++] = list->blocks.at[i];
    list->blocks.count = kept;
    return vec_push(&list->blocks, ((starve_block){end_ns, warps}));
}

bool tick_init(tick *t, int64_t period_ns, int sms)
{
    *t = (tick){.period_ns = period_ns, .counted_ns = -1};
    if (period_ns)
        t->started_count = calloc((size_t)sms, sizeof *t->started_count);
    return !period_ns || t->started_count;
}

void tick_free(tick *t)
{
    free(t->started_count);
}

/* When a block starts: in resources that are released now, as late as their release is seen. */
static int64_t true_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    if (t->counted_ns != now) {
        memset(t->started_count, 0, (size_t)sms->count * sizeof *t->started_count);
        t->counted_ns = now;
    }
    int64_t before = t->started_count[rank]++;
    return t->after_release ? now + release_delay_ns(gpu, sms->order[rank], before) : now;
}

int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now)
{
    int64_t start = true_start(t, gpu, sms, rank, now);
    return start - start % (t->period_ns / TICK_STEPS);
}

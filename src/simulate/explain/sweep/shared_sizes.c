/* An SM takes its size from the first block that starts on it when it is empty. Where ends are
 * seen one after the other, a block that starts just when the last others leave may have come
 * before the last of them; it is then taken to have joined, if it could. */
#include "simulate/explain/sweep/shared_sizes.h"

#include <stdlib.h>

#include "simulate/blocks/release_order.h"
#include "simulate/run_ops.h"

typedef struct start {
    int64_t at, back; /* and when its room comes back */
    uint64_t entry, block;
    int level;
    int32_t rank;
    carveout size;
} start;

typedef struct occupied {
    int64_t until;
    uint32_t leaving; /* blocks whose room comes back then */
    int32_t size;
} occupied;

static int by_turn(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->level != y->level)
        return x->level - y->level;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

typedef VEC(start) starts;

static bool collect(const gcast_run *run, const sm_set *sms, starts *all)
{
    bool ok = true;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (r->skipped || run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        start s = {
            .entry = r->entry, .level = run_level(run, i), .size = carveout_of(&run->gpu->limits, run_spec(run, i))};
        for (s.block = 0; s.block < r->block_count && ok; s.block++) {
            const gcast_block *b = &r->blocks[s.block];
            s.at = b->start_ns;
            s.back = b->end_ns + run->gpu->handover_ns;
            s.rank = sms->rank[b->sm];
            ok = vec_push(all, s);
        }
    }
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_turn);
    return ok;
}

/* A block starts; false without memory. */
static bool take(explain_sizes *z, occupied *sm, const start *s, bool looks)
{
    bool joins = s->at < sm->until || (looks && s->at == sm->until && sm->leaving > 1 && sm->size >= s->size.least);
    bool ok = true;
    if (!joins) {
        sm->size = s->size.chosen;
        ok = vec_push(&z->changes, ((size_change){s->at, s->rank, sm->size}));
    }
    if (s->back > sm->until) {
        sm->until = s->back;
        sm->leaving = 0;
    }
    sm->leaving += s->back == sm->until;
    return ok;
}

bool explain_sizes_init(explain_sizes *z, const gcast_run *run, const sm_set *sms)
{
    *z = (explain_sizes){0};
    if (!sms->largest)
        return true;
    starts all = {0};
    occupied *state = calloc((size_t)sms->count, sizeof *state);
    bool ok = state && collect(run, sms, &all);
    for (size_t i = 0; i < all.count && ok; i++)
        ok = take(z, &state[all.at[i].rank], &all.at[i], release_order_splits_sms(run->gpu, run->wake_ns));
    vec_free(&all);
    free(state);
    return ok;
}

void explain_sizes_set(explain_sizes *z, int64_t t, explain_residents *r)
{
    for (; z->next < z->changes.count && z->changes.at[z->next].at <= t; z->next++) {
        int rank = z->changes.at[z->next].rank;
        r->sms->at[rank].size = z->changes.at[z->next].size;
        r->failed = !vec_push(&r->changed, rank) || r->failed;
    }
}

void explain_sizes_free(explain_sizes *z)
{
    vec_free(&z->changes);
}

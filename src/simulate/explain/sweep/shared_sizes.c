/* An empty SM takes the size that the first block on it chooses. Where releases are seen one after the other, a block
 * that starts when the last other blocks are released may have come before the last release. It is then taken to have
 * joined those blocks, if it fitted beside them. */
#include "simulate/explain/sweep/shared_sizes.h"

#include <stdlib.h>

#include "simulate/blocks/release_order.h"
#include "simulate/run_ops.h"

/* The start of a block. */
typedef struct start {
    int64_t start_ns;
    int64_t release_ns; /* when it releases its resources */
    uint64_t entry;     /* of its kernel, in the order of entries */
    uint64_t block;     /* its index in the grid */
    int level;          /* of its kernel */
    int32_t rank;       /* of its SM */
    carveout size;      /* that its SM must have, and that it chooses */
} start;

/* An SM. */
typedef struct occupied {
    int64_t until_ns; /* the last release of blocks that have started there */
    uint32_t last;    /* how many blocks are released then */
    int32_t size;     /* of its shared memory */
} occupied;

static int by_time_and_level(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->level != y->level)
        return x->level - y->level;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

typedef VEC(start) starts;

/* All starts of blocks of the run, in the order in which they happen; false without memory. */
static bool collect_starts(const gcast_run *run, const sm_set *sms, starts *all)
{
    bool ok = true;
    for (size_t i = 0; i < run_total(run); i++) {
        const gcast_run_op *r = &run->ops[i];
        if (r->skipped || run_spec(run, i)->kind != GCAST_KIND_KERNEL)
            continue;
        start s = {
            .entry = r->entry, .level = run_level(run, i), .size = carveout_of(&run->gpu->limits, run_spec(run, i))};
        for (s.block = 0; s.block < r->block_count && ok; s.block++) {
            const gcast_block *b = &r->blocks[s.block];
            s.start_ns = b->start_ns;
            s.release_ns = b->end_ns + run->gpu->handover_ns;
            s.rank = sms->rank[b->sm];
            ok = vec_push(all, s);
        }
    }
    if (ok && all->count)
        qsort(all->at, all->count, sizeof *all->at, by_time_and_level);
    return ok;
}

/* A block starts on an SM; false without memory. `splits`: releases of an SM may be seen one after the other. */
static bool add_start(explain_sizes *z, occupied *sm, const start *s, bool splits)
{
    bool joins = s->start_ns < sm->until_ns ||
                 (splits && s->start_ns == sm->until_ns && sm->last > 1 && sm->size >= s->size.min_bytes);
    bool ok = true;
    if (!joins) {
        sm->size = s->size.chosen_bytes;
        ok = vec_push(&z->changes, ((size_change){s->start_ns, s->rank, sm->size}));
    }
    if (s->release_ns > sm->until_ns) {
        sm->until_ns = s->release_ns;
        sm->last = 0;
    }
    sm->last += s->release_ns == sm->until_ns;
    return ok;
}

bool explain_sizes_init(explain_sizes *z, const gcast_run *run, const sm_set *sms)
{
    *z = (explain_sizes){0};
    if (!sms->largest)
        return true;
    starts all = {0};
    occupied *state = calloc((size_t)sms->count, sizeof *state);
    bool ok = state && collect_starts(run, sms, &all);
    for (size_t i = 0; i < all.count && ok; i++)
        ok = add_start(z, &state[all.at[i].rank], &all.at[i], release_order_splits_sms(run->gpu, run->wake_ns));
    vec_free(&all);
    free(state);
    return ok;
}

void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r)
{
    for (; z->next < z->changes.count && z->changes.at[z->next].time <= time; z->next++) {
        int rank = z->changes.at[z->next].rank;
        r->sms->at[rank].size = z->changes.at[z->next].size;
        r->failed = !vec_push(&r->changed, rank) || r->failed;
    }
}

void explain_sizes_free(explain_sizes *z)
{
    vec_free(&z->changes);
}

/* Each order closes all SMs, and opens them one by one as their releases are seen. */
#include "simulate/blocks/release_order.h"

#include <stdlib.h>
#include <string.h>

static void close_all(sm_set *sms, bool closed)
{
    memset(sms->closed, closed ? 0xff : 0, ((size_t)sms->count + 63) / 64 * sizeof *sms->closed);
}

static void open_sm(sm_set *sms, uint32_t rank)
{
    sms->closed[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

static int by_sm(const void *a, const void *b)
{
    const released_block *x = a, *y = b;
    return x->sm - y->sm;
}

static int by_rank_and_entry(const void *a, const void *b)
{
    const released_block *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->quarter - y->quarter;
}

static int by_sm_and_age(const void *a, const void *b)
{
    const released_block *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm - y->sm;
    int32_t older = (int32_t)(x->age - y->age);
    return (older > 0) - (older < 0);
}

static int by_seen(const void *a, const void *b)
{
    const released_block *x = a, *y = b;
    return (x->seen_after > y->seen_after) - (x->seen_after < y->seen_after);
}

static int by_seen_and_sm(const void *a, const void *b)
{
    int seen = by_seen(a, b);
    return seen ? seen : by_sm(a, b);
}

/* Takes the resources of these blocks again, until their release is seen. */
static void retake_resources(sm_set *sms, const released_block *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sm_state *sm = &sms->at[blocks[i].rank];
        int32_t next_quarter = sm->next_quarter;
        sm->next_quarter = blocks[i].quarter;
        sm_take_one(sm, blocks[i].demand);
        sm->next_quarter = next_quarter;
    }
}

/* All resources are there, but only those of one SM are seen at a time. */
static bool show_by_sm(sm_set *sms, released_block *blocks, size_t count, release_dispatch *dispatch, void *context)
{
    release_answer answer = RELEASE_WAITING;
    qsort(blocks, count, sizeof *blocks, by_sm);
    for (size_t i = 1; i < count; i++)
        if (blocks[i].sm == blocks[i - 1].sm)
            return true;
    for (size_t i = 0; i < count && answer == RELEASE_WAITING; i++) {
        close_all(sms, true);
        open_sm(sms, blocks[i].rank);
        answer = dispatch(context);
    }
    return answer != RELEASE_FAILED;
}

static void order_by_delay(const gcast_gpu *gpu, released_block *blocks, size_t count)
{
    int64_t before = 0; /* earlier ends on the same SM */
    qsort(blocks, count, sizeof *blocks, by_rank_and_entry);
    for (size_t i = 0; i < count; i++) {
        before = i && blocks[i].rank == blocks[i - 1].rank ? before + 1 : 0;
        blocks[i].seen_after = release_delay_ns(gpu, blocks[i].sm, before);
    }
    qsort(blocks, count, sizeof *blocks, by_seen);
}

static bool show_by_delay(sm_set *sms, const gcast_gpu *gpu, released_block *blocks, size_t count,
                          release_dispatch *dispatch, void *context)
{
    release_answer answer = RELEASE_WAITING;
    retake_resources(sms, blocks, count);
    order_by_delay(gpu, blocks, count);
    close_all(sms, true);
    for (size_t i = 0; i < count; i++) {
        const released_block *block = &blocks[i];
        sm_release_one(&sms->at[block->rank], block->demand, block->quarter);
        open_sm(sms, block->rank);
        if (answer == RELEASE_WAITING && (i + 1 == count || block[1].seen_after > block->seen_after))
            answer = dispatch(context);
    }
    return answer != RELEASE_FAILED;
}

/* Orders blocks by turn: one of each SM, the oldest of an SM first. */
static void order_by_turn(released_block *blocks, size_t count)
{
    qsort(blocks, count, sizeof *blocks, by_sm_and_age);
    for (size_t i = 0; i < count; i++)
        blocks[i].seen_after = i && blocks[i].rank == blocks[i - 1].rank ? blocks[i - 1].seen_after + 1 : 0;
    qsort(blocks, count, sizeof *blocks, by_seen_and_sm);
}

/* The warps of a block that sleeps have left before its end is seen, except the one that keeps the time. */
static bool show_by_warp(sm_set *sms, released_block *blocks, size_t count, release_dispatch *dispatch, void *context)
{
    release_answer answer = RELEASE_WAITING;
    retake_resources(sms, blocks, count);
    order_by_turn(blocks, count);
    close_all(sms, true);
    for (size_t i = 0; i < count; i++) {
        open_sm(sms, blocks[i].rank);
        if (blocks[i].sleeps)
            sm_release_warps(&sms->at[blocks[i].rank], blocks[i].demand, blocks[i].quarter);
    }
    for (size_t i = 0; i < count; i++) {
        sm_state *sm = &sms->at[blocks[i].rank];
        if (blocks[i].sleeps)
            sm_release_last(sm, blocks[i].demand, blocks[i].quarter);
        else
            sm_release_one(sm, blocks[i].demand, blocks[i].quarter);
        if (answer == RELEASE_WAITING)
            answer = dispatch(context);
    }
    return answer != RELEASE_FAILED;
}

bool release_in_order(sm_set *sms, const gcast_gpu *gpu, release_order order, released_block *blocks, size_t count,
                      release_dispatch *dispatch, void *context)
{
    bool ok = true;
    if (order == RELEASE_BY_SM)
        ok = show_by_sm(sms, blocks, count, dispatch, context);
    else if (order == RELEASE_BY_WARP)
        ok = show_by_warp(sms, blocks, count, dispatch, context);
    else if (order == RELEASE_BY_DELAY)
        ok = show_by_delay(sms, gpu, blocks, count, dispatch, context);
    close_all(sms, false);
    return ok;
}

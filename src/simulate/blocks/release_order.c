/* Each order closes all SMs, and opens them one by one as their releases are seen. */
#include "simulate/blocks/release_order.h"

#include <string.h>

static void close_all(sm_set *sms, bool closed)
{
    memset(sms->closed, closed ? 0xff : 0, ((size_t)sms->count + 63) / 64 * sizeof *sms->closed);
}

static void open_sm(sm_set *sms, uint32_t rank)
{
    sms->closed[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* Up to so many blocks, putting each before the later ones is quicker than counting bytes. */
#define FEW_BLOCKS 32

static void order_few(released_block *blocks, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t block = blocks[i].order;
        size_t to = i;
        for (; to && blocks[blocks[to - 1].order].key > blocks[block].key; to--)
            blocks[to].order = blocks[to - 1].order;
        blocks[to].order = block;
    }
}

static void order_by_byte(released_block *blocks, size_t count, unsigned shift)
{
    uint32_t next[256] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        next[blocks[i].key >> shift & 0xff]++;
    for (size_t byte = 0; byte < 256; byte++) {
        uint32_t blocks_of_byte = next[byte];
        next[byte] = sum;
        sum += blocks_of_byte;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t block = blocks[i].order;
        blocks[next[blocks[block].key >> shift & 0xff]++].ordered = block;
    }
    for (size_t i = 0; i < count; i++)
        blocks[i].order = blocks[i].ordered;
}

/* Sorts the order of the blocks by their keys; those with equal keys keep their order. A wave may have thousands of
 * blocks, whose keys differ in one or two bytes. */
static void order_by_key(released_block *blocks, size_t count)
{
    uint64_t differing = 0;
    for (size_t i = 1; i < count; i++)
        differing |= blocks[i].key ^ blocks[0].key;
    if (differing && count <= FEW_BLOCKS)
        order_few(blocks, count);
    else
        for (unsigned shift = 0; shift < 64; shift += 8)
            if (differing >> shift & 0xff)
                order_by_byte(blocks, count, shift);
}

#define ORDER_BY(blocks, count, block, expression)                                                                     \
    do {                                                                                                               \
        for (size_t at = 0; at < (count); at++) {                                                                      \
            released_block *block = &(blocks)[at];                                                                     \
            block->key = (uint64_t)(expression);                                                                       \
        }                                                                                                              \
        order_by_key(blocks, count);                                                                                   \
    } while (0)

static void order_as_given(released_block *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        blocks[i].order = (uint32_t)i;
}

/* The block at this place of the order. */
static released_block *ordered(released_block *blocks, size_t place)
{
    return &blocks[blocks[place].order];
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
    order_as_given(blocks, count);
    ORDER_BY(blocks, count, block, block->sm);
    for (size_t i = 1; i < count; i++)
        if (ordered(blocks, i)->sm == ordered(blocks, i - 1)->sm)
            return true;
    for (size_t i = 0; i < count && answer == RELEASE_WAITING; i++) {
        close_all(sms, true);
        open_sm(sms, ordered(blocks, i)->rank);
        answer = dispatch(context);
    }
    return answer != RELEASE_FAILED;
}

static void order_by_delay(const gcast_gpu *gpu, released_block *blocks, size_t count)
{
    int64_t before = 0; /* earlier ends on the same SM */
    order_as_given(blocks, count);
    ORDER_BY(blocks, count, block, block->quarter);
    ORDER_BY(blocks, count, block, block->entry);
    ORDER_BY(blocks, count, block, block->rank);
    for (size_t i = 0; i < count; i++) {
        released_block *block = ordered(blocks, i);
        before = i && block->rank == ordered(blocks, i - 1)->rank ? before + 1 : 0;
        block->seen_after = release_delay_ns(gpu, block->sm, before);
    }
    ORDER_BY(blocks, count, block, block->seen_after);
}

static bool show_by_delay(sm_set *sms, const gcast_gpu *gpu, released_block *blocks, size_t count,
                          release_dispatch *dispatch, void *context)
{
    release_answer answer = RELEASE_WAITING;
    retake_resources(sms, blocks, count);
    order_by_delay(gpu, blocks, count);
    close_all(sms, true);
    for (size_t i = 0; i < count; i++) {
        const released_block *block = ordered(blocks, i);
        sm_release_one(&sms->at[block->rank], block->demand, block->quarter);
        open_sm(sms, block->rank);
        if (answer == RELEASE_WAITING && (i + 1 == count || ordered(blocks, i + 1)->seen_after > block->seen_after))
            answer = dispatch(context);
    }
    return answer != RELEASE_FAILED;
}

/* Orders blocks by turn: one of each SM, the oldest of an SM first. */
static void order_by_turn(released_block *blocks, size_t count)
{
    order_as_given(blocks, count);
    /* Ages lie within 2^31 of each other. */
    ORDER_BY(blocks, count, block, block->age - blocks->age + (UINT32_C(1) << 31));
    ORDER_BY(blocks, count, block, block->sm);
    for (size_t i = 0; i < count; i++) {
        released_block *block = ordered(blocks, i), *before = ordered(blocks, i ? i - 1 : 0);
        block->seen_after = i && block->rank == before->rank ? before->seen_after + 1 : 0;
    }
    ORDER_BY(blocks, count, block, block->seen_after);
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
        const released_block *block = ordered(blocks, i);
        sm_state *sm = &sms->at[block->rank];
        if (block->sleeps)
            sm_release_last(sm, block->demand, block->quarter);
        else
            sm_release_one(sm, block->demand, block->quarter);
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

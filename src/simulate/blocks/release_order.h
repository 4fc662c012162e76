/* The order in which the block scheduler sees resources that blocks on several SMs release at one time. In between it
 * dispatches blocks of the head ("Looks" in docs/model.md). */
#ifndef SIMULATE_BLOCKS_RELEASE_ORDER_H
#define SIMULATE_BLOCKS_RELEASE_ORDER_H

#include "simulate/blocks/sm.h"

/* How long after their release the scheduler sees the resources of a block on this SM; `before`: how many releases of
 * the SM it sees before. */
static inline int64_t release_delay_ns(const gcast_gpu *gpu, int sm, int64_t before)
{
    return (gpu->reach_ns ? gpu->reach_ns[sm] : 0) + before * gpu->look_step_ns;
}

/* May releases on one SM at one time be seen one after the other? `sleeping`: blocks may sleep, and wake on ticks. */
static inline bool release_order_splits_sms(const gcast_gpu *gpu, bool sleeping)
{
    return gpu->look_step_ns && (gpu->sms > gpu->sms_per_tpc || (sleeping && gpu->sms > 1));
}

/* A block that ends now. */
typedef struct released_block {
    const sm_demand *demand; /* what it releases */
    uint64_t entry;          /* its kernel's place in the order of entries to the EE queue */
    uint64_t key;            /* set here: what the order is sorted by */
    int64_t seen_after;      /* set here: nanoseconds, or rounds, after which its end is seen */
    uint32_t order, ordered; /* set here, and of a place in the array, not of its block: the block there in the order */
    uint32_t rank;           /* of its SM */
    int sm;                  /* number of its SM; ranks need not follow the numbers */
    int32_t quarter;         /* where its first warp ran */
    uint32_t age;            /* how many blocks were dispatched before it, modulo 2^32 */
    bool sleeps;             /* its first warp sleeps until the end, and leaves last */
} released_block;

typedef enum {
    RELEASE_AT_ONCE,  /* all on one SM */
    RELEASE_BY_SM,    /* on one TPC: one SM after the other, if one block ended on each; else at once */
    RELEASE_BY_WARP,  /* on one TPC, blocks that sleep: one block of each SM in turn, when its last warp has left */
    RELEASE_BY_DELAY, /* on several TPCs: block by block, by the distance of its SM and the number of ends seen there */
} release_order;

/* On how many SMs and TPCs blocks end at one time. */
typedef struct release_spread {
    bool several_sms;  /* on more than one SM */
    bool several_tpcs; /* on more than one TPC */
} release_spread;

/* A block ends on `sm`, and the first one counted ended on `first_sm`. */
static inline void release_spread_add(release_spread *spread, const gcast_gpu *gpu, int first_sm, int sm)
{
    spread->several_sms |= sm != first_sm;
    spread->several_tpcs |= sm / gpu->sms_per_tpc != first_sm / gpu->sms_per_tpc;
}

/* `sleeping`: blocks may sleep, and wake on ticks. */
static inline release_order release_order_of(release_spread spread, bool sleeping)
{
    if (!spread.several_sms)
        return RELEASE_AT_ONCE;
    return spread.several_tpcs ? RELEASE_BY_DELAY : sleeping ? RELEASE_BY_WARP : RELEASE_BY_SM;
}

typedef enum {
    RELEASE_WAITING, /* the head has blocks left */
    RELEASE_DONE,    /* the head is fully dispatched: nothing more starts in between */
    RELEASE_FAILED,
} release_answer;

/* Dispatches blocks of the head that fit on SMs that are not closed. */
typedef release_answer release_dispatch(void *context);

/* Lets the scheduler see the resources of these blocks, which have been released already, one after the other. In
 * between it dispatches blocks of the head, on SMs where a release has been seen. False where `dispatch` failed. */
bool release_in_order(sm_set *sms, const gcast_gpu *gpu, release_order order, released_block *blocks, size_t count,
                      release_dispatch *dispatch, void *context);

#endif

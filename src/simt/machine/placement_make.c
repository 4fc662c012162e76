/* gcast_placement_make: makes placements of each kind. */
#include <stdlib.h>

#include "base/api.h"
#include "base/splitmix.h"
#include "gridcast/gpu.h"
#include "model/launch_placement.h"

#define GOLDEN_STEP                                                                                                    \
    0x9e3779b97f4a7c15u /* 2^64 divided by the golden ratio: its multiples spread evenly over 64 bits                  \
                         */

/* A request, and the placement that is filled. */
typedef struct request {
    uint64_t seed;                    /* of random choices */
    uint32_t sms, per_sm;             /* SMs; blocks that each holds at a time */
    uint64_t blocks;                  /* of the grid */
    uint32_t *block_sm, *block_order; /* the placement */
} request;

static void shuffle(uint32_t *list, uint64_t count, uint64_t *state)
{
    for (uint64_t i = count; i > 1; i--) {
        uint64_t other = splitmix_next(state) % i;
        uint32_t kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

/* The SM at `rank`: the first SM of every TPC ranks before the second, as on most GPUs since Volta. */
static uint32_t sm_of_rank(uint32_t rank, uint32_t sms)
{
    uint32_t even_sms = sms - sms / 2;
    return rank < even_sms ? 2 * rank : 2 * (rank - even_sms) + 1;
}

static void make_hardware(const request *r)
{
    for (uint64_t i = 0; i < r->blocks; i++)
        r->block_sm[i] = sm_of_rank((uint32_t)(i % r->sms), r->sms);
}

static void make_modulo(const request *r)
{
    for (uint64_t i = 0; i < r->blocks; i++)
        r->block_sm[i] = (uint32_t)(i % r->sms);
}

static void make_reversed(const request *r)
{
    make_hardware(r);
    for (uint64_t i = 0; i < r->blocks; i++)
        r->block_order[i] = (uint32_t)(r->blocks - 1 - i);
}

/* Repeats the slots of SMs in a random order, so a block takes the slot of the block that started longest ago. */
static gcast_status make_random(const request *r, gcast_error *err)
{
    uint64_t state = r->seed, slots = (uint64_t)r->sms * r->per_sm;
    uint32_t *slot = malloc(slots * sizeof *slot);
    if (!slot)
        return gcast_error_set_memory(err);
    for (uint64_t i = 0; i < slots; i++)
        slot[i] = (uint32_t)(i % r->sms);
    shuffle(slot, slots, &state);
    shuffle(r->block_order, r->blocks, &state);
    for (uint64_t i = 0; i < r->blocks; i++)
        r->block_sm[r->block_order[i]] = slot[i % slots];
    free(slot);
    return GCAST_OK;
}

static gcast_status make_starved(const request *r, gcast_error *err)
{
    if (r->sms < 2)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a starved SM needs another one that has the blocks");
    uint32_t starved = (uint32_t)(r->seed % r->sms);
    for (uint64_t i = 0; i < r->blocks; i++) {
        uint32_t sm = (uint32_t)(i % (r->sms - 1));
        r->block_sm[i] = sm + (sm >= starved);
    }
    return GCAST_OK;
}

/* SM k has k + 1 of sms * (sms + 1) / 2 tickets. Blocks draw them by a sequence that is even over every range. */
static void make_uneven(const request *r)
{
    uint64_t tickets = (uint64_t)r->sms * (r->sms + 1) / 2;
    for (uint64_t i = 0; i < r->blocks; i++) {
        uint64_t ticket = (((i + 1) * GOLDEN_STEP) >> 32) * tickets >> 32;
        uint32_t lo = 0, hi = r->sms - 1; /* the SM is one of these */
        while (lo < hi) {
            uint32_t middle = (lo + hi) / 2;
            if (ticket < (uint64_t)(middle + 1) * (middle + 2) / 2)
                hi = middle;
            else
                lo = middle + 1;
        }
        r->block_sm[i] = lo;
    }
}

static void make_crowded(const request *r)
{
    for (uint64_t i = 0; i < r->blocks; i++)
        r->block_sm[i] = (uint32_t)(r->seed % r->sms);
}

static gcast_status check_request(const request *r, gcast_error *err)
{
    if (!r->sms || r->sms > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a placement is on 1 to %d SMs, not %u", GCAST_MAX_SMS, r->sms);
    if (!r->per_sm || r->per_sm > GCAST_PLACEMENT_MAX_PER_SM)
        return gcast_error_set(err, GCAST_USAGE, NULL, "an SM holds 1 to %d blocks, not %u", GCAST_PLACEMENT_MAX_PER_SM,
                               r->per_sm);
    if (r->blocks > UINT32_MAX)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a placement is of at most %u blocks, not %llu", UINT32_MAX,
                               (unsigned long long)r->blocks);
    return GCAST_OK;
}

gcast_status gcast_placement_make(gcast_placement_kind kind, uint64_t seed, uint32_t sms, uint32_t per_sm,
                                  uint64_t blocks, uint32_t *block_sm, uint32_t *block_order, gcast_error *err)
{
    if (!block_sm || !block_order)
        return argument_missing(err);
    request r = {seed, sms, per_sm, blocks, block_sm, block_order};
    gcast_status status = check_request(&r, err);
    if (status != GCAST_OK)
        return status;
    for (uint64_t i = 0; i < blocks; i++)
        block_order[i] = (uint32_t)i;
    switch (kind) {
    case GCAST_PLACEMENT_KIND_HARDWARE:
        make_hardware(&r);
        return GCAST_OK;
    case GCAST_PLACEMENT_KIND_MODULO:
        make_modulo(&r);
        return GCAST_OK;
    case GCAST_PLACEMENT_KIND_RANDOM:
        return make_random(&r, err);
    case GCAST_PLACEMENT_KIND_REVERSED:
        make_reversed(&r);
        return GCAST_OK;
    case GCAST_PLACEMENT_KIND_STARVED:
        return make_starved(&r, err);
    case GCAST_PLACEMENT_KIND_UNEVEN:
        make_uneven(&r);
        return GCAST_OK;
    case GCAST_PLACEMENT_KIND_CROWDED:
        make_crowded(&r);
        return GCAST_OK;
    default:
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no placement of kind %d", (int)kind);
    }
}

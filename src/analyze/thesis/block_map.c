/* Where algorithm 2 puts the blocks on the slots of the pool, as its figures show them. The algorithm itself only
 * counts slots (algorithm2.c); any that are free will do, and here they are those with the lowest numbers. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "base/vec.h"
#include "gridcast/thesis.h"

#define NO_BOX SIZE_MAX
#define MAX_SLOTS (1 << 24) /* far more than any GPU has */

typedef struct slot {
    int64_t free_at; /* when a block may start on it */
    size_t box;      /* the last one on it; NO_BOX: there is none */
} slot;

typedef struct placement {
    const gcast_thesis_pool *pool; /* the slots, and the times between blocks */
    slot *slots;                   /* of the pool */
    VEC(gcast_thesis_box) boxes;   /* all so far */
    size_t first_box;              /* of the kernel that is placed now */
    int64_t at;                    /* t_a: no block starts before */
} placement;

/* How many slots from `first` on a box of this kernel covers whose last round makes way for the next one now; 0 where
 * there is no such box, or the kernel has fewer blocks left. */
static uint32_t continued_slots(const placement *p, uint32_t first, uint64_t left)
{
    const slot *s = &p->slots[first];
    if (s->box == NO_BOX || s->box < p->first_box || s->free_at != p->at)
        return 0;
    const gcast_thesis_box *b = &p->boxes.at[s->box];
    return b->first_slot == first && b->slots <= left ? b->slots : 0;
}

/* How many slots from `first` on are free and do not continue a box. */
static uint32_t fresh_slots(const placement *p, uint32_t first, uint64_t left)
{
    uint32_t n = 0;
    while (first + n < p->pool->slots && n < left && p->slots[first + n].free_at <= p->at &&
           !continued_slots(p, first + n, left - n))
        n++;
    return n;
}

/* Blocks start now on all free slots, as long as the kernel has any left. False without memory. */
static bool fill_slots(placement *p, size_t kernel, int64_t hold_ns, uint64_t *left)
{
    for (uint32_t first = 0, n; first < p->pool->slots && *left; first += n) {
        n = 1;
        if (p->slots[first].free_at > p->at)
            continue;
        n = continued_slots(p, first, *left);
        size_t box = p->slots[first].box;
        if (n) {
            p->boxes.at[box].rounds++;
        } else {
            n = fresh_slots(p, first, *left);
            box = p->boxes.count;
            if (!vec_push(&p->boxes, ((gcast_thesis_box){kernel, first, n, p->at, 1})))
                return false;
        }
        for (uint32_t i = 0; i < n; i++)
            p->slots[first + i] = (slot){p->at + hold_ns, box};
        *left -= n;
    }
    return true;
}

/* Where this kernel has all slots, rounds that leave blocks for one more are placed at once. */
static void skip_rounds(placement *p, int64_t hold_ns, uint64_t *left)
{
    uint32_t slots = p->pool->slots;
    if (*left / 2 < slots)
        return;
    for (uint32_t i = 0; i < slots; i++)
        if (p->slots[i].box == NO_BOX || p->slots[i].box < p->first_box || p->slots[i].free_at <= p->at)
            return;
    uint64_t rounds = *left / slots - 1;
    for (uint32_t i = 0; i < slots; i++) {
        gcast_thesis_box *b = &p->boxes.at[p->slots[i].box];
        b->rounds += b->first_slot == i ? rounds : 0;
        p->slots[i].free_at += (int64_t)rounds * hold_ns;
    }
    *left -= rounds * slots;
}

/* The next time at which a slot is free. */
static int64_t next_free(const placement *p)
{
    int64_t next = p->slots[0].free_at;
    for (uint32_t i = 1; i < p->pool->slots; i++)
        next = min_i64(next, p->slots[i].free_at);
    return next;
}

static bool place_kernel(placement *p, const gcast_thesis_kernel *k, size_t kernel)
{
    int64_t hold_ns = k->execution_ns + p->pool->handover_ns;
    uint64_t left = k->blocks;
    p->first_box = p->boxes.count;
    p->at = max_i64(p->at, k->release_ns);
    for (;;) {
        if (!fill_slots(p, kernel, hold_ns, &left))
            return false;
        if (!left)
            break;
        skip_rounds(p, hold_ns, &left);
        p->at = max_i64(p->at, next_free(p));
    }
    p->at += p->pool->switch_ns;
    return true;
}

gcast_status gcast_thesis_place(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count,
                                gcast_thesis_box **boxes, size_t *box_count, gcast_error *err)
{
    if (boxes)
        *boxes = NULL;
    if (!pool || !kernels || !boxes || !box_count)
        return argument_missing(err);
    if (pool->slots > MAX_SLOTS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a pool of %u slots is larger than any GPU's", pool->slots);
    int64_t *completions = malloc((count + 1) * sizeof *completions);
    placement p = {.pool = pool, .slots = malloc(((size_t)pool->slots + 1) * sizeof *p.slots)};
    gcast_status status = completions && p.slots ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK) /* checks its input, too */
        status = gcast_thesis_completions(pool, kernels, count, NULL, completions, NULL, err);
    for (uint32_t i = 0; status == GCAST_OK && i < pool->slots; i++)
        p.slots[i] = (slot){0, NO_BOX};
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        if (!place_kernel(&p, &kernels[i], i))
            status = gcast_error_set_memory(err);
    free(completions);
    free(p.slots);
    if (status != GCAST_OK) {
        vec_free(&p.boxes);
        return status;
    }
    *boxes = p.boxes.at;
    *box_count = p.boxes.count;
    return GCAST_OK;
}

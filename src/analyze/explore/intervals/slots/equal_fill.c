/* Every block takes the slot that comes free first, one block after the other. So the time of every slot, in sorted
 * order, grows with every duration and with the time of every slot before. */
#include "analyze/explore/intervals/slots/equal_fill.h"

#include "base/minmax.h"

/* Starts whole waves at once: while all slots that are used come free within the time of a block of each other, each
 * wave moves all of them on by that time. Returns the number of blocks that start. */
static uint64_t start_waves(int64_t *slots, size_t count, slot_fill *f, uint64_t left)
{
    int64_t hold = f->block_ns + f->handover_ns;
    size_t n = 1;
    while (n < count && n <= left && max_i64(slots[n], f->last_start) <= max_i64(slots[0], f->last_start) + hold)
        n++;
    if (n > left)
        return 0;
    int64_t last = max_i64(slots[n - 1], f->last_start), limit = min_i64(f->cut_off, f->start_hi);
    uint64_t waves = left / n;
    if (n < count && waves > (uint64_t)((slots[n] - last) / hold))
        waves = (uint64_t)((slots[n] - last) / hold);
    if (limit < last)
        return 0;
    if (waves > (uint64_t)((limit - last) / hold) + 1)
        waves = (uint64_t)((limit - last) / hold) + 1;
    if (!waves)
        return 0;
    for (size_t i = 0; i < n; i++)
        slots[i] = max_i64(slots[i], f->last_start) + (int64_t)waves * hold;
    f->last_start = last + (int64_t)(waves - 1) * hold;
    f->last_end = max_i64(f->last_end, f->last_start + f->block_ns);
    return waves * n;
}

/* When a block starts that takes a slot which is free at this time. By start_hi it may be earlier than that: then fewer
 * blocks start than are counted here, and the slot is not used. */
static int64_t start_on(int64_t slot, const slot_fill *f)
{
    return min_i64(max_i64(slot, f->last_start), f->start_hi);
}

/* Blocks that take equally long end in the order in which they start. So the slots that they take are put at the end of
 * a ring, where they are sorted. Returns the number of blocks that start. */
static uint64_t start_equal(int64_t *slots, size_t count, slot_fill *f, uint64_t wanted)
{
    int64_t *ring = f->ring, hold = f->block_ns + f->handover_ns;
    size_t moved = 0, head = 0; /* number of slots that are in the ring instead, and where the ring begins */
    uint64_t n = 0;
    for (; n < wanted; n++) {
        bool from_ring = moved && (moved == count || ring[head] < slots[moved]);
        int64_t slot = from_ring ? ring[head] : slots[moved], start = start_on(slot, f);
        if (start > f->cut_off && f->started_count + n)
            break;
        f->last_start = start;
        if (from_ring)
            head = head + 1 == count ? 0 : head + 1;
        else
            moved++;
        size_t end = head + moved - 1;
        ring[end < count ? end : end - count] = max_i64(slot, start + hold);
    }
    f->last_end = max_i64(f->last_end, n ? f->last_start + f->block_ns : 0);
    /* merges the ring into the slots; i is never past `moved`, as `left` slots of the ring are still to be put back */
    for (size_t i = 0, left = moved; left; i++) {
        if (moved < count && slots[moved] <= ring[head]) {
            slots[i] = slots[moved++];
        } else {
            slots[i] = ring[head];
            head = head + 1 == count ? 0 : head + 1;
            left--;
        }
    }
    return n;
}

/* Starts one block, which has a duration of its own. Returns the number of blocks that start: 1 or 0. */
static uint64_t start_one(int64_t *slots, size_t count, slot_fill *f)
{
    int64_t start = start_on(slots[0], f), ns = f->each_ns[f->started_count] + f->extra_ns,
            free_again = max_i64(slots[0], start + ns + f->handover_ns);
    size_t i = 1;
    if (start > f->cut_off && f->started_count)
        return 0;
    f->last_start = start;
    f->last_end = max_i64(f->last_end, start + ns);
    for (; i < count && slots[i] < free_again; i++)
        slots[i - 1] = slots[i];
    slots[i - 1] = free_again;
    return 1;
}

void equal_fill(int64_t *slots, size_t count, slot_fill *f)
{
    uint64_t n;
    f->started_count = 0;
    f->last_end = 0;
    do {
        uint64_t left = f->block_count - f->started_count;
        if (f->start_hi < INT64_MAX && slots[0] >= f->start_hi + f->block_ns + f->handover_ns && f->started_count) {
            f->started_count = f->block_count; /* no slot changes any more */
            break;
        }
        if (f->each_ns) {
            n = start_one(slots, count, f);
        } else {
            n = start_waves(slots, count, f, left);
            n = n ? n : start_equal(slots, count, f, min_u64(left, count));
        }
        f->started_count += n;
    } while (n && f->started_count < f->block_count);
    f->block_count = f->started_count;
}

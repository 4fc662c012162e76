/* Blocks on equal slots. A pool of slots is exact where blocks of all kernels take alike of an SM:
 * any n of them fit, and no n + 1. Blocks take the earliest free slots one after the other,
 * so that every slot's time, in sorted order, grows with every duration and every earlier time. */
#include <string.h>

#include "analyze/explore/explore.h"
#include "simulate/blocks/sm.h"

/* Whole waves at once: while all slots that take part come free within a block's time of each
 * other, each wave moves all of them on by that time. */
static uint64_t skip_waves(int64_t *slots, size_t count, explore_fill *f, uint64_t left)
{
    int64_t hold = f->ns + f->handover;
    size_t n = 0;
    while (n < count && n <= left && later(slots[n], f->floor) <= later(slots[0], f->floor) + hold)
        n++;
    if (n > left)
        return 0;
    int64_t last = later(slots[n - 1], f->floor), limit = earlier(f->limit, f->latest);
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
        slots[i] = later(slots[i], f->floor) + (int64_t)waves * hold;
    f->floor = last + (int64_t)(waves - 1) * hold;
    f->end = later(f->end, f->floor + f->ns);
    return waves * n;
}

/* When a block starts that takes this slot, and when the slot comes free again: also where there are fewer blocks than
 * are counted here, so that it may not be taken at all. */
static int64_t start_at(int64_t slot, const explore_fill *f)
{
    return earlier(later(slot, f->floor), f->latest);
}

/* Blocks that take equally long come free in the order in which they start: the slots that they had wait in a ring,
 * behind which no block comes. */
static uint64_t start_equal(int64_t *slots, size_t count, explore_fill *f, uint64_t wanted)
{
    int64_t *ring = f->ring, hold = f->ns + f->handover;
    size_t old = 0, head = 0; /* so many of the slots are in the ring, from head on */
    uint64_t n = 0;
    for (; n < wanted; n++) {
        bool from_ring = old && (old == count || ring[head] < slots[old]);
        int64_t slot = from_ring ? ring[head] : slots[old], start = start_at(slot, f);
        if (start > f->limit && f->started + n)
            break;
        f->floor = start;
        if (from_ring)
            head = head + 1 == count ? 0 : head + 1;
        else
            old++;
        size_t end = head + old - 1;
        ring[end < count ? end : end - count] = later(slot, start + hold);
    }
    f->end = later(f->end, n ? f->floor + f->ns : 0);
    for (size_t k = 0, left = old; left; k++) { /* old - left of the ring are back, so k has not come to `old` */
        if (old < count && slots[old] <= ring[head]) {
            slots[k] = slots[old++];
        } else {
            slots[k] = ring[head];
            head = head + 1 == count ? 0 : head + 1;
            left--;
        }
    }
    return n;
}

/* One whose time is its own. */
static uint64_t start_one(int64_t *slots, size_t count, explore_fill *f)
{
    int64_t start = start_at(slots[0], f), ns = f->each[f->started] + f->more,
            back = later(slots[0], start + ns + f->handover);
    size_t i = 1;
    if (start > f->limit && f->started)
        return 0;
    f->floor = start;
    f->end = later(f->end, start + ns);
    for (; i < count && slots[i] < back; i++)
        slots[i - 1] = slots[i];
    slots[i - 1] = back;
    return 1;
}

void explore_fill_slots(int64_t *slots, size_t count, explore_fill *f)
{
    uint64_t n;
    if (f->shared) {
        explore_fill_shares(slots, count, f);
        return;
    }
    f->started = 0;
    f->end = 0;
    do {
        uint64_t left = f->count - f->started;
        if (f->latest < INT64_MAX && slots[0] >= f->latest + f->ns + f->handover && f->started) {
            f->started = f->count; /* none of the rest is any later */
            break;
        }
        if (f->each) {
            n = start_one(slots, count, f);
        } else {
            n = skip_waves(slots, count, f, left);
            n = n ? n : start_equal(slots, count, f, left < count ? left : count);
        }
        f->started += n;
    } while (n && f->started < f->count);
    f->count = f->started;
}

/* What blocks of the kernels take of each amount of an SM, at least and at most. With quarters a block
 * may put a warp more into any of them than its share. */
typedef struct takes {
    int64_t least[SM_AMOUNTS], most[SM_AMOUNTS];
    int64_t capacity[SM_AMOUNTS];
} takes;

static void take(takes *t, int i, int64_t least, int64_t most)
{
    t->least[i] = earlier(t->least[i], least);
    t->most[i] = later(t->most[i], most);
}

static void add_demand(takes *t, const sm_demand *d)
{
    for (int i = 0; i < GCAST_RESOURCES; i++)
        take(t, i, d->need[i], d->need[i]);
    if (!d->quarters)
        return;
    /* Quarters as one amount of four times as much: shares down for the least, up for the most. */
    int64_t up = (d->warps + GCAST_QUARTERS - 1) / GCAST_QUARTERS * GCAST_QUARTERS;
    take(t, SM_WARPS, d->warps, up);
    take(t, SM_REGISTERS, (int64_t)d->warps * d->warp_registers, up * d->warp_registers);
}

static int64_t fits(const int64_t *need, const int64_t *capacity)
{
    int64_t n = INT64_MAX;
    for (int i = 0; i < SM_AMOUNTS; i++)
        if (need[i] > 0 && need[i] < INT64_MAX)
            n = earlier(n, capacity[i] / need[i]);
    return n;
}

static size_t allowed_sms(const explore *x, int mask)
{
    size_t n = 0;
    for (int i = 0; i < x->gpu->sms; i++)
        n += mask == GCAST_ALL_SMS || (x->w->masks[mask].word[i / 64] >> (i % 64) & 1);
    return n;
}

bool explore_pool_size(explore *x, size_t *slots)
{
    takes t = {0};
    sm_state empty;
    int mask = GCAST_ALL_SMS;
    bool any = false;
    sm_empty(x->gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        t.least[i] = INT64_MAX;
        t.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
    }
    for (size_t i = 0; i < x->w->op_count; i++) {
        if (x->w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        if (any && x->w->ops[i].mask != mask)
            return explore_refuse(x, "kernels may use different SMs, and slots are then not all alike");
        sm_demand d = sm_demand_of(x->gpu, &x->w->ops[i]);
        mask = x->w->ops[i].mask;
        any = true;
        add_demand(&t, &d);
    }
    *slots = 1;
    if (!any)
        return true;
    int64_t n = fits(t.most, t.capacity);
    if (n < 1 || n != fits(t.least, t.capacity))
        return explore_refuse(
            x, "blocks of its kernels differ in how many fit on an SM, so that they are no pool of slots");
    *slots = (size_t)n * allowed_sms(x, mask);
    return true;
}

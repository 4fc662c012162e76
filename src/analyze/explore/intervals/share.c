/* Blocks of many shapes, wherever they are placed (docs/explore.md, "Shares"). Late: a block weighs its largest share
 * of an SM, and one fits somewhere as soon as all that is there weighs less than its floor (room.h). Early: of one
 * resource, all that is there takes no more than the GPU has. Both are kept as slots, sorted, of which a block takes
 * some. */
#include <stdlib.h>
#include <string.h>

#include "analyze/block_weights.h"
#include "analyze/explore/explore.h"

#define MOST_BLOCKS 200000 /* of all ops: each is counted on its own */
#define FEW_SMS 32
#define FINE 64 /* slots an SM where there are few, */
#define COARSE 32

/* The k-th of two sorted rows together. */
static int64_t nth_of_both(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count, size_t k)
{
    size_t low = k + 1 > b_count ? k + 1 - b_count : 0, high = k + 1 < a_count ? k + 1 : a_count;
    while (low < high) { /* how many of them are of a */
        size_t n = low + (high - low) / 2;
        if (b[k - n] > a[n])
            low = n + 1;
        else
            high = n;
    }
    size_t of_b = k + 1 - low;
    if (!low || !of_b)
        return low ? a[low - 1] : b[of_b - 1];
    return later(a[low - 1], b[of_b - 1]);
}

/* Slots that were taken and come free again, sorted; as many as have gone from the row. */
typedef struct taken {
    int64_t *at;
    size_t from, to, room;
} taken;

/* So many come free at that time. */
static void put_back(taken *t, int64_t time, size_t count)
{
    if (t->to + count > t->room) {
        memmove(t->at, t->at + t->from, (t->to - t->from) * sizeof *t->at);
        t->to -= t->from;
        t->from = 0;
    }
    size_t low = t->from, high = t->to;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->at[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(t->at + low + count, t->at + low, (t->to - low) * sizeof *t->at);
    t->to += count;
    for (size_t i = 0; i < count; i++)
        t->at[low + i] = time;
}

/* The first slots come free no sooner than `back`; those that do not anyway stay. */
static size_t take_slots(const int64_t *slots, size_t gone, size_t count, taken *t, size_t take, int64_t back)
{
    size_t took = 0;
    for (; took < take; took++) {
        bool again = t->from < t->to && (gone == count || t->at[t->from] < slots[gone]);
        if ((again ? t->at[t->from] : slots[gone]) >= back)
            break;
        t->from += again;
        gone += !again;
    }
    put_back(t, back, took);
    return gone;
}

void explore_fill_shares(int64_t *slots, size_t count, explore_fill *f)
{
    taken t = {.at = f->ring, .room = 2 * count + 1};
    size_t gone = 0, take = f->take < count ? f->take : count;
    f->end = 0;
    for (f->started = 0; f->started < f->count; f->started++) {
        int64_t ns = f->each ? f->each[f->started] + f->more : f->ns;
        int64_t slot = take ? nth_of_both(slots + gone, count - gone, t.at + t.from, t.to - t.from, f->nth) : 0;
        int64_t start = earlier(later(slot, f->floor), f->latest);
        if (!f->started)
            start = earlier(start, f->first);
        if (start > f->limit && f->started)
            break;
        f->floor = start;
        f->end = later(f->end, start + ns);
        gone = take_slots(slots, gone, count, &t, take, start + ns + f->handover);
    }
    for (size_t i = 0; t.from < t.to; i++) /* as many as are gone, so that none is written over */
        slots[i] = gone == count || t.at[t.from] < slots[gone] ? t.at[t.from++] : slots[gone++];
    f->count = f->started;
}

/* What a block takes of an SM, of that of which all kernels together take the largest part. */
typedef struct parts {
    int64_t need[SM_AMOUNTS], capacity[SM_AMOUNTS];
} parts;

static parts parts_of(const gcast_gpu *gpu, const sm_demand *d)
{
    parts p = {0};
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int i = 0; i < SM_AMOUNTS; i++) {
        p.capacity[i] = (i >= SM_WARPS ? GCAST_QUARTERS : 1) * (int64_t)empty.free[i];
        p.need[i] = i < GCAST_RESOURCES ? d->need[i] : 0;
    }
    if (d->quarters) { /* as one amount of four times as much */
        p.need[SM_WARPS] = d->warps;
        p.need[SM_REGISTERS] = (int64_t)d->warps * d->warp_registers;
    }
    return p;
}

static int scarcest(const gcast_gpu *gpu, const sm_demand *demands, size_t count)
{
    int64_t most = -1;
    int scarce = 0;
    for (int i = 0; i < SM_AMOUNTS; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < count; k++) {
            parts p = parts_of(gpu, &demands[k]);
            sum += p.need[i] && p.capacity[i] ? p.need[i] * 1024 / p.capacity[i] : 0;
        }
        if (sum > most) {
            most = sum;
            scarce = i;
        }
    }
    return scarce;
}

static size_t sms_of(const explore *x, int mask)
{
    size_t n = 0;
    for (int i = 0; i < x->gpu->sms; i++)
        n += mask == GCAST_ALL_SMS || (x->w->masks[mask].word[i / 64] >> (i % 64) & 1);
    return n;
}

/* Slots of all kernels from what their blocks weigh, in the order of ops. */
static void share_out(explore *x, const sm_demand *demands, size_t count, const room_weight *weights, size_t whole)
{
    const gcast_workload *w = x->w;
    size_t early = (size_t)x->gpu->sms * whole, slots = early + 1;
    int scarce = scarcest(x->gpu, demands, count);
    for (size_t i = 0, n = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        parts p = parts_of(x->gpu, &demands[n]);
        explore_share *s = &x->shares[i];
        s->late_take = (size_t)weights[n].weight;
        s->late_at = (size_t)weights[n++].floor * sms_of(x, w->ops[i].mask); /* from the end, until all are known */
        s->early_take = p.need[scarce] ? (size_t)(p.need[scarce] * (int64_t)whole / p.capacity[scarce]) : 0;
        slots = s->late_at > slots ? s->late_at : slots;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        x->shares[i].late_at = slots - x->shares[i].late_at;
        x->shares[i].early_at = slots - early + x->shares[i].early_take - 1;
    }
    x->early_from = slots - early;
    x->slot_count[0] = slots;
}

bool explore_share_out(explore *x)
{
    const gcast_workload *w = x->w;
    size_t count = 0, whole = x->gpu->sms <= FEW_SMS ? FINE : COARSE;
    uint64_t blocks = 0;
    room_weight *weights = arena_alloc_array(&x->memory, w->op_count + 1, sizeof *weights);
    sm_demand *demands = aligned_alloc(_Alignof(sm_demand), (w->op_count + 1) * sizeof *demands);
    x->shares = arena_alloc_array(&x->memory, w->op_count + 1, sizeof *x->shares);
    for (size_t i = 0; i < w->op_count && demands; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL) {
            demands[count++] = sm_demand_of(x->gpu, &w->ops[i]);
            blocks = w->ops[i].blocks < MOST_BLOCKS ? blocks + w->ops[i].blocks : MOST_BLOCKS + 1;
        }
    bool ok =
        weights && demands && x->shares && room_weigh(&x->memory, x->gpu, demands, count, (int64_t)whole, weights);
    if (ok)
        share_out(x, demands, count, weights, whole);
    else
        x->status = gcast_error_set_memory(x->err);
    free(demands);
    if (ok && blocks > MOST_BLOCKS)
        return explore_refuse(x, "blocks are no pool of slots, and there are too many to place each of them");
    return ok;
}

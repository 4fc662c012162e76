/* A block starts when the slot that it waits for is free, and takes the slots that come free first (docs/explore.md,
 * "Shares"). Blocks of a job may differ in duration, so that the slots which they take do not come free in the order in
 * which they were taken. */
#include "analyze/explore/intervals/slots/share_fill.h"

#include <string.h>

#include "base/minmax.h"

/* The element at `place` of two sorted arrays, as if they were merged. */
static int64_t merged_at(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count, size_t place)
{
    size_t low = place + 1 > b_count ? place + 1 - b_count : 0, high = min_size(place + 1, a_count);
    while (low < high) { /* how many of the elements up to the place are from a */
        size_t n = low + (high - low) / 2;
        if (b[place - n] > a[n])
            low = n + 1;
        else
            high = n;
    }
    size_t from_b = place + 1 - low;
    if (!low || !from_b)
        return low ? a[low - 1] : b[from_b - 1];
    return max_i64(a[low - 1], b[from_b - 1]);
}

/* Slots that were taken and become free again, sorted by time: as many as were taken from the front of slots[]. */
typedef struct taken_slots {
    int64_t *time;   /* when each comes free again */
    size_t begin;    /* the first one */
    size_t end;      /* behind the last one */
    size_t capacity; /* number of times that fit */
} taken_slots;

/* Adds `count` slots that come free again at one time. */
static void add_taken(taken_slots *t, int64_t time, size_t count)
{
    if (t->end + count > t->capacity) {
        memmove(t->time, t->time + t->begin, (t->end - t->begin) * sizeof *t->time);
        t->end -= t->begin;
        t->begin = 0;
    }
    size_t low = t->begin, high = t->end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->time[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(t->time + low + count, t->time + low, (t->end - low) * sizeof *t->time);
    t->end += count;
    for (size_t i = 0; i < count; i++)
        t->time[low + i] = time;
}

/* A block holds the first `take` slots until free_again; a slot that becomes free later than that stays as it is.
 * `removed` is the number of slots[] that were taken before; returns the new number. */
static size_t take_slots(const int64_t *slots, size_t removed, size_t count, taken_slots *t, size_t take,
                         int64_t free_again)
{
    size_t taken_count = 0;
    for (; taken_count < take; taken_count++) {
        bool from_taken = t->begin < t->end && (removed == count || t->time[t->begin] < slots[removed]);
        if ((from_taken ? t->time[t->begin] : slots[removed]) >= free_again)
            break;
        t->begin += from_taken;
        removed += !from_taken;
    }
    add_taken(t, free_again, taken_count);
    return removed;
}

void share_fill(int64_t *slots, size_t count, slot_fill *f)
{
    taken_slots t = {.time = f->ring, .capacity = 2 * count + 1};
    size_t removed = 0, take = min_size(f->take, count);
    f->last_end = 0;
    for (f->started_count = 0; f->started_count < f->block_count; f->started_count++) {
        int64_t ns = f->each_ns ? f->each_ns[f->started_count] + f->noise_ns : f->block_ns;
        int64_t slot =
            take ? merged_at(slots + removed, count - removed, t.time + t.begin, t.end - t.begin, f->wait_slot) : 0;
        int64_t start = min_i64(max_i64(slot, f->last_start), f->start_hi);
        if (!f->started_count)
            start = min_i64(start, f->first_start_hi);
        if (start > f->cut_off && f->started_count)
            break;
        f->last_start = start;
        f->last_end = max_i64(f->last_end, start + ns);
        removed = take_slots(slots, removed, count, &t, take, start + ns + f->handover_ns);
    }
    for (size_t i = 0; t.begin < t.end; i++) /* as many were removed, so that no slot is overwritten */
        slots[i] = removed == count || t.time[t.begin] < slots[removed] ? t.time[t.begin++] : slots[removed++];
    f->block_count = f->started_count;
}

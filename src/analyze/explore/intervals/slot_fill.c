/* In a pool, each block takes the slot that comes free first. By shares, a block starts when the slot that it waits for
 * is free, and takes the slots that come free first (docs/explore.md, "Shares"). So the time of each slot, in sorted
 * order, grows with every duration and with the earlier time of every slot. */
#include "analyze/explore/intervals/slot_fill.h"

#include <string.h>

#include "base/integers.h"

/* Starts whole waves at once: while all used slots come free within a block's time of each other, each wave moves all
 * of them on by that time. Returns the number of started blocks. */
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

/* When a block starts on a slot that is free at this time. If start_hi is earlier, fewer blocks really start than are
 * counted here, and the slot is not used. */
static int64_t start_on(int64_t slot, const slot_fill *f)
{
    return min_i64(max_i64(slot, f->last_start), f->start_hi);
}

/* Equally long blocks end in the order of their starts, so the slots that they take go to the end of a ring, which
 * stays sorted. Returns the number of started blocks. */
static uint64_t start_equal(int64_t *slots, size_t count, slot_fill *f, uint64_t wanted)
{
    int64_t *ring = f->ring, hold = f->block_ns + f->handover_ns;
    size_t moved = 0, head = 0; /* number of slots in the ring, and where it begins */
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
    /* merges the ring into the slots; i never passes `moved`, since `left` slots of the ring are still to be put back
     */
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

/* Starts one block with its own duration. Returns the number of started blocks, 1 or 0. */
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
            f->started_count = f->block_count; /* no slot changes further */
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

/* The element at `place` of two sorted arrays, as if they were merged. */
static int64_t merged_at(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count, size_t place)
{
    size_t low = place + 1 > b_count ? place + 1 - b_count : 0, high = min_size(place + 1, a_count);
    while (low < high) { /* finds how many of the elements up to `place` are from a */
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

/* Taken slots, sorted by the time at which they are free again: as many as were taken from the front of slots[]. */
typedef struct taken_slots {
    int64_t *time;   /* when each comes free again */
    size_t begin;    /* the first one */
    size_t end;      /* behind the last one */
    size_t capacity; /* room in `time` */
} taken_slots;

/* Adds `count` slots that are free again at `time`. */
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

/* Lets a block hold the first `take` slots until free_again; slots that come free later stay as they are. `removed` is
 * the number of slots[] taken before; returns the new number. */
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

/* Starts blocks of different durations, one by one. Their slots come free in another order than they were taken. */
static void fill_each(int64_t *slots, size_t count, slot_fill *f)
{
    taken_slots t = {.time = f->ring, .capacity = 2 * count + 1};
    size_t removed = 0, take = min_size(f->take, count);
    for (; f->started_count < f->block_count; f->started_count++) {
        int64_t ns = f->each_ns[f->started_count] + f->extra_ns;
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
    for (size_t i = 0; t.begin < t.end; i++) /* as many were removed, so no slot is overwritten */
        slots[i] = removed == count || t.time[t.begin] < slots[removed] ? t.time[t.begin++] : slots[removed++];
    f->block_count = f->started_count;
}

/* All slots as runs, sorted by time. */
typedef struct slot_runs {
    slot_run *at; /* the runs */
    size_t begin; /* the first one */
    size_t end;   /* behind the last one */
} slot_runs;

static slot_runs find_runs(const int64_t *slots, size_t count, slot_run *memory)
{
    slot_runs runs = {.at = memory};
    for (size_t i = 0; i < count; i++) {
        if (!runs.end || memory[runs.end - 1].time != slots[i])
            memory[runs.end++] = (slot_run){slots[i], 0};
        memory[runs.end - 1].count++;
    }
    return runs;
}

/* When the slot at `place` comes free. */
static int64_t run_time_at(const slot_runs *runs, size_t place)
{
    size_t i = runs->begin;
    for (; i + 1 < runs->end && place >= runs->at[i].count; i++)
        place -= runs->at[i].count;
    return runs->at[i].time;
}

static size_t count_until(const slot_runs *runs, int64_t time)
{
    size_t n = 0;
    for (size_t i = runs->begin; i < runs->end && runs->at[i].time <= time; i++)
        n += runs->at[i].count;
    return n;
}

/* Takes up to `take` slots from the front that come free before `free_again`, and sets them to that time. */
static void take_run(slot_runs *runs, uint64_t take, int64_t free_again)
{
    size_t taken = 0, place = runs->end;
    while (runs->begin < runs->end && runs->at[runs->begin].time < free_again && taken < take) {
        slot_run *first = &runs->at[runs->begin];
        size_t n = (size_t)min_u64(take - taken, first->count);
        taken += n;
        first->count -= n;
        runs->begin += !first->count;
    }
    if (!taken)
        return;
    while (place > runs->begin && runs->at[place - 1].time > free_again)
        place--;
    if (place > runs->begin && runs->at[place - 1].time == free_again) {
        runs->at[place - 1].count += taken;
        return;
    }
    memmove(&runs->at[place + 1], &runs->at[place], (runs->end - place) * sizeof *runs->at);
    runs->at[place] = (slot_run){free_again, taken};
    runs->end++;
}

/* How many blocks start at `start`, at least one: each takes `take` slots that are free then, until the slot that the
 * next one waits for is not free. */
static uint64_t count_starts(const slot_runs *runs, const slot_fill *f, size_t take, int64_t start)
{
    uint64_t left = f->block_count - f->started_count;
    size_t free_count = count_until(runs, start);
    if (!take || (start == f->start_hi && f->started_count))
        return left;
    if (free_count <= f->wait_slot)
        return 1;
    return min_u64(left, div_up((int64_t)(free_count - f->wait_slot), (int64_t)take));
}

/* Starts equally long blocks, all of one start time together. */
static void fill_equal(int64_t *slots, size_t count, slot_fill *f)
{
    slot_runs runs = find_runs(slots, count, f->runs);
    size_t take = min_size(f->take, count);
    int64_t hold = f->block_ns + f->handover_ns;
    while (f->started_count < f->block_count) {
        int64_t slot = take ? run_time_at(&runs, f->wait_slot) : 0;
        int64_t start = min_i64(max_i64(slot, f->last_start), f->start_hi);
        if (!f->started_count)
            start = min_i64(start, f->first_start_hi);
        if (start > f->cut_off && f->started_count)
            break;
        uint64_t n = start > f->cut_off ? 1 : count_starts(&runs, f, take, start);
        if (runs.begin && runs.end + 1 > 2 * count) {
            memmove(runs.at, runs.at + runs.begin, (runs.end - runs.begin) * sizeof *runs.at);
            runs.end -= runs.begin;
            runs.begin = 0;
        }
        take_run(&runs, n * take, start + hold);
        f->last_start = start;
        f->last_end = max_i64(f->last_end, start + f->block_ns);
        f->started_count += n;
    }
    for (size_t i = runs.begin, n = 0; i < runs.end; n += runs.at[i++].count)
        for (size_t k = 0; k < runs.at[i].count; k++)
            slots[n + k] = runs.at[i].time;
    f->block_count = f->started_count;
}

void share_fill(int64_t *slots, size_t count, slot_fill *f)
{
    f->started_count = 0;
    f->last_end = 0;
    if (f->each_ns)
        fill_each(slots, count, f);
    else
        fill_equal(slots, count, f);
}

int64_t slots_sum(const int64_t *slots, size_t count, int64_t start)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += max_i64(slots[i], start);
    return sum;
}

int64_t slots_idle_sum(const int64_t *slots, size_t count, int64_t start)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += max_i64(0, start - slots[i]);
    return sum;
}

int64_t slots_work(const slot_fill *f, uint64_t block_count)
{
    int64_t sum = (int64_t)block_count * f->handover_ns;
    if (!f->each_ns)
        return sum + (int64_t)block_count * f->block_ns;
    for (uint64_t b = 0; b < block_count; b++)
        sum += f->each_ns[b] + f->extra_ns;
    return sum;
}

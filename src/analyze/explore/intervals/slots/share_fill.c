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

/* Starts blocks that differ in duration, one by one. */
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
    for (size_t i = 0; t.begin < t.end; i++) /* as many were removed, so that no slot is overwritten */
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

/* Takes up to `take` slots from the front that come free before `free_again`, which they then do. */
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

/* How many blocks start at `start`, one of which does: each takes `take` slots that are free then, until the slot that
 * the next one waits for is not. */
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

/* Starts blocks that are equally long, all of one time together. */
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

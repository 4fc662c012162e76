#include "analyze/assumed/parameters.h"

#include <math.h>
#include <string.h>

#include "analyze/assumed/count_range.h"
#include "analyze/assumed/what_counts.h"
#include "base/minmax.h"
#include "model/gpu/fields.h"

#define FROM_ZERO_NS 1000 /* a time of 0 is moved to so many times this */
#define MIN_STEP_NS 100   /* times are not told apart below this */
#define DIGITS 100        /* values that are tried have two digits */
#define STEP 3            /* the factor that is tried besides the largest */

typedef struct parameter {
    const char *field; /* its name in gridcast.gpu/1 */
    unsigned needs;    /* it counts where the workload has all of these */
    bool downward;     /* responses grow where it is less; of a count: fewer are tried */
    bool may_be_zero;  /* 0 is a value; else it says that there is no such thing */
    bool is_count;     /* moved on its own, both ways */
} parameter;

/* Those that matter most come first. Where times, bandwidths and percentages are moved, no worst time of bound shrinks,
 * offsets left aside (any_phase): prop_assumed attacks that. Counts come last. */
static const parameter parameters[] = {
    {"noise_ns", NEEDS_NOTHING, false, true, false},
    {"stream_gap_ns", NEEDS_NOTHING, false, true, false},
    {"handover_ns", NEEDS_KERNELS, false, true, false},
    {"switch_ns", NEEDS_KERNELS, false, true, false},
    {"h2d_bytes_per_s", NEEDS_H2D_BYTES, true, false, false},
    {"d2h_bytes_per_s", NEEDS_D2H_BYTES, true, false, false},
    {"d2d_bytes_per_s", NEEDS_D2D_BYTES, true, false, false},
    {"memset_bytes_per_s", NEEDS_MEMSET_BYTES, true, false, false},
    {"h2d_overhead_ns", NEEDS_H2D_BYTES, false, true, false},
    {"d2h_overhead_ns", NEEDS_D2H_BYTES, false, true, false},
    {"copy_slow_percent", NEEDS_COPIES, false, false, false},
    {"copy_duplex_percent", NEEDS_H2D | NEEDS_D2H, true, false, false},
    {"copy_gap_ns", NEEDS_COPIES, false, true, false},
    {"turn_ns", NEEDS_STREAMS, false, true, false},
    {"event_gap_ns", NEEDS_EVENTS, false, false, false},
    {"look_step_ns", NEEDS_KERNELS, false, true, false},
    {"starved_ns", NEEDS_SPINS, false, false, false},
    {"d2h_start_ns", NEEDS_H2D | NEEDS_D2H, false, true, false},
    {"d2h_end_ns", NEEDS_H2D | NEEDS_D2H, false, true, false},
    {"copy_wake_ns", NEEDS_COPIES, false, false, false},
    {"copy_idle_ns", NEEDS_COPIES, true, false, false},
    {"starving_warps", NEEDS_SPINS, true, false, false},
    {"connections", NEEDS_CONNECTIONS, true, true, true},
    {"connections", NEEDS_CONNECTIONS, false, true, true},
    {"copy_engines", NEEDS_ENGINES, true, false, true},
    {"copy_engines", NEEDS_ENGINES, false, false, true},
    {"copy_channels", NEEDS_COPY_STREAMS, true, true, true},
    {"copy_channels", NEEDS_COPY_STREAMS, false, true, true},
    {"priority_levels", NEEDS_LEVELS, true, false, true},
    {"priority_levels", NEEDS_LEVELS, false, false, true},
};
_Static_assert(sizeof parameters / sizeof parameters[0] <= ASSUMED_MAX, "more parameters than places");

/* Two numbers of which each has an effect only with the other. Where nobody has measured either, they are moved
 * together: the first from 0, the other to what it is on an H200. */
static const struct pair {
    const char *field;
    int64_t from_zero_ns; /* a tenth of the farthest value */
    const char *other;
    int64_t other_value;
} pairs[] = {
    {"starved_ns", 6000, "starving_warps", 40},
    {"copy_wake_ns", FROM_ZERO_NS, "copy_idle_ns", 1000000}, /* the shortest pause after which it was seen */
};

static const struct pair *pair_of(const char *field)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].field, field) == 0)
            return &pairs[i];
    return NULL;
}

/* Is the other number of the pair 0, which nobody has measured? */
static bool other_is_unknown(const gcast_gpu *gpu, const struct pair *pair)
{
    return gpu_field_get(gpu, gpu_field_find(pair->other)) == 0 && gcast_gpu_assumes(gpu, pair->other);
}

/* Is there a copy by bytes whose bandwidth is known, but not how much slower one may be? Where the bandwidth itself is
 * assumed, that is moved. */
static bool slow_copies_count(const gcast_gpu *gpu, unsigned needs)
{
    return (needs & NEEDS_H2D_BYTES && !gcast_gpu_assumes(gpu, "h2d_bytes_per_s")) ||
           (needs & NEEDS_D2H_BYTES && !gcast_gpu_assumes(gpu, "d2h_bytes_per_s"));
}

/* The number that this is the other one of; NULL: it is none. */
static const char *first_of(const char *other)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].other, other) == 0)
            return pairs[i].field;
    return NULL;
}

/* May the number have an effect, or get one where it is 0? */
static bool may_have_effect(const gcast_gpu *gpu, const parameter *p, int64_t value)
{
    const char *first = first_of(p->field);
    if (pair_of(p->field))
        return true; /* the other number is not 0: with that it has an effect as soon as it is not 0 */
    if (first && !gpu_field_get(gpu, gpu_field_find(first)) && !gcast_gpu_assumes(gpu, first))
        return false;
    return value || p->may_be_zero;
}

/* Does the number count for a workload that has these? */
static bool counts(const gcast_gpu *gpu, const parameter *p, int64_t value, unsigned needs)
{
    const struct pair *pair = pair_of(p->field);
    if ((p->needs & ~needs) != 0)
        return false;
    if (strcmp(p->field, "copy_slow_percent") == 0)
        return slow_copies_count(gpu, needs) && gcast_gpu_assumes(gpu, p->field);
    if (pair && gpu_field_get(gpu, gpu_field_find(pair->other)) == 0)
        return other_is_unknown(gpu, pair) && (value || gcast_gpu_assumes(gpu, p->field));
    return may_have_effect(gpu, p, value) && gcast_gpu_assumes(gpu, p->field);
}

/* An event's gap of 0 is that of streams. Where that is assumed it is moved, and the event's with it. */
static int64_t value_of(const gcast_gpu *gpu, const char *field)
{
    int64_t value = gpu_field_get(gpu, gpu_field_find(field));
    if (!value && strcmp(field, "event_gap_ns") == 0 && !gcast_gpu_assumes(gpu, "stream_gap_ns"))
        return gpu->stream_gap_ns;
    return value;
}

size_t assumed_parameters(const gcast_workload *w, const gcast_gpu *gpu, gcast_assumed found[ASSUMED_MAX])
{
    size_t count = 0;
    unsigned needs = needs_of(w);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const parameter *p = &parameters[i];
        int64_t value = value_of(gpu, p->field), values[ASSUMED_VALUES];
        bool all;
        gcast_assumed a = {
            .field = p->field, .value = value, .downward = p->downward, .is_count = p->is_count, .limit = value};
        if (counts(gpu, p, value, needs) && assumed_values(w, &a, values, &all))
            found[count++] = a;
    }
    return count;
}

int64_t assumed_moved(const gcast_assumed *p, int times)
{
    const gpu_field *field = gpu_field_find(p->field);
    const struct pair *pair = pair_of(p->field);
    if (p->downward)
        return max_i64(p->value / times, 1);
    if (p->value)
        return p->value > field->hi / times ? field->hi : p->value * times;
    return times * (pair ? pair->from_zero_ns : FROM_ZERO_NS);
}

/* All values of a count that differ, or where those are too many the farthest and one before it. */
static size_t values_of_count(const gcast_workload *w, const gcast_assumed *p, int64_t values[ASSUMED_VALUES],
                              bool *all)
{
    count_range r = count_range_of(w, p->field, p->value);
    int64_t last = p->downward ? r.least : r.most, step = p->downward ? 1 : -1;
    int64_t distance = p->downward ? r.value - last : last - r.value;
    *all = distance <= ASSUMED_VALUES;
    if (distance <= 0)
        return 0;
    for (int64_t i = 0; i < distance && *all; i++)
        values[i] = last + i * step;
    if (*all)
        return (size_t)distance;
    values[0] = last;
    values[1] = p->downward ? max_i64(r.value / STEP, last + 1) : min_i64(max_i64(r.value, 1) * STEP, last - 1);
    return 2;
}

size_t assumed_values(const gcast_workload *w, const gcast_assumed *p, int64_t values[ASSUMED_VALUES], bool *all)
{
    if (p->is_count)
        return values_of_count(w, p, values, all);
    *all = false;
    values[0] = assumed_moved(p, ASSUMED_TIMES);
    values[1] = assumed_moved(p, STEP);
    return values[0] == p->value ? 0 : values[1] == values[0] || values[1] == p->value ? 1 : 2;
}

/* Rounded down to two digits. */
static int64_t rounded(int64_t v)
{
    int64_t unit = 1;
    while (v / unit >= DIGITS)
        unit *= 10;
    return v - v % unit;
}

int64_t assumed_between(const gcast_assumed *p, int64_t failed)
{
    bool is_time = gpu_field_find(p->field)->unit == GPU_TIME;
    int64_t lower = min_i64(p->limit, failed), upper = max_i64(p->limit, failed);
    double start = (double)max_i64(lower, is_time ? MIN_STEP_NS : 1);
    int64_t middle = rounded((int64_t)(sqrt(start) * sqrt((double)upper)));
    return middle > lower && middle < upper ? middle : p->limit;
}

void assumed_put(gcast_gpu *gpu, const char *field, int64_t value)
{
    const struct pair *pair = pair_of(field);
    bool sets_other = pair && other_is_unknown(gpu, pair);
    gpu_field_set(gpu, gpu_field_find(field), value);
    if (sets_other)
        gpu_field_set(gpu, gpu_field_find(pair->other), pair->other_value);
}

/* Where the gap of streams is shorter than hand-over, a kernel starts while its predecessor still holds its room, and
 * where it is shorter than that of copies, likewise. So a longer gap may be better: what holds for all gaps from
 * `before` on is found with these as far above it as they may be. */
static void keep_above(gcast_gpu *gpu, int64_t before)
{
    int64_t more = gpu->stream_gap_ns - before;
    if (more <= 0)
        return;
    if (gpu->handover_ns > before)
        gpu_field_set(gpu, gpu_field_find("handover_ns"), gpu->handover_ns + more);
    if (gpu->copy_gap_ns > before)
        gpu_field_set(gpu, gpu_field_find("copy_gap_ns"), gpu->copy_gap_ns + more);
}

void assumed_set(gcast_gpu *gpu, const char *field, int64_t value)
{
    int64_t before = gpu->stream_gap_ns;
    assumed_put(gpu, field, value);
    keep_above(gpu, before);
}

void assumed_set_limits(gcast_gpu *gpu, const gcast_assumed *p, size_t count)
{
    int64_t before = gpu->stream_gap_ns;
    for (size_t i = 0; i < count; i++)
        if (!p[i].is_count)
            assumed_put(gpu, p[i].field, p[i].limit);
    keep_above(gpu, before);
}

bool assumed_move_all(const gcast_workload *w, gcast_gpu *gpu, int times)
{
    gcast_assumed found[ASSUMED_MAX];
    size_t count = assumed_parameters(w, gpu, found);
    bool moves = false;
    for (size_t i = 0; i < count; i++)
        if (!found[i].is_count) {
            found[i].limit = assumed_moved(&found[i], times);
            moves = true;
        }
    assumed_set_limits(gpu, found, count);
    return moves;
}

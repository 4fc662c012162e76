/* The table of numbers, what each needs of a workload to matter, and the values to try. */
#include "analyze/assumed/parameters.h"

#include <math.h>
#include <string.h>

#include "base/integers.h"
#include "gridcast/workload.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

#define MOST_ENGINES 3    /* copies have three directions */
#define FROM_ZERO_NS 1000 /* a time of 0 is moved to a multiple of this */
#define MIN_STEP_NS 100   /* times below this are not distinguished */
#define DIGITS 100        /* values from bisection have two digits */
#define STEP 3            /* the factor to try besides the largest */

/* The values of a count of a GPU that differ for a workload. */
typedef struct count_range {
    int64_t least, most; /* values above `most` are equivalent to it */
    int64_t value;       /* the GPU's own, or one equivalent to it */
} count_range;

static bool is_copy(const gcast_op *op)
{
    return op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET;
}

/* An upper limit on the streams with kernels, or copies; each node of a graph may be a stream of its own. */
static int64_t most_streams(const gcast_workload *w, bool of_copies)
{
    int64_t plain = 0, nodes = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (of_copies ? is_copy(op) : op->kind == GCAST_KIND_KERNEL)
            *(op->graph == GCAST_NO_GRAPH ? &plain : &nodes) += 1;
    }
    return min_i64(plain, (int64_t)w->stream_count) + nodes;
}

/* How many levels the priorities of streams need; cooperative kernels have the highest one. */
static int64_t most_levels(const gcast_workload *w)
{
    int64_t most = 1;
    for (size_t i = 0; i < w->stream_count; i++)
        most = max_i64(most, 1 - (int64_t)w->streams[i].priority);
    for (size_t i = 0; i < w->op_count; i++)
        most = max_i64(most, w->ops[i].cooperative ? 2 : 1);
    return most;
}

/* `field` is connections, copy_engines, copy_channels or priority_levels. */
static count_range count_range_of(const gcast_workload *w, const char *field, int64_t value)
{
    count_range r = {.least = 1};
    if (strcmp(field, "connections") == 0) {
        r.most = most_streams(w, false);
        value = value ? value : r.most; /* 0: one per stream */
    } else if (strcmp(field, "copy_engines") == 0) {
        r.most = MOST_ENGINES;
    } else if (strcmp(field, "copy_channels") == 0) {
        r.least = 0;
        r.most = most_streams(w, true);
    } else {
        r.most = most_levels(w);
    }
    r.most = min_i64(r.most, gpu_field_find(field)->hi);
    r.value = min_i64(value, r.most);
    return r;
}

/* What a workload must have for a number of the GPU to matter. */

enum {
    NEEDS_NOTHING = 0,
    NEEDS_KERNELS = 1,
    NEEDS_STREAMS = 2,         /* kernels in several streams */
    NEEDS_EVENTS = 4,          /* operations with dependencies */
    NEEDS_COPIES = 8,          /* copies and memsets */
    NEEDS_H2D = 16,            /* copies to the device */
    NEEDS_D2H = 32,            /* copies to the host */
    NEEDS_H2D_BYTES = 64,      /* copies to the device without a duration */
    NEEDS_D2H_BYTES = 128,     /* copies to the host without a duration */
    NEEDS_D2D_BYTES = 256,     /* copies on the device without a duration */
    NEEDS_MEMSET_BYTES = 512,  /* memsets without a duration */
    NEEDS_LEVELS = 1024,       /* kernels of different priorities, or cooperative ones beside others */
    NEEDS_COPY_STREAMS = 2048, /* copies and memsets in several streams */
    NEEDS_SPINS = 4096,        /* kernels whose threads spin */
    NEEDS_CONNECTIONS = 8192,  /* kernels in several streams, and the GPU's own number of connections */
    NEEDS_INSIDE = 16384,      /* copies on the device, or memsets */
    NEEDS_ENGINES = 32768      /* copies of different directions, which may use different engines */
};

static unsigned needs_of_copy(const gcast_op *op)
{
    bool by_bytes = op->max_ns == GCAST_UNKNOWN_NS;
    if (op->kind == GCAST_KIND_MEMSET)
        return NEEDS_COPIES | NEEDS_INSIDE | (by_bytes ? NEEDS_MEMSET_BYTES : 0);
    switch (op->direction) {
    case GCAST_H2D:
        return NEEDS_COPIES | NEEDS_H2D | (by_bytes ? NEEDS_H2D_BYTES : 0);
    case GCAST_D2H:
        return NEEDS_COPIES | NEEDS_D2H | (by_bytes ? NEEDS_D2H_BYTES : 0);
    default:
        return NEEDS_COPIES | NEEDS_INSIDE | (by_bytes ? NEEDS_D2D_BYTES : 0);
    }
}

/* `first` is the first kernel of the workload. */
static unsigned needs_of_kernel(const gcast_workload *w, const gcast_op *op, const gcast_op *first)
{
    unsigned needs = NEEDS_KERNELS;
    if (op->stream != first->stream)
        needs |= NEEDS_STREAMS | (w->connections < 0 ? NEEDS_CONNECTIONS : 0);
    if (op->graph != GCAST_NO_GRAPH && w->connections < 0)
        needs |= NEEDS_CONNECTIONS; /* its branches have connections of their own */
    if (w->streams[op->stream].priority != w->streams[first->stream].priority || op->cooperative != first->cooperative)
        needs |= NEEDS_LEVELS;
    return needs | (op->body == GCAST_BODY_TIMER_SPIN ? NEEDS_SPINS : 0);
}

/* All NEEDS_ of the workload. */
static unsigned needs_of(const gcast_workload *w)
{
    unsigned needs = NEEDS_NOTHING;
    const gcast_op *kernel = NULL, *copy = NULL; /* the first of each */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->after_count)
            needs |= NEEDS_EVENTS;
        if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
            copy = copy ? copy : op;
            needs |= needs_of_copy(op) | (op->stream != copy->stream ? NEEDS_COPY_STREAMS : 0);
        }
        if (op->kind == GCAST_KIND_KERNEL) {
            kernel = kernel ? kernel : op;
            needs |= needs_of_kernel(w, op, kernel);
        }
    }
    unsigned ways = needs & (NEEDS_H2D | NEEDS_D2H | NEEDS_INSIDE);
    return needs | (ways & (ways - 1) ? NEEDS_ENGINES : 0); /* more than one bit */
}

typedef struct parameter {
    const char *field; /* its name in gridcast.gpu/1 */
    unsigned needs;    /* it matters if the workload has all of these */
    bool downward;     /* smaller values lengthen responses; for a count: fewer are tried */
    bool may_be_zero;  /* 0 is a value, else it means that there is no such thing */
    bool is_count;     /* moved on its own, up and down */
} parameter;

/* Those that matter most come first, counts last. Moving times, bandwidths and percentages never shrinks a worst time
 * of bound for any phase: prop_assumed attacks that. */
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

/* Two numbers that only have an effect together. If neither was measured they are moved together: the first from 0, the
 * other to its value on an H200. */
static const struct pair {
    const char *field;
    int64_t from_zero_ns; /* a tenth of the farthest value */
    const char *other;
    int64_t other_value;
} pairs[] = {
    {"starved_ns", 6000, "starving_warps", 40},
    {"copy_wake_ns", FROM_ZERO_NS, "copy_idle_ns", 1000000}, /* the shortest pause with an effect */
};

static const struct pair *pair_of(const char *field)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].field, field) == 0)
            return &pairs[i];
    return NULL;
}

/* Is the other number of the pair an assumed 0? */
static bool other_is_unknown(const gcast_gpu *gpu, const struct pair *pair)
{
    return gpu_field_get(gpu, gpu_field_find(pair->other)) == 0 && gcast_gpu_assumes(gpu, pair->other);
}

/* Does copy_slow_percent matter: is there a copy by bytes whose bandwidth was measured? (An assumed one is moved
 * itself.) */
static bool slow_copies_count(const gcast_gpu *gpu, unsigned needs)
{
    return (needs & NEEDS_H2D_BYTES && !gcast_gpu_assumes(gpu, "h2d_bytes_per_s")) ||
           (needs & NEEDS_D2H_BYTES && !gcast_gpu_assumes(gpu, "d2h_bytes_per_s"));
}

/* The first number of the pair in which this is the other; NULL: it is in none. */
static const char *first_of(const char *other)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].other, other) == 0)
            return pairs[i].field;
    return NULL;
}

/* Can the number have an effect, or get one if it is 0? */
static bool may_have_effect(const gcast_gpu *gpu, const parameter *p, int64_t value)
{
    const char *first = first_of(p->field);
    if (pair_of(p->field))
        return true; /* the other number is not 0, so any value above 0 has an effect */
    if (first && !gpu_field_get(gpu, gpu_field_find(first)) && !gcast_gpu_assumes(gpu, first))
        return false;
    return value || p->may_be_zero;
}

/* Is the number assumed, and does it matter for a workload with these NEEDS_? */
static bool matters(const gcast_gpu *gpu, const parameter *p, int64_t value, unsigned needs)
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

/* An event gap of 0 is the stream gap. If that one is assumed, moving it moves the event gap. */
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
        if (matters(gpu, p, value, needs) && assumed_values(w, &a, values, &all))
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

/* All values of a count that differ; if these are too many, the farthest and one before it. */
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

/* A value that is out of range changes nothing. */
static void set(variant *v, const char *field, int64_t value)
{
    variant_change(v, &(change){.kind = CHANGE_GPU_FIELD, .name = field, .value = value}, NULL);
}

void assumed_put(variant *v, const char *field, int64_t value)
{
    const struct pair *pair = pair_of(field);
    bool sets_other = pair && other_is_unknown(v->gpu, pair);
    set(v, field, value);
    if (sets_other)
        set(v, pair->other, pair->other_value);
}

/* If the stream gap is shorter than the hand-over, a kernel starts while its predecessor still holds its room; likewise
 * for the copy gap. So a longer stream gap can be better. The worst case of all gaps from `before` on has these numbers
 * as far above the stream gap as they were. */
static void keep_above(variant *v, int64_t before)
{
    const gcast_gpu *gpu = v->gpu;
    int64_t more = gpu->stream_gap_ns - before;
    if (more <= 0)
        return;
    if (gpu->handover_ns > before)
        set(v, "handover_ns", gpu->handover_ns + more);
    if (gpu->copy_gap_ns > before)
        set(v, "copy_gap_ns", gpu->copy_gap_ns + more);
}

void assumed_set(variant *v, const char *field, int64_t value)
{
    int64_t before = v->gpu->stream_gap_ns;
    assumed_put(v, field, value);
    keep_above(v, before);
}

void assumed_set_limits(variant *v, const gcast_assumed *p, size_t count)
{
    int64_t before = v->gpu->stream_gap_ns;
    for (size_t i = 0; i < count; i++)
        if (!p[i].is_count)
            assumed_put(v, p[i].field, p[i].limit);
    keep_above(v, before);
}

bool assumed_move_all(const gcast_workload *w, variant *v, int times)
{
    gcast_assumed found[ASSUMED_MAX];
    size_t count = assumed_parameters(w, v->gpu, found);
    bool moves = false;
    for (size_t i = 0; i < count; i++)
        if (!found[i].is_count) {
            found[i].limit = assumed_moved(&found[i], times);
            moves = true;
        }
    assumed_set_limits(v, found, count);
    return moves;
}

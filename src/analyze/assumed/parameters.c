#include "analyze/assumed/parameters.h"

#include <math.h>
#include <string.h>

#include "base/minmax.h"
#include "model/gpu/fields.h"

#define FROM_ZERO_NS 1000 /* a time of 0 is moved to so many times this */
#define MIN_STEP_NS 100   /* times are not told apart below this */
#define DIGITS 100        /* values that are tried have two digits */

/* What a workload must have for a number to count. */
enum {
    ANY = 0,
    KERNELS = 1,
    STREAMS = 2,        /* kernels in several streams */
    EVENTS = 4,         /* operations that are after others */
    COPIES = 8,         /* copies and memsets */
    H2D = 16,           /* copies to the device */
    D2H = 32,           /* copies to the host */
    H2D_BYTES = 64,     /* copies to the device without a duration */
    D2H_BYTES = 128,    /* copies to the host without a duration */
    D2D_BYTES = 256,    /* copies on the device without a duration */
    MEMSET_BYTES = 512, /* memsets without a duration */
    PRIORITIES = 1024,  /* kernels in streams of different priorities */
    COPY_STREAMS = 2048 /* copies and memsets in several streams */
};

typedef struct parameter {
    const char *field; /* its name in gridcast.gpu/1 */
    unsigned needs;    /* it counts where the workload has all of these */
    bool downward;     /* responses grow where it is less */
    bool may_be_zero;  /* 0 is a value; else it says that there is no such thing */
} parameter;

/* Those that matter most come first. Where times, bandwidths and percentages are moved, no worst time of bound shrinks,
 * offsets left aside (any_phase): prop_assumed attacks that. Counts come last. */
static const parameter parameters[] = {
    {"noise_ns", ANY, false, true},
    {"stream_gap_ns", ANY, false, true},
    {"handover_ns", KERNELS, false, true},
    {"switch_ns", KERNELS, false, true},
    {"h2d_bytes_per_s", H2D_BYTES, true, false},
    {"d2h_bytes_per_s", D2H_BYTES, true, false},
    {"d2d_bytes_per_s", D2D_BYTES, true, false},
    {"memset_bytes_per_s", MEMSET_BYTES, true, false},
    {"h2d_overhead_ns", H2D_BYTES, false, true},
    {"d2h_overhead_ns", D2H_BYTES, false, true},
    {"copy_duplex_percent", H2D | D2H, true, false},
    {"copy_gap_ns", COPIES, false, true},
    {"turn_ns", STREAMS, false, true},
    {"event_gap_ns", EVENTS, false, false},
    {"look_step_ns", KERNELS, false, true},
    {"starved_ns", KERNELS, false, false},
    {"d2h_start_ns", H2D | D2H, false, true},
    {"d2h_end_ns", H2D | D2H, false, true},
    {"copy_wake_ns", COPIES, false, false},
    {"connections", STREAMS, true, false},
    {"copy_engines", H2D | D2H, true, false},
    {"copy_channels", COPY_STREAMS, false, true},
    {"priority_levels", PRIORITIES, true, false},
};
_Static_assert(sizeof parameters / sizeof parameters[0] <= ASSUMED_MAX, "more parameters than places");

static unsigned needs_of_copy(const gcast_op *op)
{
    bool by_bytes = op->max_ns == GCAST_UNKNOWN_NS;
    if (op->kind == GCAST_KIND_MEMSET)
        return COPIES | (by_bytes ? MEMSET_BYTES : 0);
    switch (op->direction) {
    case GCAST_H2D:
        return COPIES | H2D | (by_bytes ? H2D_BYTES : 0);
    case GCAST_D2H:
        return COPIES | D2H | (by_bytes ? D2H_BYTES : 0);
    default:
        return COPIES | (by_bytes ? D2D_BYTES : 0);
    }
}

/* All that the workload has. */
static unsigned features_of(const gcast_workload *w)
{
    unsigned features = 0;
    int stream = -1;      /* of the first kernel */
    int copy_stream = -1; /* of the first copy */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->after_count)
            features |= EVENTS;
        if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
            copy_stream = features & COPIES ? copy_stream : op->stream;
            features |= needs_of_copy(op) | (op->stream != copy_stream ? COPY_STREAMS : 0);
        }
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        stream = features & KERNELS ? stream : op->stream;
        features |= KERNELS;
        if (op->stream != stream)
            features |= STREAMS;
        if (w->streams[op->stream].priority != w->streams[stream].priority)
            features |= PRIORITIES;
    }
    return features;
}

size_t assumed_parameters(const gcast_workload *w, const gcast_gpu *gpu, gcast_assumed found[ASSUMED_MAX])
{
    size_t count = 0;
    unsigned features = features_of(w);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const parameter *p = &parameters[i];
        const gpu_field *field = gpu_field_find(p->field);
        int64_t value = gpu_field_get(gpu, field);
        bool is_count = field->unit == GPU_COUNT && strcmp(p->field, "copy_duplex_percent") != 0;
        gcast_assumed a = {
            .field = p->field, .value = value, .downward = p->downward, .is_count = is_count, .limit = value};
        bool may_move = (value || p->may_be_zero) && assumed_moved(&a, ASSUMED_TIMES) != value;
        if ((p->needs & ~features) == 0 && may_move && gcast_gpu_assumes(gpu, p->field))
            found[count++] = a;
    }
    return count;
}

int64_t assumed_moved(const gcast_assumed *p, int times)
{
    const gpu_field *field = gpu_field_find(p->field);
    if (p->downward)
        return max_i64(p->value / times, 1);
    int64_t farthest = p->value > field->hi / times ? field->hi : p->value * times;
    return p->value ? farthest : p->is_count ? min_i64(times, field->hi) : times * FROM_ZERO_NS;
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

bool assumed_move_all(const gcast_workload *w, gcast_gpu *gpu, bool counts, int times)
{
    gcast_assumed found[ASSUMED_MAX];
    size_t count = assumed_parameters(w, gpu, found);
    bool moves = false;
    for (size_t i = 0; i < count; i++)
        if (found[i].is_count == counts) {
            gpu_field_set(gpu, gpu_field_find(found[i].field), assumed_moved(&found[i], times));
            moves = true;
        }
    return moves;
}

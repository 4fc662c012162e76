#include "measure/calibrate/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "gridcast/occupancy.h"
#include "gridcast/run.h"
#include "measure/calibrate/observations.h"
#include "measure/calibration.h"
#include "model/run_op.h"

#define MS 1000000
#define US 1000
#define MIB (INT64_C(1) << 20)
#define LAUNCHES 32         /* of kernels, and as many copies */
#define PAUSE_NS (200 * US) /* between calls: the GPU is idle, but not asleep */
#define NO_STREAM (-1)

/* Observations are learned from runs, which may be measured, recorded or simulated. */

/* The range of nine tenths of the samples: without a twentieth at either end. */
static int64_t spread(samples *s)
{
    samples_median(s); /* sorts */
    return s->count ? s->at[s->count - 1 - s->count / 20] - s->at[s->count / 20] : 0;
}

/* Starts are on the GPU's clock, whose zero is known as an interval on the host's: the middle is taken. The scatter of
 * latencies does not depend on it. */
static gcast_status learn_latency(observations *l, const gcast_run *run, gcast_error *err)
{
    int64_t zero = (run->gpu_zero_lo_ns + run->gpu_zero_hi_ns) / 2;
    gcast_status status = GCAST_OK;
    samples launches = {0};
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool kernel = run->workload->ops[o->op].kind == GCAST_KIND_KERNEL;
        int64_t latency = o->start_ns + zero - o->call_ns;
        if (latency >= 0)
            status = observations_add(l, kernel ? GCAST_READ_LAUNCH : GCAST_READ_COPY_LATENCY, latency, err);
        if (kernel && status == GCAST_OK && !vec_push(&launches, latency))
            status = gcast_error_set_memory(err);
    }
    if (launches.count && status == GCAST_OK)
        status = observations_add(l, GCAST_READ_LAUNCH_NOISE, spread(&launches), err);
    vec_free(&launches);
    return status;
}

/* Counts only kernels that surely arrived before the end of the previous kernel: their call was earlier than that by at
 * least twice the launch latency of the first kernel. */
static gcast_status learn_gap(observations *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 1; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_run_op *before = &run->ops[i - 1], *o = &run->ops[i];
        int64_t arrival = 2 * (run->ops[0].start_ns - run->ops[0].call_ns);
        if (o->call_ns + arrival < before->end_ns && o->start_ns >= before->end_ns)
            status = observations_add(l, GCAST_READ_GAP, o->start_ns - before->end_ns, err);
    }
    return status;
}

static int by_start(const void *a, const void *b)
{
    const gcast_block *x = *(const gcast_block *const *)a, *y = *(const gcast_block *const *)b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The blocks of a kernel by start; for the caller to free. */
static const gcast_block **blocks_by_start(const gcast_run_op *o, gcast_error *err)
{
    const gcast_block **list = malloc((o->block_count + 1) * sizeof *list);
    if (!list)
        gcast_error_set_memory(err);
    for (uint64_t b = 0; list && b < o->block_count; b++)
        list[b] = &o->blocks[b];
    if (list)
        qsort(list, o->block_count, sizeof *list, by_start);
    return list;
}

/* Adds a hand-over of `ns` on an SM, in the kernel of this index. */
typedef gcast_status (*handover_fn)(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err);

/* Kernels have one resident block per SM, so a block takes the resources of the block before it on its SM. */
static gcast_status each_handover(observations *l, const gcast_run *run, handover_fn add, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        const gcast_block *last[GCAST_MAX_SMS] = {NULL}, **list = blocks_by_start(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        for (uint64_t b = 0; b < run->ops[i].block_count && status == GCAST_OK; b++) {
            const gcast_block *before = last[list[b]->sm];
            last[list[b]->sm] = list[b];
            if (before && list[b]->start_ns >= before->end_ns)
                status = add(l, i, list[b]->sm, list[b]->start_ns - before->end_ns, err);
        }
        free(list);
    }
    return status;
}

static gcast_status add_handover(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    (void)op;
    (void)sm;
    return observations_add(l, GCAST_READ_HANDOVER, ns, err);
}

static gcast_status learn_handover(observations *l, const gcast_run *run, gcast_error *err)
{
    return each_handover(l, run, add_handover, err);
}

static gcast_status add_reach(observations *l, size_t op, uint32_t sm, int64_t ns, gcast_error *err)
{
    return reach_add(&l->reach, (int)(op % 2), sm, ns) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Kernels belong to the two halves in turn. */
static gcast_status learn_reach(observations *l, const gcast_run *run, gcast_error *err)
{
    return each_handover(l, run, add_reach, err);
}

/* By how much the slowest block of a kernel takes longer than it should. */
static int64_t max_excess(const gcast_run *run, const gcast_run_op *o)
{
    int64_t excess = 0, expected = run->workload->ops[o->op].max_ns;
    for (uint64_t b = 0; b < o->block_count; b++)
        excess = max_i64(excess, o->blocks[b].end_ns - o->blocks[b].start_ns - expected);
    return excess;
}

/* Grids have two equal waves: the first half of the starts is the first wave. */
static gcast_status learn_waves(observations *l, const gcast_run *run, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < run->op_count && status == GCAST_OK; i++) {
        int64_t n = (int64_t)run->ops[i].block_count / 2;
        const gcast_block **list = blocks_by_start(&run->ops[i], err);
        if (!list)
            return GCAST_RESOURCE;
        status = observations_add(l, GCAST_READ_NOISE, max_excess(run, &run->ops[i]), err);
        if (n > 1 && status == GCAST_OK)
            status = observations_add(l, GCAST_READ_DISPATCH,
                                      (list[n - 1]->start_ns - list[0]->start_ns) * 1000 / (n - 1), err);
        if (n > 1 && status == GCAST_OK)
            status = observations_add(l, GCAST_READ_REFILL,
                                      (list[2 * n - 1]->start_ns - list[n]->start_ns) * 1000 / (n - 1), err);
        free(list);
    }
    return status;
}

/* Counts only launches in which every SM got exactly one block. */
static gcast_status learn_order(observations *l, const gcast_run *run, gcast_error *err)
{
    size_t sms = (size_t)run->gpu->sms;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        bool sm_used[GCAST_MAX_SMS] = {false}, one_each = o->block_count == sms;
        for (size_t b = 0; b < sms && one_each; b++) {
            one_each = o->blocks[b].sm < sms && !sm_used[o->blocks[b].sm];
            sm_used[one_each ? o->blocks[b].sm : 0] = true;
        }
        if (one_each && !vec_reserve(&l->orders, l->orders.count + sms))
            return gcast_error_set_memory(err);
        for (size_t b = 0; b < sms && one_each; b++)
            l->orders.at[l->orders.count++] = (int)o->blocks[b].sm;
    }
    return GCAST_OK;
}

/* Copies alone show bandwidth and overhead; others show what copies at the same time change. */

typedef struct copies {
    observations *l;                /* where samples go */
    const gcast_run *run;           /* where samples come from */
    copy_fit fit[GCAST_DIRECTIONS]; /* of copies alone */
    gcast_status status;            /* of the first sample that failed */
    gcast_error *err;
} copies;

/* Is there an operation i, and is it a copy for this purpose? */
static bool is_for(const copies *c, size_t i, const char *purpose)
{
    return i < c->run->op_count && run_op(c->run, i)->kind == GCAST_KIND_COPY &&
           strncmp(run_op(c->run, i)->label, purpose, strlen(purpose)) == 0;
}

static void add_copy_sample(copies *c, gcast_reading_id id, int64_t v)
{
    if (c->status == GCAST_OK)
        c->status = observations_add(c->l, id, v, c->err);
}

static int64_t duration(const copies *c, size_t i)
{
    return c->run->ops[i].end_ns - c->run->ops[i].start_ns;
}

/* The time of operation i's bytes at the bandwidth of copies alone. */
static int64_t bytes_ns(const copies *c, size_t i)
{
    return samples_bytes_ns(run_op(c->run, i)->bytes, c->fit[run_op(c->run, i)->direction].bytes_per_s);
}

static bool fit_alone(copies *c, gcast_direction direction)
{
    VEC(copy_point) points = {0};
    for (size_t i = 0; i < c->run->op_count && c->status == GCAST_OK; i++)
        if (is_for(c, i, "alone") && run_op(c->run, i)->direction == direction &&
            !vec_push(&points, ((copy_point){run_op(c->run, i)->bytes, duration(c, i)})))
            c->status = gcast_error_set_memory(c->err);
    bool ok = c->status == GCAST_OK && samples_fit(points.at, points.count, &c->fit[direction]);
    vec_free(&points);
    return ok;
}

/* Two copies that were called together: operations i and i + 1. */
static void learn_pair(copies *c, size_t i, bool opposite)
{
    const gcast_run_op *a = &c->run->ops[i], *b = &c->run->ops[i + 1];
    int64_t alone_ns = bytes_ns(c, i),
            end_distance = a->end_ns < b->end_ns ? b->end_ns - a->end_ns : a->end_ns - b->end_ns;
    if (alone_ns < 1)
        return;
    end_distance = end_distance < alone_ns ? end_distance * 100 / alone_ns : 100; /* percent */
    add_copy_sample(c, opposite ? GCAST_READ_OVERLAP : GCAST_READ_SERIAL, opposite ? 100 - end_distance : end_distance);
    for (size_t k = i; k <= i + 1 && opposite; k++) {
        int64_t transfer = duration(c, k) - c->fit[run_op(c->run, k)->direction].overhead_ns;
        if (transfer > 0)
            add_copy_sample(c, GCAST_READ_BOTH_WAYS, bytes_ns(c, k) * 100 / transfer);
    }
}

static int64_t latency(const copies *c, size_t i)
{
    return c->run->ops[i].start_ns - c->run->ops[i].call_ns;
}

/* The speed of a copy to the host while another goes to the device, in percent of its speed alone. */
static int64_t duplex_percent(const copies *c)
{
    for (size_t i = 0; i < c->run->op_count; i++)
        if (is_for(c, i, "opposite") && run_op(c->run, i)->direction == GCAST_D2H) {
            int64_t transfer = duration(c, i) - c->fit[GCAST_D2H].overhead_ns;
            return transfer > 0 && bytes_ns(c, i) > 0 ? bytes_ns(c, i) * 100 / transfer : 100;
        }
    return 100;
}

/* A copy to the host during a longer one to the device, compared with copies alone. */
static void learn_beside(copies *c, size_t i)
{
    int64_t alone_latency = INT64_MAX, percent = duplex_percent(c);
    for (size_t k = 0; k < c->run->op_count; k++)
        if (is_for(c, k, "alone") && run_op(c->run, k)->direction == GCAST_D2H)
            alone_latency = min_i64(alone_latency, latency(c, k));
    int64_t delay = latency(c, i) - alone_latency;
    int64_t longer = duration(c, i) * percent / 100 - c->fit[GCAST_D2H].overhead_ns - bytes_ns(c, i);
    add_copy_sample(c, GCAST_READ_D2H_START, max_i64(delay, 0));
    add_copy_sample(c, GCAST_READ_D2H_END, max_i64(longer, 0));
}

/* A copy after a pause in which the engines fell asleep. */
static void learn_pause(copies *c, size_t i)
{
    int64_t longer = duration(c, i) - bytes_ns(c, i) - c->fit[run_op(c->run, i)->direction].overhead_ns;
    add_copy_sample(c, GCAST_READ_WAKE, max_i64(longer, 0));
}

/* From the end of copy i to the start of the copy after it. */
static void learn_engine_gap(copies *c, size_t i)
{
    int64_t gap = c->run->ops[i + 1].start_ns - c->run->ops[i].end_ns;
    if (gap >= 0)
        add_copy_sample(c, GCAST_READ_COPY_GAP, gap);
}

/* The label of a copy says what it is for: it starts with "alone", "row", "same", "opposite", "beside" or "pause". */
static gcast_status learn_copies(observations *l, const gcast_run *run, gcast_error *err)
{
    copies c = {.l = l, .run = run, .status = GCAST_OK, .err = err};
    static const gcast_reading_id rates[] = {[GCAST_H2D] = GCAST_READ_H2D, [GCAST_D2H] = GCAST_READ_D2H};
    static const gcast_reading_id overheads[] = {
        [GCAST_H2D] = GCAST_READ_H2D_OVERHEAD, [GCAST_D2H] = GCAST_READ_D2H_OVERHEAD};
    for (int d = GCAST_H2D; d <= GCAST_D2H; d++) {
        if (!fit_alone(&c, (gcast_direction)d))
            return c.status;
        add_copy_sample(&c, rates[d], c.fit[d].bytes_per_s);
        add_copy_sample(&c, overheads[d], max_i64(c.fit[d].overhead_ns, 0));
    }
    for (size_t i = 0; i + 1 < run->op_count && c.status == GCAST_OK; i++) {
        bool same_direction = is_for(&c, i, "same") && is_for(&c, i + 1, "same");
        bool row = is_for(&c, i, "row") && is_for(&c, i + 1, "row") &&
                   run_op(c.run, i)->direction == run_op(c.run, i + 1)->direction;
        if (row)
            add_copy_sample(&c, GCAST_READ_BUSY_OVERHEAD, duration(&c, i + 1) - bytes_ns(&c, i + 1));
        if (row || same_direction)
            learn_engine_gap(&c, i);
        if (is_for(&c, i, "pause"))
            learn_pause(&c, i);
        else if (is_for(&c, i, "beside") && is_for(&c, i + 1, "beside"))
            learn_beside(&c, ++i);
        else if (is_for(&c, i, "opposite") && is_for(&c, i + 1, "opposite"))
            learn_pair(&c, i++, true);
        else if (same_direction)
            learn_pair(&c, i++, false);
    }
    return c.status;
}

/* A workload while its ops are added. */
typedef struct builder {
    gcast_workload *w;
    gcast_error *err;   /* of the first op that could not be added */
    bool ok;            /* all ops could be added */
    int64_t release_ns; /* of the next op */
    int count;          /* of ops so far */
} builder;

static void add_op(builder *b, gcast_op op, int stream, const char *purpose)
{
    char label[48];
    snprintf(label, sizeof label, "%s %d", purpose, ++b->count);
    op.label = label;
    op.release_ns = b->release_ns;
    op.stream = -1;
    if (stream != NO_STREAM)
        b->ok = b->ok && gcast_workload_get_stream(b->w, stream, &op.stream, b->err) == GCAST_OK;
    b->ok = b->ok && gcast_workload_add_op(b->w, &op, NULL, b->err) == GCAST_OK;
}

static gcast_status result(const builder *b)
{
    return b->ok ? GCAST_OK : b->err ? b->err->code : GCAST_RESOURCE;
}

static gcast_op kernel(uint32_t grid, uint32_t threads, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = grid;
    op.block[0] = threads;
    op.min_ns = op.max_ns = ns;
    return op;
}

static gcast_op copy(gcast_direction direction, int64_t bytes)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.direction = direction;
    op.bytes = bytes;
    return op;
}

/* Gives a block so much shared memory that an SM holds only one. */
static void set_one_per_sm(gcast_op *op, const gcast_gpu *gpu)
{
    op->shape.dynamic_smem = gpu->limits.smem_per_block;
}

static gcast_status build_latency(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    (void)gpu;
    builder b = {w, err, true, 0, 0};
    for (int i = 0; i < LAUNCHES; i++) {
        add_op(&b, kernel(1, 32, 20 * US), 1, "launch");
        b.release_ns += PAUSE_NS;
        add_op(&b, copy(i % 2 ? GCAST_D2H : GCAST_H2D, 65536), 2, "copy");
        b.release_ns += PAUSE_NS;
    }
    return result(&b);
}

static gcast_status build_gap(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    (void)gpu;
    builder b = {w, err, true, 0, 0};
    for (int i = 0; i < LAUNCHES; i++)
        add_op(&b, kernel(1, 32, 50 * US), 1, "next");
    return result(&b);
}

/* Three waves of one block per SM whose ends are 2 microseconds apart, so that resources are released on one SM at a
 * time. */
static gcast_status build_handover(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    builder b = {w, err, true, 0, 0};
    uint32_t sms = (uint32_t)gpu->sms;
    gcast_op op = kernel(3 * sms, 32, 1);
    int64_t *ns = malloc(3 * sms * sizeof *ns), longest = 100 * US + 2 * US * (int64_t)sms;
    if (!ns)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < 3 * sms; i++)
        ns[i] = i < sms ? 100 * US + 2 * US * (int64_t)i : longest;
    op.block_ns = ns;
    set_one_per_sm(&op, gpu);
    for (int i = 0; i < 3; i++) {
        add_op(&b, op, 1, "relay");
        b.release_ns += 4 * longest + MS;
    }
    free(ns);
    return result(&b);
}

/* Many waves of one block per SM, where the resources of all SMs are released at one time. */
static gcast_status build_reach(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    builder b = {w, err, true, 0, 0};
    gcast_op op = kernel(60 * (uint32_t)gpu->sms, 32, 20 * US);
    set_one_per_sm(&op, gpu);
    for (int i = 0; i < 2; i++) {
        add_op(&b, op, 1, "again");
        b.release_ns += 3 * MS;
    }
    return result(&b);
}

static gcast_status build_waves(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    builder b = {w, err, true, 0, 0};
    gcast_occupancy o;
    gcast_op op = kernel(1, 128, 60 * US);
    op.shape.threads = 128;
    gcast_status status = gcast_occupancy_compute(&gpu->limits, &op.shape, GCAST_CARVEOUT_DEFAULT, &o, err);
    if (status != GCAST_OK)
        return status;
    op.grid[0] = 2 * (uint32_t)(o.blocks_per_sm * gpu->sms);
    for (int i = 0; i < 8; i++) {
        add_op(&b, op, 1, "wave");
        b.release_ns += MS;
    }
    return result(&b);
}

static gcast_status build_order(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    builder b = {w, err, true, 0, 0};
    gcast_op op = kernel((uint32_t)gpu->sms, 32, 60 * US);
    set_one_per_sm(&op, gpu);
    for (int i = 0; i < 16; i++) {
        add_op(&b, op, 1, "deal");
        b.release_ns += 500 * US;
    }
    return result(&b);
}

static void add_wait(builder *b, int host)
{
    gcast_op wait = gcast_op_default(GCAST_KIND_SYNC);
    wait.host = host;
    add_op(b, wait, NO_STREAM, "wait");
}

/* Adds copies of a host, which then waits for all of them. A stream has copies of one direction only. */
static void add_copies(builder *b, int host, const char *purpose, const gcast_direction *directions, int64_t mib,
                       size_t n, bool one_stream)
{
    for (size_t i = 0; i < n; i++) {
        gcast_op op = copy(directions[i], mib * MIB);
        op.host = host;
        op.delay_ns = i ? 0 : PAUSE_NS;
        add_op(b, op, 1 + 2 * (int)directions[i] + (one_stream ? 0 : (int)i), purpose);
    }
    add_wait(b, host);
}

/* Adds a long copy to the device, and a short one to the host during it. */
static void add_beside(builder *b, int host)
{
    static const gcast_direction both[] = {GCAST_H2D, GCAST_D2H};
    for (size_t i = 0; i < 2; i++) {
        gcast_op op = copy(both[i], (i ? 1 : 32) * MIB);
        op.host = host;
        op.delay_ns = i ? PAUSE_NS / 2 : PAUSE_NS;
        add_op(b, op, 1 + 2 * (int)both[i], "beside");
    }
    add_wait(b, host);
}

static void add_pause(builder *b, int host, gcast_direction direction)
{
    gcast_op op = copy(direction, MIB);
    op.host = host;
    op.delay_ns = 5 * MS;
    add_op(b, op, 1 + 2 * (int)direction, "pause");
    add_wait(b, host);
}

/* A first pair wakes the engines up. Then, in each direction: copies of several sizes alone; three in a row; two at one
 * time, in one direction and in opposite directions; a short one during a long one; and one after a pause. */
static gcast_status build_copies(gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    (void)gpu;
    builder b = {w, err, true, 0, 0};
    static const int sizes[] = {1, 2, 4, 8, 16, 32, 48};
    static const gcast_direction both[] = {GCAST_H2D, GCAST_D2H};
    int host;
    gcast_status status = gcast_workload_add_host(w, "copies", &host, err);
    if (status != GCAST_OK)
        return status;
    add_copies(&b, host, "wake", both, 1, 2, false);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t d = 0; d < 2; d++)
            add_copies(&b, host, "alone", &both[d], sizes[i], 1, true);
    for (size_t d = 0; d < 2; d++) {
        const gcast_direction same[] = {both[d], both[d], both[d]};
        add_copies(&b, host, "row", same, 4, 3, true);
        add_copies(&b, host, "same", same, 16, 2, false);
        add_copies(&b, host, "opposite", both, 32, 2, false);
        add_beside(&b, host);
    }
    for (size_t d = 0; d < 2; d++)
        add_pause(&b, host, both[d]);
    return result(&b);
}

const probe probes[] = {
    {"calibration: latencies", build_latency, learn_latency},   {"calibration: stream gap", build_gap, learn_gap},
    {"calibration: hand-over", build_handover, learn_handover}, {"calibration: waves", build_waves, learn_waves},
    {"calibration: reach of SMs", build_reach, learn_reach},    {"calibration: order of SMs", build_order, learn_order},
    {"calibration: copies", build_copies, learn_copies},
};
const size_t probe_count = sizeof probes / sizeof probes[0];

gcast_status probe_workload(const probe *p, int sms, const gcast_gpu *gpu, gcast_workload **out, gcast_error *err)
{
    gcast_workload *w;
    gcast_status status = gcast_workload_create(p->name, &w, err);
    if (status != GCAST_OK)
        return status;
    gcast_workload_set_partition(w, sms);
    status = p->build(w, gpu, err);
    if (status != GCAST_OK) {
        gcast_workload_free(w);
        return status;
    }
    *out = w;
    return GCAST_OK;
}

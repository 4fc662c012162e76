#include "measure/calibrate/probes.h"

#include <stdio.h>
#include <stdlib.h>

#include "gridcast/occupancy.h"
#include "measure/calibrate/learn.h"
#include "measure/calibrate/learn_copies.h"

#define MS 1000000
#define US 1000
#define MIB (INT64_C(1) << 20)
#define LAUNCHES 32         /* of kernels, and as many copies */
#define PAUSE_NS (200 * US) /* between calls: the GPU is idle, but not asleep */

#define NO_STREAM (-1)

/* A workload while its ops are added. */
typedef struct builder {
    gcast_workload *w;  /* what is built */
    gcast_error *err;   /* of the first op that could not be added */
    bool ok;            /* all ops could be added */
    int64_t release_ns; /* of the next op */
    int count;          /* of ops */
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

/* So much shared memory that an SM can hold one block only. */
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

/* Copies of a host, which then waits for all of them. A stream has copies of one direction only. */
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

/* A long copy to the device, and a short one to the host during it. */
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

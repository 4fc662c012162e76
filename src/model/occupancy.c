#include "model/occupancy.h"

#include <limits.h>
#include <stdio.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/gpu.h"
#include "gridcast/occupancy.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"

/* The smallest size of an SM's shared memory that is not below `bytes`; the largest where there is none. */
static int smem_size_for(const gcast_limits *l, int64_t bytes)
{
    for (int i = 0; i < l->carveouts; i++)
        if (l->carveout[i] >= bytes)
            return l->carveout[i];
    return l->smem_per_sm;
}

/* NVIDIA's occupancy calculation says how many blocks an SM can hold. Every limit, rounding and launch check is one of
 * cuda_occupancy.h; tests/unit/model/test_occupancy_header.c compares them for all compute capabilities. A kernel that
 * asks for more shared memory than the default is taken to have opted in, since it could not be launched otherwise.
 * Threads are counted besides warps, because a GPU file may set both limits. */

#define PASCAL_PARTS 4

/* Keeps the first reason. */
#define REFUSE(out, ...) ((out)->reason[0] ? (void)0 : (void)snprintf((out)->reason, sizeof(out)->reason, __VA_ARGS__))

static void limit_threads(const gcast_limits *l, const gcast_block_shape *s, gcast_occupancy *out)
{
    int64_t warps = div_up(s->threads, GCAST_WARP);
    if (s->threads > l->threads_per_block) {
        out->limit[GCAST_RES_THREADS] = out->limit[GCAST_RES_WARPS] = 0;
        REFUSE(out, "a block of %d threads; the GPU takes at most %d", s->threads, l->threads_per_block);
        return;
    }
    out->limit[GCAST_RES_THREADS] = l->threads_per_sm / s->threads;
    out->limit[GCAST_RES_WARPS] = (int)(l->warps_per_sm / warps);
    if (out->limit[GCAST_RES_THREADS] == 0)
        REFUSE(out, "a block of %d threads; an SM holds %d", s->threads, l->threads_per_sm);
    if (out->limit[GCAST_RES_WARPS] == 0)
        REFUSE(out, "a block of %lld warps; an SM holds %d", (long long)warps, l->warps_per_sm);
}

/* A warp's registers are in one part of the register file. The launch check counts as if every part got as many warps
 * as the fullest. */
static int blocks_by_registers(const gcast_limits *l, int64_t warps, int64_t per_warp, int parts)
{
    if (per_warp * round_up(warps, parts) > l->registers_per_block)
        return 0;
    return (int)(l->registers_per_sm / parts / per_warp * parts / warps);
}

static void limit_registers(const gcast_limits *l, const gcast_block_shape *s, gcast_occupancy *out)
{
    int64_t warps = div_up(s->threads, GCAST_WARP);
    int64_t per_warp = round_up((int64_t)s->registers * GCAST_WARP, l->register_unit);
    int64_t per_block = per_warp <= INT_MAX && warps * per_warp <= INT_MAX ? warps * per_warp : INT_MAX;
    int *limit = &out->limit[GCAST_RES_REGISTERS];
    out->registers_per_block = (int)per_block;
    *limit = INT_MAX;
    if (per_warp == 0)
        return;
    if (s->registers > l->register_check) {
        *limit = 0;
        REFUSE(out, "%d registers per thread; the GPU takes at most %d", s->registers, l->registers_per_thread);
        return;
    }
    *limit = blocks_by_registers(l, warps, per_warp, l->register_parts);
    /* on 6.0 a launch is refused if the number of parts of the other Pascal GPUs would refuse it */
    int parts = l->cc_major == 6 ? PASCAL_PARTS : l->register_parts;
    if (blocks_by_registers(l, warps, per_warp, parts) == 0)
        *limit = 0;
    if (*limit)
        return;
    int64_t counted = round_up(warps, parts);
    if (per_warp * counted > l->registers_per_block)
        REFUSE(out, "a block takes %lld registers (%lld warps of %lld), and the GPU allows %d",
               (long long)(per_warp * counted), (long long)counted, (long long)per_warp, l->registers_per_block);
    else
        REFUSE(out, "a block has %lld warps of %lld registers, and an SM %d registers in %d parts", (long long)warps,
               (long long)per_warp, l->registers_per_sm, parts);
}

/* Where the preferred size is too small for one block, GPUs from 7.0 on take the next size, older ones the largest. */
static int64_t smem_configured(const gcast_limits *l, int carveout, int64_t block)
{
    if (carveout == GCAST_CARVEOUT_DEFAULT)
        return l->smem_per_sm;
    int64_t preferred = smem_size_for(l, (int64_t)carveout * l->smem_per_sm / 100);
    if (preferred >= block)
        return preferred;
    return l->cc_major >= 7 ? smem_size_for(l, block) : l->smem_per_sm;
}

static void limit_smem(const gcast_limits *l, const gcast_block_shape *s, int carveout, gcast_occupancy *out)
{
    int64_t asked = s->static_smem + s->dynamic_smem;
    int64_t block = round_up(asked + l->smem_reserved, l->smem_unit);
    int *limit = &out->limit[GCAST_RES_SHARED_MEMORY];
    out->smem_per_block = block;
    out->smem_config = smem_configured(l, carveout, block);
    if (block == 0) {
        *limit = INT_MAX;
    } else if (block > (int64_t)l->smem_per_block + l->smem_reserved) {
        *limit = 0;
        REFUSE(out, "%lld bytes of shared memory per block; the GPU takes at most %d", (long long)asked,
               l->smem_per_block);
    } else {
        *limit = (int)(out->smem_config / block);
        if (*limit == 0)
            REFUSE(out, "%lld bytes of shared memory per block; an SM has %lld", (long long)block,
                   (long long)out->smem_config);
    }
}

static void limit_barriers(const gcast_limits *l, const gcast_block_shape *s, gcast_occupancy *out)
{
    int used = s->barriers ? s->barriers : 1;
    out->limit[GCAST_RES_BARRIERS] = l->barriers_per_sm ? l->barriers_per_sm / used : INT_MAX;
    if (out->limit[GCAST_RES_BARRIERS] == 0)
        REFUSE(out, "%d named barriers per block; an SM has %d", used, l->barriers_per_sm);
}

static gcast_status check_shape(const gcast_block_shape *s, int carveout, gcast_error *err)
{
    if (s->threads < 1)
        return gcast_error_set(err, GCAST_INPUT, "/block", "a block has at least 1 thread, not %d", s->threads);
    if (s->registers < 0)
        return gcast_error_set(err, GCAST_INPUT, "/registers", "must not be negative");
    if (s->static_smem < 0 || s->static_smem > INT_MAX)
        return gcast_error_set(err, GCAST_INPUT, "/static_smem", "must be from 0 to %d bytes", INT_MAX);
    if (s->dynamic_smem < 0 || s->dynamic_smem > INT_MAX)
        return gcast_error_set(err, GCAST_INPUT, "/dynamic_smem", "must be from 0 to %d bytes", INT_MAX);
    if (s->barriers < 0)
        return gcast_error_set(err, GCAST_INPUT, "/barriers", "must not be negative");
    if (carveout < GCAST_CARVEOUT_DEFAULT || carveout > 100)
        return gcast_error_set(err, GCAST_INPUT, "/carveout", "must be from 0 to 100 percent");
    return GCAST_OK;
}

/* The formulas divide by these. */
static gcast_status check_limits(const gcast_limits *l, gcast_error *err)
{
    bool right = l->threads_per_sm > 0 && l->warps_per_sm > 0 && l->blocks_per_sm > 0 && l->threads_per_block > 0 &&
                 l->registers_per_sm > 0 && l->registers_per_block >= 0 && l->register_unit > 0 &&
                 l->register_parts > 0 && l->smem_per_sm >= 0 && l->smem_per_block >= 0 && l->smem_reserved >= 0 &&
                 l->smem_unit > 0 && l->barriers_per_sm >= 0 && l->carveouts >= 0 &&
                 l->carveouts <= GCAST_MAX_CARVEOUTS;
    return right ? GCAST_OK : gcast_error_set(err, GCAST_USAGE, NULL, "limits of an SM that are 0 or out of range");
}

gcast_status gcast_occupancy_compute(const gcast_limits *limits, const gcast_block_shape *shape, int carveout,
                                     gcast_occupancy *out, gcast_error *err)
{
    if (!limits || !shape || !out)
        return argument_missing(err);
    gcast_status status = check_limits(limits, err);
    if (status == GCAST_OK)
        status = check_shape(shape, carveout, err);
    if (status != GCAST_OK)
        return status;
    *out = (gcast_occupancy){.max_warps = limits->warps_per_sm};
    out->limit[GCAST_RES_BLOCKS] = limits->blocks_per_sm;
    limit_threads(limits, shape, out);
    limit_registers(limits, shape, out);
    limit_smem(limits, shape, carveout, out);
    limit_barriers(limits, shape, out);
    out->blocks_per_sm = INT_MAX;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (out->limit[r] < out->blocks_per_sm)
            out->blocks_per_sm = out->limit[r];
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (out->limit[r] == out->blocks_per_sm)
            out->limited_by |= 1u << r;
    out->warps_per_sm = out->blocks_per_sm * ((shape->threads - 1) / GCAST_WARP + 1);
    out->idle_lanes = (GCAST_WARP - shape->threads % GCAST_WARP) % GCAST_WARP;
    return GCAST_OK;
}

/* The driver's choice of a carveout ("Carveouts" of docs/model.md) was found on an H200 with kernels of 84 shapes
 * (docs/rules.md). */

#define MAX_CHOICE (132 * 1024) /* of the driver, except for a kernel that needs more */
#define LARGE_BLOCK 512         /* threads */

/* The driver provides for a few times the blocks that an SM can hold. */
static int driver_choice(const gcast_limits *l, const gcast_block_shape *s, const gcast_occupancy *o)
{
    int64_t times = s->static_smem + s->dynamic_smem == 0 ? 4 : s->threads <= LARGE_BLOCK ? 2 : 1;
    int64_t blocks = min_i64(times * o->blocks_per_sm, l->blocks_per_sm);
    return smem_size_for(l, min_i64(blocks * o->smem_per_block, MAX_CHOICE));
}

smem_sizes carveout_of(const gcast_limits *l, const gcast_op *op)
{
    gcast_occupancy o;
    smem_sizes c = {l->smem_per_sm, l->smem_per_sm};
    if (gcast_occupancy_compute(l, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
        return c;
    c.min_bytes = smem_size_for(l, o.blocks_per_sm * o.smem_per_block);
    if (op->carveout == GCAST_OP_CARVEOUT_DRIVER)
        c.chosen_bytes = max_int(c.min_bytes, driver_choice(l, &op->shape, &o));
    return c;
}

bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count + w->child_count && gpu->limits.carveouts > 1; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].carveout == GCAST_OP_CARVEOUT_DRIVER)
            return true;
    return false;
}

/* The blocks of a cluster need an SM each, all of one GPC. */

gcast_status gcast_occupancy_clusters(const gcast_gpu *gpu, const gcast_block_shape *shape, int carveout, int cluster,
                                      int64_t *clusters, gcast_error *err)
{
    if (!gpu || !shape || !clusters)
        return argument_missing(err);
    gcast_occupancy o;
    if (cluster < 1 || cluster > ATTRIBUTES_MAX_CLUSTER)
        return gcast_error_set(err, GCAST_INPUT, NULL, "a cluster has from 1 to %d blocks", ATTRIBUTES_MAX_CLUSTER);
    if (gpu->limits.cc_major < 9)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "clusters need compute capability 9.0 or newer; %.100s has %d.%d", gpu->name,
                               gpu->limits.cc_major, gpu->limits.cc_minor);
    if (!gpu->gpc_count)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs",
                               "the GPCs of %.100s are not known: give \"gpcs\" in a GPU file (man 5 gridcast-gpu)",
                               gpu->name);
    gcast_status status = gpcs_check(gpu, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_occupancy_compute(&gpu->limits, shape, carveout, &o, err);
    if (status != GCAST_OK)
        return status;
    int blocks = min_int(o.blocks_per_sm, ATTRIBUTES_CLUSTER_BLOCKS);
    *clusters = 0;
    for (int g = 0; g < gpu->gpc_count; g++)
        if (gpu->gpc_sizes[g] >= cluster)
            *clusters += (int64_t)gpu->gpc_sizes[g] * blocks / cluster;
    return GCAST_OK;
}

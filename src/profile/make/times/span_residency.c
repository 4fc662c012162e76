#include "profile/make/times/span_residency.h"

#include <string.h>

#include "base/minmax.h"
#include "model/gpu/carveout.h"

/* Bytes that the profile tells; too many are refused by the check of the workload, and their sum is no overflow. */
static int64_t bytes_of(int64_t told)
{
    return min_i64(max_i64(told, 0), INT32_MAX);
}

/* Products of a block; too large ones are refused by the check of the workload. */
static int threads_of(const prof_op *op)
{
    unsigned __int128 threads = (unsigned __int128)op->block[0] * op->block[1] * op->block[2];
    return threads > INT32_MAX ? INT32_MAX : (int)threads;
}

gcast_block_shape block_shape_of(const prof_op *op)
{
    bool is_sum = op->dynamic_smem == PROF_UNKNOWN; /* static and dynamic memory count alike */
    return (gcast_block_shape){.threads = threads_of(op),
                               .registers = max_int(op->registers, 0),
                               .static_smem = is_sum ? 0 : bytes_of(op->static_smem),
                               .dynamic_smem = bytes_of(is_sum ? op->static_smem : op->dynamic_smem)};
}

bool can_launch(const gcast_limits *limits, const prof_op *op)
{
    gcast_block_shape shape = block_shape_of(op);
    gcast_occupancy occupancy;
    gcast_error err;
    return gcast_occupancy_compute(limits, &shape, GCAST_CARVEOUT_DEFAULT, &occupancy, &err) == GCAST_OK &&
           occupancy.blocks_per_sm > 0;
}

int residency_of(const gcast_limits *limits, const prof_op *op)
{
    gcast_block_shape shape = block_shape_of(op);
    gcast_occupancy occupancy;
    gcast_error err;
    if (gcast_occupancy_compute(limits, &shape, GCAST_CARVEOUT_DEFAULT, &occupancy, &err) != GCAST_OK)
        return 1;
    int blocks = occupancy.blocks_per_sm;
    if (occupancy.smem_per_block > 0 && op->smem_executed >= occupancy.smem_per_block)
        blocks = (int)min_i64(blocks, op->smem_executed / occupancy.smem_per_block);
    return max_int(blocks, 1);
}

gcast_op_carveout carveout_for(const gcast_limits *limits, const prof_op *op, bool *fits)
{
    gcast_op x = gcast_op_default(GCAST_KIND_KERNEL);
    x.shape = block_shape_of(op);
    x.carveout = GCAST_OP_CARVEOUT_DRIVER;
    *fits = true;
    /* CUPTI 13 tells less than a block needs of some kernels, which cannot be. */
    bool is_told = op->smem_executed > x.shape.static_smem + x.shape.dynamic_smem;
    if (!is_told || !limits->carveouts || carveout_of(limits, &x).chosen_bytes == op->smem_executed)
        return GCAST_OP_CARVEOUT_DRIVER;
    *fits = op->smem_executed >= limits->carveout[limits->carveouts - 1];
    return *fits ? GCAST_OP_CARVEOUT_MOST : GCAST_OP_CARVEOUT_DRIVER;
}

/* Kernels of which something is not as the workload says it. */
typedef struct kernel_counts {
    uint64_t registers, smem, carveout, misfits, nccl, too_large;
    const char *large_name; /* the first that is too large */
} kernel_counts;

static void count(const making *m, const prof_op *op, kernel_counts *c)
{
    const gcast_gpu *gpu = m->o->recorded_on ? m->o->recorded_on : m->o->gpu;
    bool fits;
    if (op->kind != GCAST_KIND_KERNEL)
        return;
    carveout_for(&gpu->limits, op, &fits);
    c->registers += op->registers == PROF_UNKNOWN;
    c->smem += op->static_smem == PROF_UNKNOWN;
    c->carveout += op->smem_executed == PROF_UNKNOWN;
    c->misfits += !fits;
    bool is_large = !can_launch(&m->o->gpu->limits, op);
    c->too_large += is_large;
    c->large_name = is_large && !c->large_name ? op->name : c->large_name;
    c->nccl += strncmp(op->name, "nccl", 4) == 0;
}

bool residency_findings(making *m)
{
    prof_findings *f = m->findings;
    kernel_counts c = {0};
    for (size_t i = 0; i < m->ops.count; i++)
        count(m, trace_op(m, i), &c);
    return findings_add(f, "{kernel} with blocks larger than the GPU takes: simulate refuses them", c.large_name,
                        c.too_large) &&
           findings_add(f, "{kernel} without known registers: none are counted", NULL, c.registers) &&
           findings_add(f, "{kernel} without known shared memory: none is counted", NULL, c.smem) &&
           findings_add(f, "{kernel} without a known carveout: CUDA's default is taken", NULL, c.carveout) &&
           findings_add(f,
                        "{kernel} with a carveout that is neither CUDA's default nor the largest: the default is taken",
                        NULL, c.misfits) &&
           findings_add(f, "{kernel} of NCCL, with waits for other GPUs: as long as recorded", NULL, c.nccl);
}

#include "profile/make/kernel_residency.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "gridcast/occupancy.h"
#include "model/occupancy.h"

#define MOST_IN_CLUSTER 16

/* Recorded bytes, limited so that sums do not overflow; the check of the workload refuses too many. */
static int64_t bytes_of(int64_t recorded)
{
    return min_i64(max_i64(recorded, 0), INT32_MAX);
}

/* Threads of a block; the check of the workload refuses too many. */
static int threads_of(const prof_op *op)
{
    unsigned __int128 threads = (unsigned __int128)op->block[0] * op->block[1] * op->block[2];
    return threads > INT32_MAX ? INT32_MAX : (int)threads;
}

gcast_block_shape block_shape_of(const prof_op *op)
{
    bool is_sum = op->dynamic_smem == PROF_UNKNOWN; /* then static_smem holds the sum */
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

/* Blocks of the kernel that an SM holds; at least 1. */
static int residency_of(const gcast_limits *limits, const prof_op *op)
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
    /* For some kernels, CUPTI 13 reports less than a block needs, which is impossible. */
    bool is_told = op->smem_executed > x.shape.static_smem + x.shape.dynamic_smem;
    if (!is_told || !limits->carveouts || carveout_of(limits, &x).chosen_bytes == op->smem_executed)
        return GCAST_OP_CARVEOUT_DRIVER;
    *fits = op->smem_executed >= limits->carveout[limits->carveouts - 1];
    return *fits ? GCAST_OP_CARVEOUT_MOST : GCAST_OP_CARVEOUT_DRIVER;
}

/* Numbers of kernels with unknown values, or with values that a workload cannot express. */
typedef struct kernel_counts {
    uint64_t registers, smem, carveout, misfits, nccl, too_large;
    const char *large_name; /* the first kernel that is too large */
} kernel_counts;

static void count(const making *m, const prof_op *op, kernel_counts *c)
{
    bool fits;
    if (op->kind != GCAST_KIND_KERNEL)
        return;
    carveout_for(&recorded_gpu(m)->limits, op, &fits);
    c->registers += op->registers == PROF_UNKNOWN;
    c->smem += op->static_smem == PROF_UNKNOWN;
    c->carveout += op->smem_executed == PROF_UNKNOWN;
    c->misfits += !fits;
    bool is_large = !can_launch(&m->options->gpu->limits, op);
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
           findings_add(f, "{kernel} without known registers: 0 registers are assumed", NULL, c.registers) &&
           findings_add(f, "{kernel} without known shared memory: 0 bytes are assumed", NULL, c.smem) &&
           findings_add(f, "{kernel} without a known carveout: CUDA's default is assumed", NULL, c.carveout) &&
           findings_add(
               f, "{kernel} with a carveout that is neither CUDA's default nor the largest: CUDA's default is assumed",
               NULL, c.misfits) &&
           findings_add(f, "{kernel} of NCCL, which wait for other GPUs: their recorded times are used", NULL, c.nccl);
}

/* Blocks of a cluster; 1: no clusters, or unknown. */
static uint32_t cluster_size(const prof_op *op)
{
    uint64_t size = 1;
    for (int i = 0; i < 3; i++)
        size *= op->cluster[i] > MOST_IN_CLUSTER ? MOST_IN_CLUSTER + 1 : op->cluster[i] ? op->cluster[i] : 1;
    return (uint32_t)size;
}

/* Clusters that the GPU runs at a time; 0: none. */
static int64_t clusters_at_a_time(const gcast_gpu *gpu, const prof_op *op)
{
    gcast_block_shape shape = block_shape_of(op);
    gcast_error err;
    int64_t clusters = 0;
    for (int i = 0; i < 3; i++)
        if (op->cluster[i] && op->grid[i] % op->cluster[i])
            return 0; /* CUDA refuses this */
    if (gcast_occupancy_clusters(gpu, &shape, GCAST_CARVEOUT_DEFAULT, (int)cluster_size(op), &clusters, &err) !=
        GCAST_OK)
        return 0;
    return clusters;
}

bool cluster_fits(const gcast_gpu *gpu, const prof_op *op)
{
    return cluster_size(op) > 1 && clusters_at_a_time(gpu, op) > 0;
}

uint64_t blocks_at_a_time(const gcast_gpu *gpu, const prof_op *op)
{
    int64_t clusters = cluster_size(op) > 1 ? clusters_at_a_time(gpu, op) : 0;
    if (clusters > 0)
        return (uint64_t)clusters * cluster_size(op);
    return (uint64_t)residency_of(&gpu->limits, op) * (uint64_t)gpu->sms;
}

bool cooperative_fits(const gcast_gpu *gpu, const prof_op *op)
{
    unsigned __int128 blocks = (unsigned __int128)op->grid[0] * op->grid[1] * op->grid[2];
    return op->is_cooperative && blocks <= blocks_at_a_time(gpu, op);
}

/* The product of a text such as "2x1x1" at `at`, with numbers of one or two digits, and its end; 0: there is none. */
static long product_at(const char *at, const char **end)
{
    long product = 1;
    for (int i = 0; i < 3; i++) {
        char *behind;
        if (*at < '0' || *at > '9')
            return 0;
        long n = strtol(at, &behind, 10);
        if (behind - at > 2 || (i < 2 && *behind != 'x'))
            return 0;
        product *= n;
        at = behind + (i < 2);
    }
    *end = at;
    return product;
}

/* Does the name contain "cga2x1x1", or in names of CUTLASS "_2x1x1_"? Then the kernel has clusters. */
static bool names_cluster(const char *name)
{
    const char *cga = strstr(name, "cga"), *end = "";
    if (cga || !strstr(name, "cutlass"))
        return cga && product_at(cga + 3, &end) > 1;
    for (const char *p = strchr(name, '_'); p; p = strchr(p + 1, '_')) {
        long product = product_at(p + 1, &end);
        if (product > 1 && product <= MOST_IN_CLUSTER && *end == '_')
            return true;
    }
    return false;
}

bool launch_findings(making *m)
{
    prof_findings *f = m->findings;
    uint64_t clusters = 0, cooperative = 0, named = 0;
    const char *name = NULL;
    for (size_t i = 0; i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        clusters += cluster_size(op) > 1 && !cluster_fits(m->options->gpu, op);
        cooperative += op->is_cooperative && !cooperative_fits(m->options->gpu, op);
        if (!op->cluster[0] && m->options->gpu->limits.cc_major >= 9 && names_cluster(op->name)) {
            name = name ? name : op->name;
            named++;
        }
    }
    return findings_add(f,
                        "{kernel} launched in clusters, on a GPU without clusters or without known GPCs: blocks are "
                        "placed one by one",
                        NULL, clusters) &&
           findings_add(
               f,
               "{kernel} with a name that suggests clusters, which the profile does not show: no clusters are assumed",
               name, named) &&
           findings_add(f,
                        "{kernel} launched as cooperative whose blocks do not all fit on this GPU: they start one "
                        "after another here",
                        NULL, cooperative);
}

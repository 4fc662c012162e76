#include "property/free_resources.h"

#include <string.h>

enum { QUARTERS = 4 };

typedef struct needs {
    int64_t of[GCAST_RESOURCES];
    int64_t warps, warp_registers;
    int64_t cluster_blocks; /* places for blocks of clusters, of which an SM has 8 */
} needs;

static const gcast_op *spec(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

static int64_t up(int64_t v, int64_t unit)
{
    return unit > 0 ? (v + unit - 1) / unit * unit : v;
}

static needs needs_of(const gcast_gpu *gpu, const gcast_op *op)
{
    const gcast_limits *l = &gpu->limits;
    int64_t smem = op->shape.static_smem + op->shape.dynamic_smem + l->smem_reserved;
    needs n = {.warps = (op->shape.threads + 31) / 32,
               .warp_registers = up(32 * op->shape.registers, l->register_unit),
               .cluster_blocks = op->cluster[0] * op->cluster[1] > 1};
    n.of[GCAST_RES_THREADS] = op->shape.threads;
    n.of[GCAST_RES_WARPS] = n.warps;
    n.of[GCAST_RES_BLOCKS] = 1;
    n.of[GCAST_RES_REGISTERS] = n.warps * n.warp_registers;
    n.of[GCAST_RES_SHARED_MEMORY] = smem ? up(smem, l->smem_unit) : 0;
    n.of[GCAST_RES_BARRIERS] = l->barriers_per_sm ? (op->shape.barriers ? op->shape.barriers : 1) : 0;
    return n;
}

/* Warps of a block that go to a quarter, if the first goes to `first`. */
static int64_t warps_in_quarter(int64_t warps, int first, int quarter)
{
    int64_t behind = (quarter - first + QUARTERS) % QUARTERS;
    return warps > behind ? (warps - behind - 1) / QUARTERS + 1 : 0;
}

bool resources_have_sizes(const gcast_run *run)
{
    bool driver = false;
    for (size_t i = 0; i < run->workload->op_count + run->workload->child_count; i++)
        driver = driver || run->workload->ops[i].carveout == GCAST_OP_CARVEOUT_DRIVER;
    return driver && run->gpu->limits.carveouts > 1;
}

static int level_of(const gcast_run *run, size_t i)
{
    for (; i >= run->op_count; i = run->children[i - run->op_count].parent)
        if (run->gpu->child_level && !run->children[i - run->op_count].is_rest)
            return run->gpu->child_level == 1 ? 1 - run->gpu->priority_levels : 0;
    int lowest = 1 - run->gpu->priority_levels, p = run->workload->streams[spec(run, i)->stream].priority;
    if (spec(run, i)->cooperative)
        return lowest;
    return p > 0 ? 0 : p < lowest ? lowest : p; /* lower goes first */
}

/* Did the block start on its SM after the other? At one time by turn, then by number. */
static bool is_later(const gcast_run *run, size_t a, uint64_t block, size_t b, uint64_t other)
{
    int64_t x = run->ops[a].blocks[block].start_ns, y = run->ops[b].blocks[other].start_ns;
    if (x != y)
        return x > y;
    if (a == b)
        return block > other;
    if (level_of(run, a) != level_of(run, b))
        return level_of(run, a) > level_of(run, b);
    return run->ops[a].entry > run->ops[b].entry;
}

bool resources_fit(const gcast_run *run, size_t run_op, int sm, int64_t t, unsigned *short_of)
{
    const gcast_gpu *gpu = run->gpu;
    const gcast_limits *l = &gpu->limits;
    int64_t free[GCAST_RESOURCES] = {l->threads_per_sm,   l->warps_per_sm, l->blocks_per_sm,
                                     l->registers_per_sm, l->smem_per_sm,  l->barriers_per_sm};
    int64_t warps[QUARTERS], registers[QUARTERS], cluster_blocks = 8;
    size_t last = SIZE_MAX;
    uint64_t last_block = 0;
    for (int q = 0; q < QUARTERS; q++) {
        warps[q] = l->warps_per_sm / QUARTERS;
        registers[q] = l->registers_per_sm / QUARTERS;
    }
    for (size_t i = 0; i < run->op_count + run->child_count; i++) {
        for (uint64_t b = 0; run->ops[i].blocks && b < run->ops[i].block_count; b++) {
            const gcast_block *k = &run->ops[i].blocks[b];
            if ((int)k->sm != sm || k->start_ns > t)
                continue;
            if (last == SIZE_MAX || is_later(run, i, b, last, last_block)) {
                last = i;
                last_block = b;
            }
            if (k->end_ns + gpu->handover_ns <= t)
                continue;
            needs n = needs_of(gpu, spec(run, i));
            for (int r = 0; r < GCAST_RESOURCES; r++)
                free[r] -= n.of[r];
            cluster_blocks -= n.cluster_blocks;
            for (int q = 0; q < QUARTERS; q++) {
                int64_t warps_here = warps_in_quarter(n.warps, (int)k->quarter, q);
                warps[q] -= warps_here;
                registers[q] -= warps_here * n.warp_registers;
            }
        }
    }
    needs demand = needs_of(gpu, spec(run, run_op));
    int next = 0;
    if (last != SIZE_MAX) {
        int64_t before = needs_of(gpu, spec(run, last)).warps;
        next = (int)((run->ops[last].blocks[last_block].quarter + before + (before % QUARTERS == 0)) % QUARTERS);
    }
    bool fits = true, without_registers = true;
    *short_of = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        bool by_quarter = gpu->register_quarters && (r == GCAST_RES_REGISTERS || r == GCAST_RES_WARPS);
        if (!by_quarter && free[r] < demand.of[r])
            *short_of |= 1u << r;
    }
    for (int q = 0; q < QUARTERS && gpu->register_quarters; q++) {
        int64_t warps_here = warps_in_quarter(demand.warps, next, q);
        fits = fits && warps[q] >= warps_here && registers[q] >= warps_here * demand.warp_registers;
        without_registers = without_registers && warps[q] >= warps_here;
    }
    if (!*short_of && !fits)
        *short_of = without_registers ? 1u << GCAST_RES_REGISTERS : 1u << GCAST_RES_WARPS;
    return !*short_of && cluster_blocks >= demand.cluster_blocks;
}

/* Figures of the cost model, by GPU, in hundredths of a cycle; and the summary of a launch. `gridcast measure --cost`
 * printed the figures on an H200 (tests/data/bridge/h200-cost.txt), with these exceptions: `busy` of units of which an
 * SM has one is a quarter of the printed figure, per sector, line or round; `special` and `start` come from
 * tests/data/bridge/start.txt; `branch` is the time of a loop beyond its subtraction and comparison; `barrier` is the
 * figure of 32 warps less their issue; `mask` is a third of the time of two paths beyond their instructions. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/compare.h"
#include "base/integers.h"
#include "model/cost.h"
#include "model/exec.h"
#include "simt/cost/cost_model.h"

static const gcast_cost_gpu gpus[] = {
    {.name = "h200",
     .clock_mhz = 1980,
     .sms = 132,
     .figure = {[COST_free] = {0, 0},
                [COST_special] = {4400, 800},
                [COST_alu] = {500, 108},
                [COST_alu64] = {500, 377},
                [COST_select] = {400, 303},
                [COST_mul] = {400, 255},
                [COST_mul_wide] = {400, 424},
                [COST_mul64] = {1698, 966},
                [COST_divide] = {12950, 2779},
                [COST_divide64] = {30747, 13167},
                [COST_fma] = {400, 111},
                [COST_fdiv] = {4400, 1814},
                [COST_fsqrt] = {4203, 949},
                [COST_sfu] = {1700, 897},
                [COST_fma64] = {800, 281},
                [COST_fdiv64] = {11100, 2520},
                [COST_fsqrt64] = {7900, 2626},
                [COST_convert] = {400, 248},
                [COST_convert_back] = {1680, 896},
                [COST_convert64] = {1784, 925},
                [COST_bits] = {1680, 896},
                [COST_half] = {800, 111},
                [COST_shuffle] = {2600, 169},
                [COST_vote] = {1700, 637},
                [COST_match] = {2786, 883},
                [COST_redux] = {4400, 874},
                [COST_shared] = {2300, 109},
                [COST_shared_round] = {200, 0},
                [COST_l1] = {3391, 112},
                [COST_line] = {230, 0},
                [COST_l2] = {28758, 109},
                [COST_store] = {600, 424},
                [COST_constant] = {2800, 42},
                [COST_local] = {2900, 149},
                [COST_atom_shared] = {2600, 115},
                [COST_atom] = {34958, 290},
                [COST_atom_round] = {285, 408},
                [COST_barrier] = {1400, 174},
                [COST_fence] = {26641, 100},
                [COST_fence_block] = {800, 100},
                [COST_branch] = {2124, 100},
                [COST_mask] = {1900, 0},
                [COST_call] = {10516, 100},
                [COST_start] = {300, 0}}},
};

const gcast_cost_gpu *gcast_cost_find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (strcmp(gpus[i].name, name) == 0)
            return &gpus[i];
    return NULL;
}

uint32_t gcast_cost_clock_mhz(const gcast_cost_gpu *g)
{
    return g ? g->clock_mhz : 0;
}

const char *gcast_cost_unit(uint32_t unit)
{
    static const char *const names[] = {
#define X(name, text, shared) text,
        COST_UNIT_TABLE(X)
#undef X
    };
    return unit < COST_UNITS ? names[unit] : "latency";
}

/* The report has blocks alone on an SM; the summary has blocks that share it. They overlap until the busiest unit has
 * no time left: with k blocks per SM a block takes at least k times as long as it keeps that unit busy. */
gcast_status gcast_cost_summarize(const gcast_simt_report *r, const gcast_cost_gpu *gpu, uint32_t blocks_per_sm,
                                  gcast_cost_summary *out, gcast_error *err)
{
    if (!r || !gpu || !out)
        return argument_missing(err);
    uint64_t n = r->blocks, *cycles = malloc((n + 1) * sizeof *cycles);
    uint64_t alone_cycles = 0, busy_cycles = 0, of_unit[GCAST_COST_MAX_UNITS] = {0};
    if (!cycles || !r->cost) {
        free(cycles);
        return gcast_error_set_memory(err);
    }
    for (uint64_t i = 0; i < n; i++) {
        const gcast_block_cost *b = &r->cost[i];
        uint64_t shared = b->busy * blocks_per_sm;
        cycles[i] = max_u64(b->cycles, shared);
        alone_cycles += b->cycles;
        busy_cycles += shared;
        of_unit[b->unit]++;
    }
    qsort(cycles, n, sizeof *cycles, compare_u64);
    *out = (gcast_cost_summary){.clock_mhz = gcast_cost_clock_mhz(gpu),
                                .blocks_per_sm = blocks_per_sm,
                                .cycles = {cycles[0], cycles[(n - 1) / 2], cycles[n - 1]}};
    for (uint32_t u = 0; u < GCAST_COST_MAX_UNITS; u++)
        if (of_unit[u] > of_unit[out->unit])
            out->unit = u;
    out->busy_percent = (uint32_t)(alone_cycles ? (busy_cycles * 100 + alone_cycles / 2) / alone_cycles : 0);
    out->median_ns = (out->cycles.median * 1000 + out->clock_mhz / 2) / out->clock_mhz;
    free(cycles);
    return GCAST_OK;
}

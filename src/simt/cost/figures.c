/* Figures of the cost model, by GPU, in hundredths of a cycle. They are what
 * `gridcast measure --cost` printed on an H200
 * (tests/data/bridge/h200-cost.txt), except: `busy` of units of which an SM has
 * one is a quarter of what was printed, per sector, line or round; `special`
 * and `start` come from tests/data/bridge/start.txt; `branch` is what a loop
 * takes beyond its subtraction and comparison; `barrier` is that of 32 warps
 * less their issue; `mask` is a third of what two paths take beyond their
 * instructions. */
#include <string.h>

#include "gridcast/cost.h"
#include "simt/cost/state.h"

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
    if (!g)
        return 0;
    return g->clock_mhz;
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

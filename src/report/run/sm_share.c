#include "report/run/sm_share.h"

#include "base/integers.h"

/* A unit that is not known counts as 1. */
static int64_t round_to_unit(int64_t v, int64_t unit)
{
    return unit > 0 ? round_up(v, unit) : v;
}

block_demand demand_of_block(const gcast_limits *limits, const gcast_block_shape *shape)
{
    int64_t warps = div_up(shape->threads, 32);
    int64_t smem = shape->static_smem + shape->dynamic_smem;
    if (smem > 0)
        smem = round_to_unit(smem + limits->smem_reserved, limits->smem_unit);
    return (block_demand){.threads = shape->threads,
                          .warps = warps,
                          .registers = warps * round_to_unit((int64_t)shape->registers * 32, limits->register_unit),
                          .smem = smem,
                          .barriers = shape->barriers > 0 ? shape->barriers : 1};
}

uint32_t share_of_block(const gcast_limits *limits, const gcast_block_shape *shape)
{
    block_demand d = demand_of_block(limits, shape);
    const struct {
        int64_t taken, per_sm;
    } resources[] = {
        {d.threads, limits->threads_per_sm},     {d.warps, limits->warps_per_sm}, {1, limits->blocks_per_sm},
        {d.registers, limits->registers_per_sm}, {d.smem, limits->smem_per_sm},   {d.barriers, limits->barriers_per_sm},
    };
    int64_t largest = 1;
    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        int64_t per_sm = resources[i].per_sm, taken = resources[i].taken;
        if (per_sm > 0)
            largest = max_i64(largest, taken >= per_sm ? SHARE_ALL : taken * SHARE_ALL / per_sm);
    }
    return (uint32_t)largest;
}

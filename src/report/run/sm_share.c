#include "report/run/sm_share.h"

static int64_t round_up(int64_t v, int64_t unit)
{
    return unit > 0 ? (v + unit - 1) / unit * unit : v;
}

uint32_t share_of_block(const gcast_limits *limits, const gcast_block_shape *shape)
{
    int64_t warps = ((int64_t)shape->threads + 31) / 32;
    int64_t smem = shape->static_smem + shape->dynamic_smem;
    if (smem > 0)
        smem = round_up(smem + limits->smem_reserved, limits->smem_unit);
    const struct {
        int64_t taken, whole;
    } resources[] = {
        {shape->threads, limits->threads_per_sm},
        {warps, limits->warps_per_sm},
        {1, limits->blocks_per_sm},
        {warps * round_up((int64_t)shape->registers * 32, limits->register_unit), limits->registers_per_sm},
        {smem, limits->smem_per_sm},
        {shape->barriers > 0 ? shape->barriers : 1, limits->barriers_per_sm},
    };
    int64_t largest = 1;
    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        int64_t whole = resources[i].whole, taken = resources[i].taken;
        if (whole <= 0)
            continue;
        int64_t share = taken >= whole ? SHARE_ALL : taken * SHARE_ALL / whole;
        if (share > largest)
            largest = share;
    }
    return (uint32_t)largest;
}

/* Is every field of a GPU in range? Paths are the JSON names of the fields. */
#include "gridcast/gpu.h"

typedef struct range {
    const char *path;
    int64_t value, lo, hi;
} range;

gcast_status gcast_gpu_check(const gcast_gpu *gpu, gcast_error *err)
{
    const gcast_limits *l = &gpu->limits;
    const int64_t big = 1 << 28, day = 86400ll * 1000000000;
    const range ranges[] = {
        {"/sms", gpu->sms, 1, GCAST_MAX_SMS},
        {"/sms_per_tpc", gpu->sms_per_tpc, 1, 16},
        {"/copy_engines", gpu->copy_engines, 1, 16},
        {"/connections", gpu->connections, 0, 1024},
        {"/priority_levels", gpu->priority_levels, 1, 64},
        {"/threads_per_sm", l->threads_per_sm, 1, big},
        {"/warps_per_sm", l->warps_per_sm, 1, big},
        {"/blocks_per_sm", l->blocks_per_sm, 1, 65535},
        {"/threads_per_block", l->threads_per_block, 1, big},
        {"/registers_per_sm", l->registers_per_sm, 1, big},
        {"/registers_per_block", l->registers_per_block, 1, big},
        {"/registers_per_thread", l->registers_per_thread, 1, 65535},
        {"/register_unit", l->register_unit, 1, 65536},
        {"/register_parts", l->register_parts, 1, 64},
        {"/smem_per_sm", l->smem_per_sm, 0, big},
        {"/smem_per_block", l->smem_per_block, 0, l->smem_per_sm},
        {"/smem_per_block_default", l->smem_per_block_default, 0, l->smem_per_sm},
        {"/smem_reserved", l->smem_reserved, 0, big},
        {"/smem_unit", l->smem_unit, 1, 65536},
        {"/barriers_per_sm", l->barriers_per_sm, 0, big},
        {"/resident_grids", l->resident_grids, 0, big},
        {"/launch_latency_ns", gpu->launch_latency_ns, 0, day},
        {"/copy_latency_ns", gpu->copy_latency_ns, 0, day},
        {"/stream_gap_ns", gpu->stream_gap_ns, 0, day},
        {"/handover_ns", gpu->handover_ns, 0, day},
        {"/h2d_bytes_per_s", gpu->h2d_bytes_per_s, 0, INT64_MAX},
        {"/d2h_bytes_per_s", gpu->d2h_bytes_per_s, 0, INT64_MAX},
        {"/d2d_bytes_per_s", gpu->d2d_bytes_per_s, 0, INT64_MAX},
        {"/memset_bytes_per_s", gpu->memset_bytes_per_s, 0, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const range *r = &ranges[i];
        if (r->value < r->lo || r->value > r->hi)
            return gcast_fail(err, GCAST_INPUT, r->path, "%lld is not between %lld and %lld", (long long)r->value,
                              (long long)r->lo, (long long)r->hi);
    }
    if (gpu->register_quarters && (l->registers_per_sm % GCAST_QUARTERS || l->warps_per_sm % GCAST_QUARTERS))
        return gcast_fail(err, GCAST_INPUT, "/register_quarters", "registers and warps of an SM must divide by 4");
    if ((gpu->tie_order == GCAST_TIES_LIST) != (gpu->tie_list != NULL))
        return gcast_fail(err, GCAST_INPUT, "/tie_order", "the list of SMs is missing");
    return GCAST_OK;
}

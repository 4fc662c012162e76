/* What one SM of each compute capability holds. One table, every number with
 * its source:
 *   guide    CUDA C++ Programming Guide, technical specifications per compute capability
 *   cccl     NVIDIA/cccl, libcudacxx, cuda/__device/arch_traits.h (6.0 to 12.1)
 *   header   CUDA 13.0 cuda_occupancy.h, compared with by tests/unit/test_occupancy_header.c
 *   xm       xmartlabs/cuda-calculator (3.5 to 8.6)
 *   query    deviceQuery output published for the part */
#include "gridcast/gpu.h"

#define K 1024
#define CARVE(...) .carveouts = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .carveout = {__VA_ARGS__}

/* cc, threads, blocks, regs/SM, regs/block, regs/thread, parts, smem/SM, smem/block, reserve, unit, barriers, grids */
#define ROW(maj, min, thr, blk, rsm, rblk, rthr, parts, ssm, sblk, rsv, unit, bar, grids, src, ...)                       \
    {.cc_major = maj, .cc_minor = min, .threads_per_sm = thr, .warps_per_sm = thr / 32, .blocks_per_sm = blk,             \
     .threads_per_block = 1024, .registers_per_sm = rsm, .registers_per_block = rblk, .registers_per_thread = rthr,       \
     .register_unit = 256, .register_parts = parts, .smem_per_sm = ssm, .smem_per_block = sblk,                           \
     .smem_per_block_default = 48 * K, .smem_reserved = rsv, .smem_unit = unit, .barriers_per_sm = bar,                   \
     .resident_grids = grids, .sources = src, CARVE(__VA_ARGS__)}

static const gcast_limits table[] = {
    ROW(3, 5, 2048, 16, 64 * K, 64 * K, 255, 4, 48 * K, 48 * K, 0, 256, 0, 32, "guide xm header", 16 * K, 32 * K, 48 * K),
    ROW(3, 7, 2048, 16, 128 * K, 64 * K, 255, 4, 112 * K, 48 * K, 0, 256, 0, 32, "guide xm header", 80 * K, 96 * K, 112 * K),
    ROW(5, 0, 2048, 32, 64 * K, 64 * K, 255, 4, 64 * K, 48 * K, 0, 256, 0, 32, "guide xm header", 64 * K),
    ROW(5, 2, 2048, 32, 64 * K, 64 * K, 255, 4, 96 * K, 48 * K, 0, 256, 0, 32, "guide xm header query", 96 * K),
    ROW(5, 3, 2048, 32, 64 * K, 32 * K, 255, 4, 64 * K, 48 * K, 0, 256, 0, 16, "guide xm header", 64 * K),
    ROW(6, 0, 2048, 32, 64 * K, 64 * K, 255, 2, 64 * K, 48 * K, 0, 256, 0, 128, "guide cccl xm header", 64 * K),
    ROW(6, 1, 2048, 32, 64 * K, 64 * K, 255, 4, 96 * K, 48 * K, 0, 256, 0, 32, "guide cccl xm header", 96 * K),
    ROW(6, 2, 2048, 32, 64 * K, 32 * K, 255, 4, 64 * K, 48 * K, 0, 256, 0, 16, "guide cccl xm header query", 64 * K),
    ROW(7, 0, 2048, 32, 64 * K, 64 * K, 255, 4, 96 * K, 96 * K, 0, 256, 0, 128, "guide cccl xm header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 96 * K),
    ROW(7, 2, 2048, 32, 64 * K, 64 * K, 255, 4, 96 * K, 96 * K, 0, 256, 0, 16, "guide xm header", 0, 8 * K, 16 * K, 32 * K,
        64 * K, 96 * K),
    ROW(7, 5, 1024, 16, 64 * K, 64 * K, 255, 4, 64 * K, 64 * K, 0, 256, 0, 128, "guide cccl xm header", 32 * K, 64 * K),
    ROW(8, 0, 2048, 32, 64 * K, 64 * K, 255, 4, 164 * K, 163 * K, K, 128, 0, 128, "guide cccl xm header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K),
    ROW(8, 6, 1536, 16, 64 * K, 64 * K, 255, 4, 100 * K, 99 * K, K, 128, 0, 128, "guide cccl xm header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K),
    ROW(8, 7, 1536, 16, 64 * K, 64 * K, 255, 4, 164 * K, 163 * K, K, 128, 0, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K),
    ROW(8, 8, 1536, 16, 64 * K, 64 * K, 255, 4, 100 * K, 99 * K, K, 128, 0, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K),
    ROW(8, 9, 1536, 24, 64 * K, 64 * K, 255, 4, 100 * K, 99 * K, K, 128, 0, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K),
    ROW(9, 0, 2048, 32, 64 * K, 64 * K, 255, 4, 228 * K, 227 * K, K, 128, 64, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K, 196 * K, 228 * K),
    ROW(10, 0, 2048, 32, 64 * K, 64 * K, 255, 4, 228 * K, 227 * K, K, 128, 64, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K, 196 * K, 228 * K),
    ROW(10, 3, 2048, 32, 64 * K, 64 * K, 255, 4, 228 * K, 227 * K, K, 128, 64, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K, 196 * K, 228 * K),
    ROW(11, 0, 1536, 24, 64 * K, 64 * K, 255, 4, 228 * K, 227 * K, K, 128, 24, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K, 132 * K, 164 * K, 196 * K, 228 * K),
    ROW(12, 0, 1536, 24, 64 * K, 64 * K, 255, 4, 100 * K, 99 * K, K, 128, 24, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K),
    ROW(12, 1, 1536, 24, 64 * K, 64 * K, 255, 4, 100 * K, 99 * K, K, 128, 24, 128, "guide cccl header", 0, 8 * K, 16 * K,
        32 * K, 64 * K, 100 * K),
};

const gcast_limits *gcast_limits_table(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const gcast_limits *gcast_limits_find(int cc_major, int cc_minor)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].cc_major == cc_major && table[i].cc_minor == cc_minor)
            return &table[i];
    return NULL;
}

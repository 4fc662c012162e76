/* The limits of an SM of each compute capability, in a table whose rows name their sources:
 *   guide    CUDA C++ Programming Guide, technical specifications per compute capability: 10.2 for 3.0, 11.7 for 3.5
 *            to 7.2, 13.0 for the rest
 *   cccl     NVIDIA/cccl, libcudacxx, cuda/__device/arch_traits.h (6.0 to 12.1)
 *   header   CUDA 13.0 cuda_occupancy.h; tests/unit/model/test_occupancy_header.c compares
 *   xm       xmartlabs/cuda-calculator (to 8.6)
 *   query    deviceQuery output published for a GPU of that capability
 * CUDA cores are the guide's (arithmetic instructions per SM and clock), as are textures, blocks and grids. Block
 * slots, register parts, units, carveouts and barriers are the header's. It lets a launch pass with 256 registers per
 * thread from 7.0 on, where guide and compiler stop at 255; and barriers limit only from 9.0 on. */
#include "gridcast/gpu.h"
#include "model/gpu.h"

#define K 1024

/* Shared-memory configurations, in KiB. */
#define CARVE(...) .carveouts = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .carveout = {__VA_ARGS__}
#define ONLY(k) CARVE(k *K)
#define KEPLER(k) CARVE((k - 32) * K, (k - 16) * K, k * K)
#define VOLTA CARVE(0, 8 * K, 16 * K, 32 * K, 64 * K, 96 * K)
#define TURING CARVE(32 * K, 64 * K)
#define SMALL CARVE(0, 8 * K, 16 * K, 32 * K, 64 * K, 100 * K)
#define AMPERE CARVE(0, 8 * K, 16 * K, 32 * K, 64 * K, 100 * K, 132 * K, 164 * K)
#define HOPPER CARVE(0, 8 * K, 16 * K, 32 * K, 64 * K, 100 * K, 132 * K, 164 * K, 196 * K, 228 * K)

#define ROW(major, minor, cores, threads, blocks, r_sm, r_block, r_thread, parts, s_sm, s_block, reserve, unit, bars,  \
            grids, config, origin)                                                                                     \
    {                                                                                                                  \
        .cc_major = major, .cc_minor = minor, .threads_per_sm = threads, .warps_per_sm = threads / 32,                 \
        .blocks_per_sm = blocks, .threads_per_block = 1024, .registers_per_sm = r_sm * K,                              \
        .registers_per_block = r_block * K, .registers_per_thread = r_thread,                                          \
        .register_check = r_thread + (major >= 7), .register_unit = 256, .register_parts = parts,                      \
        .smem_per_sm = s_sm * K, .smem_per_block = s_block * K, .smem_per_block_default = 48 * K,                      \
        .smem_reserved = reserve * K, .smem_unit = unit, .barriers_per_sm = bars, .resident_grids = grids,             \
        .cores_per_sm = cores, .block_x = 1024, .block_y = 1024, .block_z = 64, .grid_x = INT32_MAX, .grid_y = 65535,  \
        .grid_z = 65535, .texture_1d = (major >= 6 ? 128 : 64) * K, .texture_2d_width = (major >= 6 ? 128 : 64) * K,   \
        .texture_2d_height = 64 * K, .texture_3d = (major >= 6 ? 16 : 4) * K, .sources = origin, config                \
    }

/* clang-format off */
static const gcast_limits table[] = {
    /*  cc     cores                                              barriers
               |    threads    registers, K        smem, KiB      |
               |    |     blocks  block  parts     block   unit   |   grids */
    ROW( 3, 0, 192, 2048, 16,  64, 64,  63, 4,  48,  48, 0, 256,  0,  16, KEPLER(48),  "guide xm query"),
    ROW( 3, 5, 192, 2048, 16,  64, 64, 255, 4,  48,  48, 0, 256,  0,  32, KEPLER(48),  "guide xm header"),
    ROW( 3, 7, 192, 2048, 16, 128, 64, 255, 4, 112,  48, 0, 256,  0,  32, KEPLER(112), "guide xm header"),
    ROW( 5, 0, 128, 2048, 32,  64, 64, 255, 4,  64,  48, 0, 256,  0,  32, ONLY(64),    "guide xm header"),
    ROW( 5, 2, 128, 2048, 32,  64, 64, 255, 4,  96,  48, 0, 256,  0,  32, ONLY(96),    "guide xm header query"),
    ROW( 5, 3, 128, 2048, 32,  64, 32, 255, 4,  64,  48, 0, 256,  0,  16, ONLY(64),    "guide xm header"),
    ROW( 6, 0,  64, 2048, 32,  64, 64, 255, 2,  64,  48, 0, 256,  0, 128, ONLY(64),    "guide cccl xm header"),
    ROW( 6, 1, 128, 2048, 32,  64, 64, 255, 4,  96,  48, 0, 256,  0,  32, ONLY(96),    "guide cccl xm header"),
    ROW( 6, 2, 128, 2048, 32,  64, 32, 255, 4,  64,  48, 0, 256,  0,  16, ONLY(64),    "guide cccl xm header query"),
    ROW( 7, 0,  64, 2048, 32,  64, 64, 255, 4,  96,  96, 0, 256,  0, 128, VOLTA,       "guide cccl xm header"),
    ROW( 7, 2,  64, 2048, 32,  64, 64, 255, 4,  96,  96, 0, 256,  0,  16, VOLTA,       "guide xm header"),
    ROW( 7, 5,  64, 1024, 16,  64, 64, 255, 4,  64,  64, 0, 256,  0, 128, TURING,      "guide cccl xm header"),
    ROW( 8, 0,  64, 2048, 32,  64, 64, 255, 4, 164, 163, 1, 128,  0, 128, AMPERE,      "guide cccl xm header"),
    ROW( 8, 6, 128, 1536, 16,  64, 64, 255, 4, 100,  99, 1, 128,  0, 128, SMALL,       "guide cccl xm header"),
    ROW( 8, 7, 128, 1536, 16,  64, 64, 255, 4, 164, 163, 1, 128,  0, 128, AMPERE,      "guide cccl header"),
    ROW( 8, 8,   0, 1536, 16,  64, 64, 255, 4, 100,  99, 1, 128,  0, 128, SMALL,       "guide cccl header"),
    ROW( 8, 9, 128, 1536, 24,  64, 64, 255, 4, 100,  99, 1, 128,  0, 128, SMALL,       "guide cccl header"),
    ROW( 9, 0, 128, 2048, 32,  64, 64, 255, 4, 228, 227, 1, 128, 64, 128, HOPPER,      "guide cccl header"),
    ROW(10, 0, 128, 2048, 32,  64, 64, 255, 4, 228, 227, 1, 128, 64, 128, HOPPER,      "guide cccl header"),
    ROW(10, 1, 128, 1536, 24,  64, 64, 255, 4, 228, 227, 1, 128, 24, 128, HOPPER,      "guide cccl header of 11.0"), /* CUDA 12's name of 11.0 */
    ROW(10, 3, 128, 2048, 32,  64, 64, 255, 4, 228, 227, 1, 128, 64, 128, HOPPER,      "guide cccl header"),
    ROW(11, 0, 128, 1536, 24,  64, 64, 255, 4, 228, 227, 1, 128, 24, 128, HOPPER,      "guide cccl header"),
    ROW(12, 0, 128, 1536, 24,  64, 64, 255, 4, 100,  99, 1, 128, 24, 128, SMALL,       "guide cccl header"),
    ROW(12, 1, 128, 1536, 24,  64, 64, 255, 4, 100,  99, 1, 128, 24, 128, SMALL,       "guide cccl header"),
};
/* clang-format on */

const gcast_limits *gcast_limits_table(size_t *count)
{
    if (!count)
        return NULL;
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

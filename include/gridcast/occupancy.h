/* How many blocks of a kernel an SM holds, and what limits them: NVIDIA's
 * occupancy calculation. */
#ifndef GRIDCAST_OCCUPANCY_H
#define GRIDCAST_OCCUPANCY_H

#include <stdint.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"

GCAST_BEGIN_DECLS

/* Resources of an SM: name. The order decides only the bits of limited_by. */
#define GCAST_RESOURCE_TABLE(X)                                                                                        \
    X(THREADS, "threads")                                                                                              \
    X(WARPS, "warps")                                                                                                  \
    X(BLOCKS, "blocks")                                                                                                \
    X(REGISTERS, "registers")                                                                                          \
    X(SHARED_MEMORY, "shared_memory")                                                                                  \
    X(BARRIERS, "barriers")

typedef enum {
#define GCAST_X(id, name) GCAST_RES_##id,
    GCAST_RESOURCE_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_RESOURCES
} gcast_resource;

typedef struct gcast_block_shape {
    int threads;                       /* per block */
    int registers;                     /* per thread; 0: none */
    int64_t static_smem, dynamic_smem; /* above 48 KiB together: the kernel has opted in */
    int barriers;                      /* named barriers per block; 0 counts as 1 */
} gcast_block_shape;

#define GCAST_CARVEOUT_DEFAULT (-1) /* the driver's choice, which never limits: counted as the SM's maximum */

#define GCAST_WARP 32 /* lanes of a warp, also of a partly filled one */

typedef struct gcast_occupancy {
    int blocks_per_sm;          /* 0: the kernel cannot launch */
    unsigned limited_by;        /* bits 1 << gcast_resource of those that allow no more blocks */
    int warps_per_sm;           /* resident warps with blocks_per_sm blocks */
    int max_warps;              /* maximum of the SM */
    int idle_lanes;             /* of each block: lanes of its last warp that no thread has */
    int limit[GCAST_RESOURCES]; /* blocks each resource alone allows; INT_MAX: no limit */
    int registers_per_block;    /* as allocated */
    int64_t smem_per_block;     /* as allocated, reserve and rounding included */
    int64_t smem_config;        /* shared memory of the SM in this configuration */
    char reason[160];           /* why it cannot launch; "" where it can */
} gcast_occupancy;

/* carveout: GCAST_CARVEOUT_DEFAULT, or percent 0 to 100 of the SM's maximum
 * preferred for shared memory, as cudaFuncAttributePreferredSharedMemoryCarveout. */
GCAST_API gcast_status gcast_occupancy_compute(const gcast_limits *limits, const gcast_block_shape *shape, int carveout,
                                               gcast_occupancy *out, gcast_error *err);

/* How many clusters of so many blocks run at a time on an idle GPU whose GPCs are known, as
 * cudaOccupancyMaxActiveClusters says. */
GCAST_API gcast_status gcast_occupancy_clusters(const gcast_gpu *gpu, const gcast_block_shape *shape, int carveout,
                                                int cluster, int64_t *clusters, gcast_error *err);

GCAST_END_DECLS

#endif

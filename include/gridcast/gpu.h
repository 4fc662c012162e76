/* A GPU as its block scheduler sees it: how many SMs, what an SM holds, which
 * SM the next block goes to, and how long hand-overs take. */
#ifndef GRIDCAST_GPU_H
#define GRIDCAST_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/api.h"
#include "gridcast/error.h"

GCAST_BEGIN_DECLS

#define GCAST_MAX_SMS 4096
#define GCAST_MAX_CARVEOUTS 16
#define GCAST_QUARTERS 4

/* Which of the SMs that fit the next block gets it: name, text.
 * Ties go to the SM that comes first in the GPU's tie order. */
#define GCAST_PLACEMENT_TABLE(X)                                                                                       \
    X(MOST_ROOM, "most_room", "room for the most further blocks of the kernel")                                        \
    X(ROUND_ROBIN, "round_robin", "the next SM in tie order after the last one")                                       \
    X(MOST_THREADS, "most_threads", "most free threads")                                                               \
    X(FEWEST_BLOCKS, "fewest_blocks", "fewest resident blocks")                                                        \
    X(LEAST_ROOM, "least_room", "room for the fewest further blocks (best fit)")                                       \
    X(FIRST_FIT, "first_fit", "the first in tie order")

typedef enum {
#define GCAST_X(id, name, text) GCAST_PLACE_##id,
    GCAST_PLACEMENT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_PLACEMENTS
} gcast_placement;

/* The order in which SMs win ties: name, text. */
#define GCAST_TIES_TABLE(X)                                                                                            \
    X(ASCENDING, "ascending", "0, 1, 2, ...")                                                                          \
    X(DESCENDING, "descending", "n-1, n-2, ..., 0")                                                                    \
    X(EVEN_ODD, "even_odd", "even SMs ascending, then odd ascending")                                                  \
    X(LIST, "list", "as the GPU file lists them")

typedef enum {
#define GCAST_X(id, name, text) GCAST_TIES_##id,
    GCAST_TIES_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_TIE_ORDERS
} gcast_tie_order;

/* What one SM of a compute capability holds. Sizes in bytes, registers in
 * 32-bit registers. */
typedef struct gcast_limits {
    int cc_major, cc_minor;
    int threads_per_sm, warps_per_sm, blocks_per_sm, threads_per_block;
    int registers_per_sm, registers_per_block, registers_per_thread;
    int register_check; /* maximum registers per thread that a launch accepts */
    int register_unit;  /* registers of a warp are rounded up to this */
    int register_parts; /* sub-partitions of an SM's register file */
    int smem_per_sm;
    int smem_per_block;         /* largest with opt-in */
    int smem_per_block_default; /* largest without opt-in */
    int smem_reserved;          /* shared memory that the system takes per block */
    int smem_unit;
    int barriers_per_sm;               /* named barriers; 0: they never limit */
    int resident_grids;                /* kernels resident on the whole GPU */
    int carveouts;                     /* number of entries in carveout[] */
    int carveout[GCAST_MAX_CARVEOUTS]; /* shared-memory configurations, ascending */
    /* As deviceQuery prints it; nothing is computed from these. */
    int cores_per_sm;                                                /* CUDA cores; 0: not known */
    int block_x, block_y, block_z, grid_x, grid_y, grid_z;           /* what a block and a grid may be */
    int texture_1d, texture_2d_width, texture_2d_height, texture_3d; /* what a texture may be; a cube in 3D */
    const char *sources;                                             /* where the row is from */
} gcast_limits;
/* All compute capabilities, ascending; *count of them. */
GCAST_API const gcast_limits *gcast_limits_table(size_t *count);
/* One of them, or NULL. */
GCAST_API const gcast_limits *gcast_limits_find(int cc_major, int cc_minor);

typedef struct gcast_source {
    const char *fields; /* the fields of the GPU that it is the source of */
    const char *text;   /* where they are from */
} gcast_source;

#define GCAST_MAX_QUANTILES 16

/* Of `one_in` calls one takes longer than this. */
typedef struct gcast_quantile {
    int64_t one_in;
    int64_t ns;
} gcast_quantile;

/* How long calls of one kind took to reach their stream's queue, as measured. */
typedef struct gcast_latency {
    int64_t samples;                              /* calls that were measured; 0: none, and all else is 0 */
    int64_t min_ns;                               /* the least of them */
    int64_t max_ns;                               /* the longest of them */
    int count;                                    /* number of entries in quantile[] */
    gcast_quantile quantile[GCAST_MAX_QUANTILES]; /* the rarer, the later; none is beyond max_ns */
} gcast_latency;

typedef struct gcast_gpu {
    const char *name;  /* "tx2" */
    const char *title; /* "NVIDIA Jetson TX2" */
    gcast_limits limits;
    int sms;
    int sms_per_tpc; /* SMs that share a bit of an SM mask */
    int copy_engines;
    int copy_channels;      /* queues per copy engine, which streams share; 0: one for all copies */
    int connections;        /* hardware queues to the execution engine; 0: one per stream */
    int priority_levels;    /* 1: all streams are equal; 6: priorities 0 down to -5 */
    bool register_quarters; /* registers and warp slots belong to quarters of an SM */
    gcast_placement placement;
    gcast_tie_order tie_order;
    const int *tie_list;          /* `sms` entries where tie_order is LIST, else NULL */
    int64_t launch_latency_ns;    /* host call to kernel in its stream's queue, as it usually is */
    int64_t copy_latency_ns;      /* host call to a copy or memset in its stream's queue, as it usually is */
    int64_t h2d_overhead_ns;      /* fixed time of a copy to the device, besides its bytes over the bandwidth */
    int64_t d2h_overhead_ns;      /* fixed time of a copy to the host */
    int copy_duplex_percent;      /* speed of a copy while another goes the other way, in percent */
    int64_t copy_gap_ns;          /* end of a copy to the start of the next on its engine */
    int64_t copy_idle_ns;         /* time without calls after which a copy takes longer (0: never) ... */
    int64_t copy_wake_ns;         /* ... by this much */
    int64_t d2h_start_ns;         /* how much later a copy to the host starts beside one to the device */
    int64_t d2h_end_ns;           /* how much later it ends if a copy to the device runs at its end */
    int64_t stream_gap_ns;        /* end of an operation to the next of its stream */
    int64_t event_gap_ns;         /* end of an operation to one after it in another stream; 0: as stream_gap_ns */
    int64_t programmatic_gap_ns;  /* last trigger of a kernel to a programmatic one behind it; 0: as stream_gap_ns */
    int64_t programmatic_wait_ns; /* end of a kernel to the return of waits of such a one; 0: as stream_gap_ns */
    int programmatic_depth;       /* kernels of a stream that may overlap by this; 0: not known, 8 is assumed */
    int64_t handover_ns;          /* end of a block to the next use of its resources */
    int64_t noise_ns;             /* maximum scatter of block times; 0: not known */
    int64_t launch_noise_ns;      /* maximum scatter of the latencies of launches and copies; 0: not known */
    int64_t switch_ns;            /* last block start of a kernel to the first of the next */
    int64_t turn_ns;              /* time between kernels that enter from different connections of a half; 0: none */
    int64_t wake_ns;              /* sleeping warps wake when the GPU's clock is a multiple of this; 0: not known */
    int64_t
        look_step_ns; /* step of the release order: time between ends on one SM that are seen in turn; 0: all at once */
    const int *reach_ns;     /* by SM: how much later its block ends are seen than on the nearest; NULL: 0 everywhere */
    int starving_warps;      /* a block starves beside this many older warps that spin on its SM; 0: never */
    int64_t starved_ns;      /* maximum time that starving adds to a block */
    int64_t retreat_ns;      /* a worker of a plan that finds no job lasts this long */
    int64_t job_overhead_ns; /* of a worker, before each of its jobs */
    /* CUDA graphs */
    int64_t graph_latency_ns;     /* host call to a launch in its stream's queue; 0: as launch_latency_ns ... */
    int64_t graph_node_ns;        /* ... later by this for each of its nodes ... */
    int64_t graph_root_ns;        /* ... and each further root by this after the root before it */
    int64_t graph_gap_ns;         /* end of a node to a node after it; 0: as stream_gap_ns */
    int64_t graph_step_ns;        /* between nodes after the same node */
    int64_t graph_trigger_gap_ns; /* last trigger of a node to one after it by `programmatic`; 0: as graph_gap_ns */
    int64_t graph_start_gap_ns;   /* last block start to one after it by `launch_completion`; 0: as graph_gap_ns */
    int64_t graph_copy_gap_ns;    /* between a copy between host and device and another node; 0: as event_gap_ns */
    int64_t graph_wait_ns;        /* end of a node to blocks that waited for it; 0: as programmatic_wait_ns */
    int graph_wide;               /* this many successors of a node, or more, enter in reverse order; 0: never ... */
    int64_t graph_wide_ns;        /* ... later by this ... */
    int64_t graph_wide_step_ns;   /* ... and with this between them */
    /* Kernels that launch kernels */
    int64_t child_launch_ns;       /* b: from the calls of a warp to its children in their streams' queues ... */
    int64_t child_step_ns;         /* ... and A: later by this for each launch of the warp at that time */
    int64_t child_call_ns;         /* time that launches block their warp ... */
    int64_t child_call_step_ns;    /* ... and longer by this for each of them */
    int64_t child_call_service_ns; /* time of each launch on the path that all launches of the GPU share */
    int64_t child_refused_ns;      /* time that a refused launch blocks its warp */
    int64_t child_service_ns;      /* least time between two children that end their overhead, on the whole GPU */
    int64_t child_end_ns;          /* end of a child until it is complete */
    int child_pool;                /* maximum number of pending children; 0: no maximum */
    int child_pool_grows;          /* 1: further children wait for a place; 0: their launch is refused */
    int child_queues;              /* hardware queues of children, which hold theirs until they are complete; 0: none */
    int child_forget;              /* 1: children with streams of their own need no hardware queue (fire and forget) */
    int child_level;               /* EE queue of children: 0 of their parent's level, 1 the highest, 2 of priority 0 */
    int child_sync;                /* 1: a block may wait for its children (CDP1) */
    int64_t spawn_window_ns;       /* window of the averages of the SPAWN controller */
    int copy_slow_percent; /* longest time of a copy between host and device for its bytes, percent of the usual one */
    int64_t h2d_bytes_per_s, d2h_bytes_per_s, d2d_bytes_per_s, memset_bytes_per_s; /* 0: not known */
    int64_t memory_bytes;           /* of the GPU, for cudaMalloc; 0: not known */
    int64_t l2_bytes;               /* L2 cache; 0: not known; nothing is computed from this */
    int clock_mhz;                  /* highest clock of the SMs; 0: not known; nor from this */
    gcast_latency launch_quantiles; /* variation of launch_latency_ns */
    gcast_latency copy_quantiles;   /* variation of copy_latency_ns */
    int gpc_count;                  /* GPCs; 0: not known which SMs share one, and then there are no clusters */
    const int *gpc_sizes;           /* by GPC: number of its SMs; those of a partition only */
    const int *gpc_sms; /* the SMs of the first GPC, then those of the next, ...; each as a GPC fills them */
    const gcast_source *sources;
    size_t source_count;
    void *memory; /* the library's own */
} gcast_gpu;

/* Where the value of a field is from: name. */
#define GCAST_ORIGIN_TABLE(X)                                                                                          \
    X(SOURCE, "source")       /* the GPU gives a source for it */                                                      \
    X(ASSUMED, "assumed")     /* its source says that it is taken from another GPU, or from a data sheet */            \
    X(NOT_KNOWN, "not known") /* nobody has measured it on this GPU: it is left at its default */                      \
    X(GIVEN, "given")         /* without a source, by whoever described the GPU */                                     \
    X(CC, "cc")               /* that of all GPUs of the compute capability */

typedef enum {
#define GCAST_X(id, name) GCAST_ORIGIN_##id,
    GCAST_ORIGIN_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_ORIGINS
} gcast_origin;

/* A GPU with the limits of a compute capability, `sms` SMs and no latencies. GCAST_INPUT where the capability is
 * unknown. *gpu is NULL where this fails, here and in the next. */
GCAST_API gcast_status gcast_gpu_create(const char *name, int cc_major, int cc_minor, int sms, gcast_gpu **gpu,
                                        gcast_error *err);
/* Deep copy. */
GCAST_API gcast_status gcast_gpu_copy(const gcast_gpu *from, gcast_gpu **gpu, gcast_error *err);
GCAST_API void gcast_gpu_free(gcast_gpu *gpu);
/* Give the tie order as a list; n must be gpu->sms, each SM once. */
GCAST_API gcast_status gcast_gpu_set_tie_list(gcast_gpu *gpu, const int *list, int n, gcast_error *err);
/* Sets reach_ns; n must be gpu->sms. */
GCAST_API gcast_status gcast_gpu_set_reach(gcast_gpu *gpu, const int *list, int n, gcast_error *err);
/* Sets the GPCs: as many SMs each as sizes[] says, their numbers GPC by GPC in list[]; each SM once. */
GCAST_API gcast_status gcast_gpu_set_gpcs(gcast_gpu *gpu, const int *sizes, int gpcs, const int *list,
                                          gcast_error *err);
/* Every field in range and consistent? Paths in errors are JSON names of fields. */
GCAST_API gcast_status gcast_gpu_check(const gcast_gpu *gpu, gcast_error *err);
/* Keep SMs 0 to n-1 only (a partition); they win ties in the order that they had. */
GCAST_API gcast_status gcast_gpu_partition(gcast_gpu *gpu, int sms, gcast_error *err);

/* Where the value of a field is from; `field` is its name in gridcast.gpu/1. Of a GPU without sources all are given. */
GCAST_API gcast_origin gcast_gpu_origin(const gcast_gpu *gpu, const char *field);
/* Is the value of the field one that nobody has measured on this GPU: assumed, or not known? */
GCAST_API bool gcast_gpu_assumes(const gcast_gpu *gpu, const char *field);

/* The names of the built-in presets; NULL: there is none with this number. */
GCAST_API const char *gcast_preset_name(size_t i);

GCAST_END_DECLS

#endif

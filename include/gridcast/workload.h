/* A workload: streams, and what host threads ask of them.
 *
 * Built once, with the calls below or by a reader, then read-only. All text and
 * arrays given are copied; everything is freed with gcast_workload_free.
 * docs/model.md describes their behaviour. */
#ifndef GRIDCAST_WORKLOAD_H
#define GRIDCAST_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/launches.h"
#include "gridcast/occupancy.h"
#include "gridcast/plan.h"

GCAST_BEGIN_DECLS

/* Kinds of operation: name, does it run on the GPU, text. */
#define GCAST_KIND_TABLE(X)                                                                                            \
    X(KERNEL, "kernel", true, "blocks on SMs")                                                                         \
    X(COPY, "copy", true, "bytes through a copy engine")                                                               \
    X(MEMSET, "memset", true, "device memory set by a copy engine")                                                    \
    X(MALLOC, "malloc", false, "device memory is allocated; takes no time here")                                       \
    X(FREE, "free", false, "cudaFree: the host waits for the GPU; other calls wait for cudaFree")                      \
    X(SYNC, "sync", false, "the host waits for a stream or the device")                                                \
    X(BARRIER, "barrier", false, "host threads wait for each other")

typedef enum {
#define GCAST_X(id, name, gpu, text) GCAST_KIND_##id,
    GCAST_KIND_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_KINDS
} gcast_kind;

#define GCAST_DIRECTION_TABLE(X) X(H2D, "h2d") X(D2H, "d2h") X(D2D, "d2d")

typedef enum {
#define GCAST_X(id, name) GCAST_##id,
    GCAST_DIRECTION_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_DIRECTIONS
} gcast_direction;

/* What runs a kernel's blocks on a real GPU. */
#define GCAST_BODY_TABLE(X)                                                                                            \
    X(SPIN, "spin", "one thread keeps the time")                                                                       \
    X(TIMER_SPIN, "timer_spin", "every thread spins")

typedef enum {
#define GCAST_X(id, name, text) GCAST_BODY_##id,
    GCAST_BODY_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_BODIES
} gcast_body;

/* The shared memory that a kernel prefers its SMs to have. */
#define GCAST_OP_CARVEOUT_TABLE(X)                                                                                     \
    X(MOST, "most", "cudaFuncAttributePreferredSharedMemoryCarveout is 100, as measure sets it")                       \
    X(DRIVER, "driver", "CUDA's default attributes: the driver chooses")

typedef enum {
#define GCAST_X(id, name, text) GCAST_OP_CARVEOUT_##id,
    GCAST_OP_CARVEOUT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_OP_CARVEOUTS
} gcast_op_carveout;

/* Who decides which SM does which part of a kernel's work. */
#define GCAST_POLICY_TABLE(X)                                                                                          \
    X(HARDWARE, "hardware", "the GPU: each block starts where there is room")                                          \
    X(PERSISTENT, "persistent", "workers on any SM take the next job of one queue")                                    \
    X(SM_CENTRIC, "sm_centric", "workers stay on the SMs of a plan and do the jobs that it assigns to these SMs")

typedef enum {
#define GCAST_X(id, name, text) GCAST_POLICY_##id,
    GCAST_POLICY_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_POLICIES
} gcast_policy;

/* When what is after an operation may start: edges of CUDA graphs. */
#define GCAST_PORT_TABLE(X)                                                                                            \
    X(FULL, "full", "when it is complete")                                                                             \
    X(PROGRAMMATIC, "programmatic", "when all its blocks have triggered or ended")                                     \
    X(LAUNCH_COMPLETION, "launch_completion", "when all its blocks have started")

typedef enum {
#define GCAST_X(id, name, text) GCAST_PORT_##id,
    GCAST_PORT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_PORTS
} gcast_port;

typedef struct gcast_stream {
    int id;              /* as in the file; 0 is the NULL stream */
    int priority;        /* CUDA's: lower numbers first, 0 the lowest */
    bool blocking;       /* takes part in N1 and N2; the NULL stream always does */
    bool blocking_given; /* the workload says `blocking`; else it is assumed */
    int process;         /* 0 unless the workload names processes */
} gcast_stream;

#define GCAST_NO_HOST (-1)
#define GCAST_NO_GRAPH (-1)
#define GCAST_ALL_SMS (-1)
#define GCAST_ONCE (-1)
#define GCAST_NEVER INT64_MAX
#define GCAST_UNKNOWN_NS (-1)

typedef struct gcast_op {
    gcast_kind kind;
    const char *label;
    int stream;             /* index in streams[]; -1 for malloc, barrier and a device sync */
    int host;               /* index in hosts[], or GCAST_NO_HOST: called at release_ns whatever else happens */
    int task;               /* index in tasks[], or GCAST_ONCE */
    int64_t release_ns;     /* earliest call; for a task's op: after the job's release */
    int64_t delay_ns;       /* with a host: minimum time from the return of its previous call */
    int64_t event_pause_ns; /* so much of delay_ns goes to events, which would not be there with one stream */
    int64_t skip_ns; /* if due at or after this time, it and the following calls of its host are skipped; GCAST_NEVER */
    bool host_waits; /* the call returns only when the operation is complete */
    int64_t extra_latency_ns; /* how much longer than the GPU says the call takes to reach its stream's queue */
    /* Indices in ops[] of the ops that it is after, of the same task and job or of those that run once: it enters its
     * engine's queue when those of them are complete that were called before it (events of CUDA). */
    const uint32_t *after;
    size_t after_count;
    const gcast_port *ports; /* of each that it is after; NULL: all full. Others only between kernels of one graph */
    /* The launch of a CUDA graph that it is a node of, in graphs[], or GCAST_NO_GRAPH. The nodes of a launch are
     * consecutive ops of one stream; among each other they have no order but `after`. */
    int graph;
    /* kernels */
    uint32_t grid[3], block[3];
    uint64_t blocks;         /* product of grid (filled in) */
    gcast_block_shape shape; /* threads is the product of block (filled in) */
    gcast_body body;
    gcast_op_carveout carveout;
    bool carveout_given;     /* the workload says `carveout`; else it is assumed */
    bool registers_given;    /* the workload says `shape.registers`; else 0 there means: not known */
    int mask;                /* index in masks[], or GCAST_ALL_SMS */
    const int64_t *block_ns; /* duration of each block, or NULL */
    gcast_policy policy;
    const gcast_plan *plan;         /* of persistent and sm_centric: whose jobs are the blocks; else NULL */
    uint32_t fill;                  /* of these: workers launched per SM; 0: as many as an SM holds */
    const gcast_launches *launches; /* kernels that its threads launch, or NULL */
    uint32_t cluster[3];            /* blocks of a cluster, which start together; {1, 1, 1}: none */
    bool cooperative;               /* launched only if all its blocks can be resident at once */
    bool programmatic;              /* it may start when the kernel before it in its stream has triggered */
    int64_t trigger_ns;             /* so long after its start a block lets those start; GCAST_NEVER: with its end */
    int64_t wait_ns; /* so long after its start a block waits: for what it is programmatically after, and for blocks of
                      * waits_for. The rest of its duration comes after that. GCAST_NEVER: it does not wait */
    const uint32_t *waits_for; /* indices in ops[] of kernels all of whose blocks must have started by then */
    size_t waits_for_count;
    /* duration of a block of a kernel, or of a copy. GCAST_UNKNOWN_NS (copies): bytes over the
     * GPU's bandwidth. */
    int64_t min_ns, max_ns;
    /* copies and memsets; bytes of mallocs too */
    gcast_direction direction;
    int64_t bytes;
    bool host_memory; /* malloc and free: page-locked memory of the host, which takes none of the GPU's */
    /* barriers: all ops with this number wait for each other */
    int barrier;
} gcast_op;

typedef struct gcast_task {
    const char *name;
    int stream; /* of its ops that name no other */
    int64_t period_ns, deadline_ns, offset_ns, jitter_ns;
    bool sporadic; /* period_ns is the minimum distance of two releases, and offset_ns the first time of one */
    size_t first_op, op_count; /* its ops are consecutive in ops[] */
} gcast_task;

/* SMs an op may use: bit i of word[i / 64]. */
typedef struct gcast_mask {
    uint64_t word[GCAST_MAX_SMS / 64];
} gcast_mask;

typedef struct gcast_workload {
    const char *name;
    const char *source;   /* the file it came from, or "" */
    const gcast_gpu *gpu; /* the one the file names; NULL: none named */
    int partition_sms;    /* 0: the whole GPU */
    int connections;      /* -1: the GPU's; 0: one per stream */
    const gcast_stream *streams;
    size_t stream_count;
    const char *const *hosts; /* names of host threads */
    size_t host_count;
    const gcast_op *ops; /* ops that run once first, then each task's */
    size_t op_count;
    size_t once_count;  /* how many of them run once */
    size_t child_count; /* kernels that kernels launch: they are behind the ops, at ops[op_count + i] */
    const gcast_task *tasks;
    size_t task_count;
    const gcast_mask *masks;
    size_t mask_count;
    const char *const *graphs; /* names of launches of graphs */
    size_t graph_count;
    const char *const *notes; /* what the reader could not carry over */
    size_t note_count;
    void *memory;
} gcast_workload;

/* *w is NULL where this fails, here and in the next. */
GCAST_API gcast_status gcast_workload_create(const char *name, gcast_workload **w, gcast_error *err);
/* Deep copy. */
GCAST_API gcast_status gcast_workload_copy(const gcast_workload *from, gcast_workload **w, gcast_error *err);
GCAST_API void gcast_workload_free(gcast_workload *w);

/* *index (may be NULL) is where it is in streams[], hosts[] and so on; where this fails it is untouched. */
GCAST_API gcast_status gcast_workload_add_stream(gcast_workload *w, const gcast_stream *stream, int *index,
                                                 gcast_error *err);
/* The stream with this id; added as non-blocking, priority 0 (id 0: blocking) where it is not there. */
GCAST_API gcast_status gcast_workload_get_stream(gcast_workload *w, int id, int *index, gcast_error *err);
GCAST_API gcast_status gcast_workload_add_host(gcast_workload *w, const char *name, int *index, gcast_error *err);
GCAST_API gcast_status gcast_workload_add_graph(gcast_workload *w, const char *name, int *index, gcast_error *err);
GCAST_API gcast_status gcast_workload_add_mask(gcast_workload *w, const gcast_mask *mask, int *index, gcast_error *err);
/* Ops that run once must all be added before the first task. The op's block_ns,
 * where given, has grid[0]*grid[1]*grid[2] entries. What it is after may be added later. */
GCAST_API gcast_status gcast_workload_add_op(gcast_workload *w, const gcast_op *op, int *index, gcast_error *err);
/* Ops added from here to the next add_task belong to this task. */
GCAST_API gcast_status gcast_workload_add_task(gcast_workload *w, const gcast_task *task, int *index, gcast_error *err);
/* What could not be carried over into the workload, in words: deadlines are met only if it makes nothing later. */
GCAST_API gcast_status gcast_workload_add_note(gcast_workload *w, const char *note, gcast_error *err);
/* Takes over `gpu`. */
GCAST_API void gcast_workload_set_gpu(gcast_workload *w, gcast_gpu *gpu);
GCAST_API void gcast_workload_set_partition(gcast_workload *w, int sms);
GCAST_API void gcast_workload_set_connections(gcast_workload *w, int connections);
/* Sets the duration of every op with this label; returns their number. */
GCAST_API size_t gcast_workload_set_duration(gcast_workload *w, const char *label, int64_t ns);

/* An op with every field at its default. */
GCAST_API gcast_op gcast_op_default(gcast_kind kind);

/* Is all of it in range by itself (not yet on a GPU)? Paths are those of gridcast.workload/1. */
GCAST_API gcast_status gcast_workload_check(const gcast_workload *w, gcast_error *err);
/* Least common multiple of the periods; false: there is none, or it overflows. */
GCAST_API bool gcast_workload_hyperperiod(const gcast_workload *w, int64_t *ns);

GCAST_END_DECLS

#endif

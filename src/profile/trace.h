/* The contents of a profile of a CUDA program, whichever profiler wrote it: threads and their calls, streams and their
 * operations, events, ranges, graphs and GPUs.
 *
 * A reader creates a trace, adds entries in any order, and calls prof_trace_finish. From then on the trace is
 * read-only: calls and operations are sorted and refer to each other by index. A value that the profile lacks is
 * PROF_NONE (an index), PROF_UNKNOWN (a number) or NULL (a text); nothing is guessed here. Missing, doubtful or
 * ambiguous data becomes a finding. Times are nanoseconds on one clock for host and GPU. */
#ifndef PROFILE_TRACE_H
#define PROFILE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "gridcast/workload.h"

#define PROF_NONE UINT32_MAX /* no index */
#define PROF_UNKNOWN (-1)    /* a number that is not in the profile */

/* Kinds of calls: identifier, name. */
#define PROF_CALL_TABLE(X)                                                                                             \
    X(LAUNCH, "launch")                                                                                                \
    X(COPY, "copy")                                                                                                    \
    X(MEMSET, "memset")                                                                                                \
    X(GRAPH_LAUNCH, "graph launch")                                                                                    \
    X(STREAM_SYNC, "stream sync")                                                                                      \
    X(DEVICE_SYNC, "device sync")                                                                                      \
    X(EVENT_SYNC, "event sync")                                                                                        \
    X(EVENT_RECORD, "event record")                                                                                    \
    X(STREAM_WAIT, "stream wait event")                                                                                \
    X(MALLOC, "malloc")                                                                                                \
    X(FREE, "free")                                                                                                    \
    X(OTHER, "other")

typedef enum {
#define X(id, name) PROF_CALL_##id,
    PROF_CALL_TABLE(X)
#undef X
        PROF_CALL_KINDS
} prof_call_kind;

/* How a stream was created. */
typedef enum {
    PROF_STREAM_UNKNOWN,
    PROF_STREAM_NULL,         /* the legacy default stream of its context */
    PROF_STREAM_BLOCKING,     /* cudaStreamCreate */
    PROF_STREAM_NON_BLOCKING, /* cudaStreamNonBlocking */
} prof_stream_kind;

/* Who made a range. */
typedef enum {
    PROF_RANGE_NVTX, /* pushed and popped by a thread, or started and ended by any threads (thread PROF_NONE) */
    PROF_RANGE_STEP, /* a step of a profiler's schedule: ProfilerStep#N */
    PROF_RANGE_USER, /* an annotation of the framework */
} prof_range_kind;

/* A GPU that the profile describes. Numbers that the profile lacks are 0. */
typedef struct prof_gpu {
    int64_t device;           /* its number in the profile */
    const char *name;         /* the driver's name for it; NULL: unknown */
    int sms;                  /* multiprocessors */
    int cc_major, cc_minor;   /* compute capability */
    int threads_per_sm;       /* maximum of resident threads */
    int blocks_per_sm;        /* maximum of resident blocks */
    int64_t registers_per_sm; /* 32-bit registers of an SM */
    int64_t smem_per_sm;      /* shared memory of an SM, bytes */
    int64_t smem_per_block;   /* maximum with opt-in, bytes */
    int64_t memory_bytes;     /* device memory */
} prof_gpu;

/* A host thread. */
typedef struct prof_thread {
    int64_t pid, tid; /* the operating system's numbers */
    const char *name; /* NULL: none */
} prof_thread;

/* A stream; GPU, process, context and number identify it. */
typedef struct prof_stream {
    int64_t device;  /* number of its GPU */
    int64_t pid;     /* its process; PROF_UNKNOWN where the profile has one process */
    int64_t context; /* its CUDA context; PROF_UNKNOWN: unknown */
    int64_t number;  /* the profiler's number of the stream */
    prof_stream_kind kind;
    bool priority_known; /* `priority` is set */
    int priority;        /* as in CUDA: lower numbers first */
} prof_stream;

/* A call of the CUDA runtime or driver. A runtime call and the driver call inside it are one prof_call. */
typedef struct prof_call {
    prof_call_kind kind;
    uint32_t thread;  /* index in threads[] */
    uint32_t stream;  /* index in streams[] of its stream argument; PROF_NONE: none, or unknown */
    uint32_t record;  /* of waits for an event: index in calls[] of the record; PROF_NONE: unknown */
    const char *name; /* name of the function */
    int64_t start_ns, end_ns;
    int64_t correlation; /* the profiler's number of the call, unique in its process; PROF_UNKNOWN */
    int64_t event;       /* the profiler's number of the event; PROF_UNKNOWN */
    uint32_t first_op;   /* index in ops[] of the first operation that it launched; PROF_NONE: none */
    uint32_t op_count;   /* operations that it launched; more than one only for a graph launch */
} prof_call;

/* A kernel, copy or memset on a GPU. */
typedef struct prof_op {
    gcast_kind kind;       /* GCAST_KIND_KERNEL, _COPY or _MEMSET */
    uint32_t stream;       /* index in streams[] */
    uint32_t call;         /* index in calls[] of the call that launched it; PROF_NONE: not in the profile */
    uint32_t next_of_call; /* index in ops[] of the next operation that the same call launched; PROF_NONE: none */
    const char *name;      /* complete name of the kernel; for a copy or memset, the profiler's name */
    int64_t start_ns, end_ns;
    int64_t correlation; /* correlation of its call */
    /* kernels */
    uint32_t grid[3], block[3];
    uint32_t cluster[3];   /* blocks of a cluster; 0: none, or unknown */
    int registers;         /* per thread; PROF_UNKNOWN */
    int64_t static_smem;   /* bytes per block; PROF_UNKNOWN */
    int64_t dynamic_smem;  /* bytes per block; PROF_UNKNOWN: `static_smem` is the sum */
    int64_t smem_executed; /* carveout of its SMs: shared memory, bytes; PROF_UNKNOWN */
    bool is_cooperative;   /* cooperative launch: all its blocks are resident together */
    bool is_programmatic;  /* programmatic dependent launch: may start before its predecessor in the stream has ended */
    int channel;           /* hardware queue; PROF_UNKNOWN */
    int64_t graph, node;   /* numbers of the CUDA graph and of the node in it; PROF_UNKNOWN */
    int64_t origin;        /* number of the node in the program's graph from which `node` was cloned; PROF_UNKNOWN */
    /* copies and memsets */
    int64_t bytes;             /* PROF_UNKNOWN */
    gcast_direction direction; /* of copies; GCAST_DIRECTIONS: between hosts, or unknown */
    bool is_between_hosts;     /* both sides are host memory: no work for a GPU */
    bool is_pageable;          /* one side is host memory that is not page-locked */
    bool is_peer;              /* between GPUs */
} prof_op;

/* A node of a CUDA graph. */
typedef struct prof_node {
    int64_t pid, number; /* its process; its number, as `node` of operations */
    int64_t graph;       /* number of its graph; 0: unknown */
    int64_t origin;      /* the node from which it was cloned, as in executable graphs; 0: the program made it */
    bool is_graph;       /* a child graph node: it stands for the nodes of another graph */
} prof_node;

/* A dependency between nodes that the program made: `node` depends on `before`. */
typedef struct prof_edge {
    int64_t pid;
    int64_t before, node;
    gcast_port port; /* full also where the profile does not say it */
} prof_edge;

/* When and where a block ran, if the profiler records blocks. */
typedef struct prof_block {
    int64_t correlation; /* correlation of its kernel's call */
    int64_t pid;         /* its process */
    uint32_t op;         /* index in ops[]; PROF_NONE */
    uint32_t block, sm;
    int64_t start_ns, end_ns;
} prof_block;

/* A named interval of the program. */
typedef struct prof_range {
    prof_range_kind kind;
    uint32_t thread; /* index in threads[]; PROF_NONE: no thread owns it */
    const char *name;
    int64_t start_ns, end_ns;
} prof_range;

/* Something that the profile lacks or leaves open. Equal findings are counted in one. */
typedef struct prof_finding {
    const char *text;  /* with {kernel} for "1 kernel" or "2 kernels" */
    const char *place; /* its first occurrence; NULL: no particular place */
    uint64_t count;    /* number of occurrences */
} prof_finding;

typedef struct prof_trace {
    const char *source; /* the file */
    const char *writer; /* the profiler, such as "Nsight Systems 2026.1.1, schema 3.24" */
    int64_t zero_ns;    /* time 0 for times that users give */
    const prof_gpu *gpus;
    size_t gpu_count;
    const prof_thread *threads;
    size_t thread_count;
    const prof_stream *streams;
    size_t stream_count;
    const prof_call *calls; /* by start; among equal starts the longer call is first */
    size_t call_count;
    const prof_op *ops; /* by start, end */
    size_t op_count;
    const prof_block *blocks; /* by operation and number */
    size_t block_count;
    const prof_node *nodes; /* by process and number, each once */
    size_t node_count;
    const prof_edge *edges; /* by process, `node` and `before`, each once */
    size_t edge_count;
    const prof_range *ranges; /* by start */
    size_t range_count;
    const prof_finding *findings; /* in the order of their first occurrence */
    size_t finding_count;
    void *memory;
} prof_trace;

/* An operation with all values unknown. */
prof_op prof_op_untold(gcast_kind kind);
/* Sets direction, is_between_hosts and is_peer of a copy from CUPTI's number of its kind. */
void prof_set_copy(prof_op *op, int64_t cupti_kind);

/* *t is NULL where this fails. */
gcast_status prof_trace_create(const char *source, prof_trace **t, gcast_error *err);
void prof_trace_free(prof_trace *t);

/* Stores a text once: equal texts have equal pointers. NULL without memory. */
const char *prof_trace_text(prof_trace *t, const char *text, size_t size);
void prof_trace_set_writer(prof_trace *t, const char *writer);
void prof_trace_set_zero(prof_trace *t, int64_t zero_ns);
/* The profile is of one process: correlations are unique whatever process ids it has. */
void prof_trace_set_one_process(prof_trace *t);

/* All of these are false without memory, or with 2^32 - 2 entries. Texts must come from prof_trace_text. */
bool prof_add_gpu(prof_trace *t, const prof_gpu *gpu);
/* Finds or adds the thread with these numbers. */
bool prof_get_thread(prof_trace *t, int64_t pid, int64_t tid, uint32_t *index);
bool prof_name_thread(prof_trace *t, uint32_t thread, const char *name);
/* Finds or adds the stream with the device, process, context and number of `key`. */
bool prof_get_stream(prof_trace *t, const prof_stream *key, uint32_t *index);
/* Sets kind and priority of a stream; unknown ones keep their earlier values. */
void prof_tell_stream(prof_trace *t, uint32_t stream, const prof_stream *told);
/* `record`, first_op and op_count are ignored: prof_trace_finish sets them. A call, operation, block or range that ends
 * before it starts is left out, with a finding. */
bool prof_add_call(prof_trace *t, const prof_call *call);
/* `call`, next_of_call and `origin` are ignored: prof_trace_finish sets them. */
bool prof_add_op(prof_trace *t, const prof_op *op);
bool prof_add_block(prof_trace *t, const prof_block *block);
bool prof_add_range(prof_trace *t, const prof_range *range);
bool prof_add_node(prof_trace *t, const prof_node *node);
/* Its nodes may be clones: prof_trace_finish replaces them by their originals. */
bool prof_add_edge(prof_trace *t, const prof_edge *edge);
/* Facts about a call from a separate record of the profiler. Unknown ones are PROF_NONE and PROF_UNKNOWN. */
typedef struct prof_call_told {
    int64_t pid; /* process of the call; PROF_UNKNOWN where the profile has one process */
    int64_t correlation;
    uint32_t stream;
    int64_t event;
    int64_t record_correlation; /* correlation of the call that recorded the event */
    uint32_t record_stream;     /* stream of that call */
} prof_call_told;
bool prof_tell_call(prof_trace *t, const prof_call_told *told);
/* Adds `count` to the finding with this text, or makes it. Both texts are copied. `place` may be NULL; the first one is
 * kept. */
bool prof_find(prof_trace *t, const char *text, const char *place, uint64_t count);

/* Sorts the entries, and sets the references between calls, operations and blocks. */
gcast_status prof_trace_finish(prof_trace *t, gcast_error *err);

/* Lists the numbers of the GPUs on which something ran, ascending, and at most `max`. Returns how many it listed. */
size_t prof_devices(const prof_trace *t, int64_t *devices, size_t max);
/* The description of a GPU; NULL: the profile has none. */
const prof_gpu *prof_gpu_of(const prof_trace *t, int64_t device);

#endif

/* What a profile of a CUDA program holds, whoever wrote it: threads and the calls that they made, streams and what ran
 * in them, events, ranges, and the GPUs.
 *
 * A reader, or a recorder, creates a trace, adds what it finds in any order, and ends with prof_trace_finish. From then
 * on it is read-only: calls and operations are sorted, and lead to each other by index. What a profile does not say is
 * PROF_NONE (an index), PROF_UNKNOWN (a number) or NULL (a text); nothing is made up here. What is missing, doubtful or
 * ambiguous is a finding. Times are nanoseconds on one clock for host and GPU. */
#ifndef PROFILE_TRACE_H
#define PROFILE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"
#include "gridcast/workload.h"

#define PROF_NONE UINT32_MAX /* an index that leads nowhere */
#define PROF_UNKNOWN (-1)    /* a number that the profile does not say */

/* What a call asks for: name. */
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

/* Where a range is from. */
typedef enum {
    PROF_RANGE_NVTX, /* pushed and popped by a thread, or started and ended by anyone (thread PROF_NONE) */
    PROF_RANGE_STEP, /* a step of a profiler's schedule: ProfilerStep#N */
    PROF_RANGE_USER, /* an annotation of the framework */
} prof_range_kind;

/* A GPU that the profile tells of. Numbers are 0 where it does not say them. */
typedef struct prof_gpu {
    int64_t device;           /* its number in the profile */
    const char *name;         /* as the driver says it; NULL: not told */
    int sms;                  /* multiprocessors */
    int cc_major, cc_minor;   /* compute capability */
    int threads_per_sm;       /* that an SM holds */
    int blocks_per_sm;        /* that an SM holds */
    int64_t registers_per_sm; /* 32-bit registers of an SM */
    int64_t smem_per_sm;      /* shared memory of an SM, bytes */
    int64_t smem_per_block;   /* with opt-in, bytes */
    int64_t memory_bytes;     /* of the GPU */
} prof_gpu;

/* A host thread. */
typedef struct prof_thread {
    int64_t pid, tid; /* of the operating system */
    const char *name; /* NULL: none */
} prof_thread;

/* A stream, by process, context and number. */
typedef struct prof_stream {
    int64_t device;  /* the number of its GPU */
    int64_t pid;     /* of its process; PROF_UNKNOWN where the profile has one process */
    int64_t context; /* of CUDA; PROF_UNKNOWN: not told */
    int64_t number;  /* the profiler's number of the stream */
    prof_stream_kind kind;
    bool priority_known; /* `priority` is told */
    int priority;        /* as in CUDA: lower numbers first */
} prof_stream;

/* A call of the CUDA runtime or driver. Where a runtime call was recorded with the driver call inside, it is one. */
typedef struct prof_call {
    prof_call_kind kind;
    uint32_t thread;  /* index in threads[] */
    uint32_t stream;  /* index in streams[] that it names; PROF_NONE: none, or not told */
    uint32_t record;  /* of waits for an event: index in calls[] of the record; PROF_NONE: not told */
    const char *name; /* of the function */
    int64_t start_ns, end_ns;
    int64_t correlation; /* the profiler's number of the call, unique in its process; PROF_UNKNOWN */
    int64_t event;       /* the profiler's number of the event; PROF_UNKNOWN */
    uint32_t first_op;   /* index in ops[] of the first that it launched; PROF_NONE: none */
    uint32_t op_count;   /* how many; more than one only of a graph launch */
} prof_call;

/* A kernel, copy or memset on a GPU. */
typedef struct prof_op {
    gcast_kind kind;       /* GCAST_KIND_KERNEL, _COPY or _MEMSET */
    uint32_t stream;       /* index in streams[] */
    uint32_t call;         /* index in calls[] of the call that launched it; PROF_NONE: not in the profile */
    uint32_t next_of_call; /* index in ops[] of the next that the same call launched; PROF_NONE */
    const char *name;      /* of the kernel, complete; of a copy or memset as the profiler names it */
    int64_t start_ns, end_ns;
    int64_t correlation; /* of its call */
    /* kernels */
    uint32_t grid[3], block[3];
    uint32_t cluster[3];   /* blocks of a cluster; 0: none, or not told */
    int registers;         /* per thread; PROF_UNKNOWN */
    int64_t static_smem;   /* bytes per block; PROF_UNKNOWN */
    int64_t dynamic_smem;  /* bytes per block; PROF_UNKNOWN: `static_smem` is the sum */
    int64_t smem_executed; /* shared memory that its SMs had, bytes; PROF_UNKNOWN */
    bool is_cooperative;   /* launched so that all its blocks are resident */
    bool is_programmatic;  /* launched so that it may start before the kernel before it in its stream has ended */
    int channel;           /* hardware queue; PROF_UNKNOWN */
    int64_t graph, node;   /* numbers of the CUDA graph and of the node in it; PROF_UNKNOWN */
    int64_t origin;        /* number of the node that the program made, which `node` is a clone of; PROF_UNKNOWN */
    /* copies and memsets */
    int64_t bytes;             /* PROF_UNKNOWN */
    gcast_direction direction; /* of copies; GCAST_DIRECTIONS: between hosts, or not told */
    bool is_between_hosts;     /* both sides are memory of the host: no work for a GPU */
    bool is_pageable;          /* a side is memory of the host that is not page-locked */
    bool is_peer;              /* between GPUs */
} prof_op;

/* A node of a CUDA graph. */
typedef struct prof_node {
    int64_t pid, number; /* of its process; as `node` of operations */
    int64_t graph;       /* of the graph that it is in; 0: not told */
    int64_t origin; /* the node that it was cloned from, as those of executable graphs are; 0: the program made it */
    bool is_graph;  /* it stands for the nodes of another graph */
} prof_node;

/* An edge between nodes that the program made: `node` is after `before`. */
typedef struct prof_edge {
    int64_t pid;
    int64_t before, node;
    gcast_port port; /* full also where that is not told */
} prof_edge;

/* When and where a block ran, where a profiler records that. */
typedef struct prof_block {
    int64_t correlation; /* of the call of its kernel */
    int64_t pid;         /* of its process */
    uint32_t op;         /* index in ops[]; PROF_NONE */
    uint32_t block, sm;
    int64_t start_ns, end_ns;
} prof_block;

/* A part of the program that it gave a name. */
typedef struct prof_range {
    prof_range_kind kind;
    uint32_t thread; /* index in threads[]; PROF_NONE: of no thread */
    const char *name;
    int64_t start_ns, end_ns;
} prof_range;

/* Something that the profile lacks or leaves open, told once. */
typedef struct prof_finding {
    const char *text;  /* with {kernel} for "1 kernel" or "2 kernels" */
    const char *place; /* where it was first; NULL: nowhere in particular */
    uint64_t count;    /* how often */
} prof_finding;

typedef struct prof_trace {
    const char *source; /* the file */
    const char *writer; /* who wrote it, such as "Nsight Systems 2026.1.1, schema 3.24" */
    int64_t zero_ns;    /* what times that users give count from */
    const prof_gpu *gpus;
    size_t gpu_count;
    const prof_thread *threads;
    size_t thread_count;
    const prof_stream *streams;
    size_t stream_count;
    const prof_call *calls; /* by start; of equal starts the longer first */
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
    const prof_finding *findings; /* in the order in which they were first made */
    size_t finding_count;
    void *memory;
} prof_trace;

/* An operation of which nothing is told. */
prof_op prof_op_untold(gcast_kind kind);
/* Sets the direction of a copy, and between what it is, by CUPTI's number of its kind. */
void prof_set_copy(prof_op *op, int64_t cupti_kind);

/* *t is NULL where this fails. */
gcast_status prof_trace_create(const char *source, prof_trace **t, gcast_error *err);
void prof_trace_free(prof_trace *t);

/* The same text once: pointers of equal texts are equal. NULL without memory. */
const char *prof_trace_text(prof_trace *t, const char *text, size_t size);
void prof_trace_set_writer(prof_trace *t, const char *writer);
void prof_trace_set_zero(prof_trace *t, int64_t zero_ns);
/* Correlations are unique in the whole profile, whatever processes it names: it is of one process. */
void prof_trace_set_one_process(prof_trace *t);

/* All of these are false without memory, or where there are 2^32 - 2 already. Texts must come from prof_trace_text. */
bool prof_add_gpu(prof_trace *t, const prof_gpu *gpu);
/* The thread of these numbers, which is added where it is new. */
bool prof_get_thread(prof_trace *t, int64_t pid, int64_t tid, uint32_t *index);
bool prof_name_thread(prof_trace *t, uint32_t thread, const char *name);
/* The stream of this process, context and number on this GPU, added where it is new. */
bool prof_get_stream(prof_trace *t, const prof_stream *key, uint32_t *index);
/* What is told about it; what is not told leaves what was told before. */
void prof_tell_stream(prof_trace *t, uint32_t stream, const prof_stream *told);
/* `record`, first_op and op_count are ignored: prof_trace_finish sets them. A call, operation, block or range that ends
 * before it starts is left out, which is a finding. */
bool prof_add_call(prof_trace *t, const prof_call *call);
/* `call` is ignored: it is found by process and correlation; `origin`: by the nodes. */
bool prof_add_op(prof_trace *t, const prof_op *op);
bool prof_add_block(prof_trace *t, const prof_block *block);
bool prof_add_range(prof_trace *t, const prof_range *range);
bool prof_add_node(prof_trace *t, const prof_node *node);
/* Its nodes may be clones: prof_trace_finish leads it to what these are clones of. */
bool prof_add_edge(prof_trace *t, const prof_edge *edge);
/* What a profiler says of a call in another record: its stream, its event, the correlation of the record that it waits
 * for. Unknown ones are PROF_NONE and PROF_UNKNOWN. */
typedef struct prof_call_told {
    int64_t pid; /* of its process; PROF_UNKNOWN where the profile has one process */
    int64_t correlation;
    uint32_t stream;
    int64_t event;
    int64_t record_correlation; /* of the call that recorded the event */
    uint32_t record_stream;     /* the stream in which it was recorded */
} prof_call_told;
bool prof_tell_call(prof_trace *t, const prof_call_told *told);
/* Adds `count` to the finding of this text, which is made where it is new. `text` is copied; so is `place`, which is
 * kept of the first, and may be NULL. */
bool prof_find(prof_trace *t, const char *text, const char *place, uint64_t count);

/* Sorts, and joins calls, operations and blocks. */
gcast_status prof_trace_finish(prof_trace *t, gcast_error *err);

const char *prof_call_kind_name(prof_call_kind kind);

#endif

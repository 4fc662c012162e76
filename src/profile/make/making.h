/* Shared by the files of profile/make: the part of a trace that becomes a workload, and the steps of the conversion. */
#ifndef PROFILE_MAKE_MAKING_H
#define PROFILE_MAKE_MAKING_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/run.h"
#include "profile/make/prof_make.h"
#include "profile/profile_findings.h"

#define READY_NS 2000  /* an operation that is ready for longer than this waits for something */
#define EVENT_NS 10000 /* an operation that waits for an event starts within this time after it */

/* An operation of the workload. */
typedef struct made_op {
    uint32_t op;       /* index in the trace */
    uint32_t stream;   /* index in the trace; for a node of a graph the stream of the launch */
    uint32_t item;     /* index in items[] of its call */
    const char *label; /* unique */
    int64_t span_ns;   /* how long it ran; for a node of a graph until successors could start, less the GPU's gap */
    int64_t alone_ns;  /* shortest launch of the same kernel and shape that ran alone; INT64_MAX: none did */
    int64_t min_ns, max_ns; /* duration of a block, or of the copy */
    int64_t *block_ns;      /* duration of each block if recorded, else NULL */
    uint32_t first_after;   /* its part of afters[], which is sorted by operation */
    uint32_t after_count;
    bool programmatic;     /* a kernel that may start when its predecessor in the stream has triggered */
    bool waits;            /* its blocks wait for the end of a kernel beside which they started */
    int64_t wait_ns;       /* from the start of a block to that wait */
    int64_t resume_ns;     /* end of that wait, in the times of the trace */
    int64_t trigger_at_ns; /* when all its blocks had triggered, in the times of the trace; INT64_MAX: at its end */
    int64_t trigger_ns;    /* from the start of a block to its trigger; GCAST_NEVER */
    int64_t early_ns;      /* how long it and kernels that started early by a trigger ran beside each other */
    int64_t waves;         /* waves in which the kernel's blocks run */
    bool beside;           /* a kernel that ran beside other kernels */
    bool host_waits;       /* its call returned when it was done */
} made_op;

typedef enum {
    ITEM_OPS,
    ITEM_STREAM_SYNC,
    ITEM_DEVICE_SYNC,
    ITEM_FREE,
    ITEM_MALLOC, /* of unknown size; it is there as no graph can contain it, and its time is a pause of the host */
} item_kind;

/* A call of the workload; or an operation whose call is missing. */
typedef struct made_item {
    item_kind kind;
    uint32_t call;          /* index in the trace; PROF_NONE: missing */
    uint32_t thread;        /* index in the trace; PROF_NONE: no call */
    uint32_t stream;        /* of a stream sync: index in the trace */
    const char *label;      /* of a wait or a graph launch: unique */
    uint32_t first_op;      /* index in ops[] */
    uint32_t op_count;      /* of ITEM_OPS: number of operations; nodes of a graph are in the order of their queueing */
    uint32_t graph;         /* of a graph launch: number of the graph, from 1; else 0 */
    int64_t order_ns;       /* when the program made the call; items are sorted by it */
    int64_t call_ns;        /* when the workload makes the call, in the times of the trace */
    int64_t late_ns;        /* extra latency until it reaches the GPU */
    int64_t return_ns;      /* when that call returns, if all goes as recorded */
    bool has_events;        /* in the pause before it, its thread recorded an event or made a stream wait for one */
    int64_t event_pause_ns; /* how much longer than usual that pause is */
} made_item;

/* A dependency: `op` is after `before`. */
typedef struct made_after {
    uint32_t op, before; /* indices in ops[] */
    gcast_port port;     /* of an edge of a graph */
} made_after;

/* The conversion in progress. */
typedef struct making {
    const prof_trace *t;
    const prof_make_options *options;
    gcast_error *err;
    arena memory; /* holds the labels */
    int64_t device;
    VEC(made_op) ops; /* in the order of the items */
    VEC(made_item) items;
    VEC(made_after) afters;
    VEC(const char *) graphs; /* names of the graphs that were launched */
    bool *beside;             /* by operation of the trace: a kernel that ran beside other kernels */
    int64_t excess_ns; /* how much longer a kernel's recorded span is than that of its blocks, outside of graphs */
    uint32_t *op_of;   /* from operations of the trace to ops[]; PROF_NONE: not in the workload */
    int64_t lag_ns;    /* from the return of a call to the start of its operation, if nothing delays it */
    prof_findings *findings;
} making;

/* Orders made_after by operation, then by predecessor. For qsort. */
static inline int compare_afters(const void *a, const void *b)
{
    const made_after *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

/* The GPU on which the profile was recorded. */
static inline const gcast_gpu *recorded_gpu(const making *m)
{
    return m->options->recorded_on ? m->options->recorded_on : m->options->gpu;
}

static inline const prof_op *trace_op(const making *m, size_t i)
{
    return &m->t->ops[m->ops.at[i].op];
}

/* The steps from a trace to a workload, in their order. Each returns GCAST_OK or sets the error. */
gcast_status make_select(making *m);                       /* chooses calls and operations: ops, items, op_of */
gcast_status make_graphs(making *m);                       /* graph launches: nodes, edges and spans */
gcast_status make_call_times(making *m);                   /* call_ns, return_ns, host_waits */
gcast_status make_order_notes(making *m);                  /* findings where starts contradict calls */
gcast_status make_event_edges(making *m);                  /* dependencies by events: afters */
gcast_status make_programmatic(making *m);                 /* kernels that started before their predecessor's end */
gcast_status make_queued_spans(making *m);                 /* span_ns */
gcast_status make_block_times(making *m);                  /* min_ns, max_ns, block_ns */
gcast_status make_triggers(making *m);                     /* trigger_ns */
gcast_status make_labels(making *m);                       /* label */
gcast_status make_workload(making *m, gcast_workload **w); /* the workload with hosts */
gcast_status make_recorded(making *m, prof_made *made);    /* the workload without hosts: recorded, run, ops */

#endif

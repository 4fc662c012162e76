/* What the files of profile/make share: the part of a trace that becomes a workload. */
#ifndef PROFILE_MAKE_STATE_H
#define PROFILE_MAKE_STATE_H

#include "base/arena.h"
#include "base/vec.h"
#include "gridcast/run.h"
#include "profile/make/make_options.h"
#include "profile/profile_findings.h"

/* An operation that is in the workload. */
typedef struct made_op {
    uint32_t op;            /* index in the trace */
    uint32_t stream;        /* index in the streams of the trace; of a node of a graph that of the launch */
    uint32_t item;          /* index in items[] of who calls it */
    const char *label;      /* unique */
    int64_t span_ns;        /* how long it ran; of a node of a graph until others could start, less the GPU's gap */
    int64_t alone_ns;       /* the shortest launch alone of the same kernel and shape; INT64_MAX: there is none */
    int64_t min_ns, max_ns; /* of a block, or of the copy */
    int64_t *block_ns;      /* of each block, where that is recorded; NULL */
    uint32_t first_after;   /* its part of afters[], sorted by operation */
    uint32_t after_count;
    bool programmatic;     /* a kernel that may start when the one before it in its stream has triggered */
    bool waits;            /* its blocks wait for what it started before the end of */
    int64_t wait_ns;       /* so long after their start */
    int64_t resume_ns;     /* when they went on, in the times of the trace */
    int64_t trigger_at_ns; /* when all of its blocks had triggered, in the times of the trace; INT64_MAX: at its end */
    int64_t trigger_ns;    /* the same, after the start of a block; GCAST_NEVER */
    int64_t early_ns;      /* for how long those ran beside it that started early by a trigger, or it did */
    int64_t waves;         /* of a kernel: in how many waves its blocks run */
    bool beside;           /* a kernel that other kernels ran beside */
    bool host_waits;       /* the call returned when it was done */
} made_op;

typedef enum { ITEM_OPS, ITEM_STREAM_SYNC, ITEM_DEVICE_SYNC, ITEM_FREE } item_kind;

/* A call that is in the workload, or an operation without one. */
typedef struct made_item {
    item_kind kind;
    uint32_t call;          /* index in the trace; PROF_NONE: not there */
    uint32_t thread;        /* index in the trace; PROF_NONE: no call */
    uint32_t stream;        /* of a stream sync: index in the trace */
    const char *label;      /* of a wait or the launch of a graph: unique */
    uint32_t first_op;      /* index in ops[] */
    uint32_t op_count;      /* of ITEM_OPS: how many; nodes of a graph in the order in which they are queued */
    uint32_t graph;         /* of the launch of a CUDA graph: which one, from 1; 0: it is none */
    int64_t order_ns;       /* when the program called it: what items are sorted by */
    int64_t call_ns;        /* when the workload calls it, in the times of the trace */
    int64_t late_ns;        /* so much later than that call says it reached the GPU */
    int64_t return_ns;      /* when that call returns, if all goes as recorded */
    bool has_events;        /* in the pause before it, its thread recorded an event or made a stream wait for one */
    int64_t event_pause_ns; /* how much longer than usual that pause is */
} made_item;

/* One operation is after another. */
typedef struct made_after {
    uint32_t op, before; /* indices in ops[] */
    gcast_port port;     /* of the edge of a graph */
} made_after;

typedef struct making {
    const prof_trace *t;
    const prof_make_options *o;
    gcast_error *err;
    arena memory; /* of labels */
    int64_t device;
    VEC(made_op) ops; /* in the order of the items */
    VEC(made_item) items;
    VEC(made_after) afters;
    VEC(const char *) graphs; /* names of the graphs that were launched */
    bool *beside;             /* by operations of the trace: a kernel that others ran beside */
    int64_t excess_ns;        /* how much wider than their blocks kernels outside of graphs seem */
    uint32_t *op_of;          /* from operations of the trace to ops[]; PROF_NONE: not in the workload */
    int64_t lag_ns;           /* from the return of a call to the start of what nothing holds up */
    prof_findings *findings;
} making;

static inline const prof_op *trace_op(const making *m, size_t i)
{
    return &m->t->ops[m->ops.at[i].op];
}

#endif

/* The state of a simulation, shared by the files of this room. docs/model.md
 * says what it does; each file below says which rules it keeps. Operations are
 * numbered as in the run (their index); NONE stands for no operation. */
#ifndef SIMULATE_STATE_STATE_H
#define SIMULATE_STATE_STATE_H

#include "base/heap.h"
#include "base/tournament.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "simulate/blocks/placement.h"
#include "simulate/blocks/release_order.h"
#include "simulate/blocks/sm.h"
#include "simulate/blocks/starve.h"
#include "simulate/blocks/tick.h"
#include "simulate/record.h"
#include "simulate/rules/connection_choice.h"
#include "simulate/rules/head.h"

#define NONE UINT32_MAX

/* One operation while it is simulated; its times are in the run. */
typedef struct sim_op {
    uint32_t stream_next;          /* later in its stream's queue */
    uint32_t queue_next;           /* later in its engine's queue, or on its way */
    uint32_t connection_next;      /* later in its connection */
    uint32_t open_prev, open_next; /* neighbours among operations not yet complete */
    uint32_t old_prev, old_next;   /* neighbours among blocking-stream operations not yet gone */
    uint32_t host_next;            /* the next operation of its host */
    uint32_t waiter;               /* hosts' operations that wait for this one to be complete */
    uint32_t waiter_next;
    int connection; /* it is in; -1: none */
    bool arrived, complete;
    int64_t turn_at;         /* in turns[]: when it enters */
    bool null_waiting;       /* in null_waits */
    bool ready;              /* may enter its engine's queue, or has */
    bool woken;              /* its call came after a pause */
    bool no_skip;            /* its waves do not repeat exactly */
    int level;               /* of its EE queue; 0 is the highest */
    const sm_demand *demand; /* of a kernel's block; kernels that need the same share one */
    uint32_t groups;         /* of its blocks that hold room */
    uint64_t started;        /* blocks */
    uint64_t resident;       /* blocks that hold room */
    int64_t last_end;        /* of the blocks started so far */
} sim_op;

/* A FIFO of operations, linked by one of the `next` fields. */
typedef struct sim_fifo {
    uint32_t first, last;
} sim_fifo;

#define FIFO_EMPTY ((sim_fifo){NONE, NONE})

typedef struct sim_stream {
    sim_fifo queue;       /* called and not gone, in launch order */
    uint32_t last_called; /* NONE: none yet */
    int connection;       /* its last kernel joined; -1: none yet */
    int channel[2];       /* the same for copies, by engine */
} sim_stream;

typedef struct sim_connection {
    sim_fifo queue;  /* called and not in the EE queue */
    uint64_t joined; /* number of the last join; 0: none yet */
    int stream;      /* of the kernel that joined last */
} sim_connection;

/* Blocks of one kernel started together on one SM. */
typedef struct sim_group {
    uint32_t next; /* in its chain (same kernel, same end) or in the free list */
    uint32_t op, sm, count;
    uint64_t total;  /* blocks from here to the end of the chain */
    int32_t quarter; /* of its first warp */
    uint32_t age;    /* how many blocks of any kernel started before, modulo 2^32 */
} sim_group;

/* A group whose resources are released now. */
typedef struct released_group {
    uint32_t op;     /* its kernel */
    uint32_t rank;   /* of its SM */
    uint32_t count;  /* blocks */
    uint32_t age;    /* as in sim_group */
    int32_t quarter; /* where the first warp of its first block ran */
    int sm;          /* number of its SM */
} released_group;

/* A copy engine and the copy on it, whose work is counted in hundredths of a nanosecond at
 * full speed. */
typedef struct sim_copy {
    uint32_t op;      /* NONE: the engine is idle */
    int percent;      /* of full speed, since `since`; 0: it has not started */
    int64_t since;    /* when that was last settled */
    __int128 left;    /* work then */
    bool over;        /* it ends now */
    bool held;        /* its end was put off, as it came beside a copy the other way */
    int64_t at;       /* nothing starts before */
    uint32_t waiting; /* copies, in all channels */
    int channel;      /* that was served last */
} sim_copy;

typedef struct sim_call {
    int64_t release;
    uint32_t op;
} sim_call;

typedef struct sim_barrier {
    uint32_t missing; /* members not yet called */
    uint32_t waiter;
} sim_barrier;

/* Mallocs that have not been given back (memory.c). */
typedef struct sim_memory {
    int64_t taken;   /* in all */
    uint32_t *top;   /* the last of each host, then of none; NONE */
    uint32_t *below; /* by operation: the one before it of its host; NONE */
} sim_memory;

enum { EVENT_DONE, EVENT_COPY, EVENT_HOST };

typedef struct sim {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_simulate_options *options;
    gcast_error *err;
    gcast_status status; /* first failure; the loop ends on it */
    int64_t now;

    gcast_run_op *ops; /* of the run */
    sim_op *state;     /* the same operations */
    uint32_t op_count;
    uint64_t launches, entries;
    int64_t last_call; /* when anything was called; -1: never */

    sm_demand *demands; /* no two alike */
    window window;      /* of blocks that are recorded, where not all are */

    tournament rooms;     /* ends of chains of groups plus hand-over, by their first group */
    heap events;          /* EVENT_* of operations */
    heap ended;           /* complete now, by entry number */
    uint32_t turns_taken; /* of loops that can last */

    /* hosts (engine/hosts.c) */
    sim_call *calls; /* operations without a host, by release */
    uint32_t call_count, call_next;
    uint32_t *host_first; /* each host's first operation; NONE */
    heap due;             /* calls to be made now, by index */
    uint32_t freeing;     /* the free that has not returned; NONE */
    uint32_t *barrier_of; /* by op of the workload */
    sim_barrier *barriers;
    size_t barrier_count;
    bool skips; /* an operation was skipped: barriers may be complete */
    sim_memory memory;
    sim_fifo device_waits; /* device syncs and frees that wait, by launch (queue_next) */
    sim_fifo open;         /* called and not complete, on the GPU, by launch */

    /* streams (stream_queue.c) */
    sim_stream *streams;
    int null_stream;                        /* its index; -1: none */
    sim_fifo old;                           /* of other blocking streams: called and not gone */
    sim_fifo kernels_coming, copies_coming; /* called, not arrived */
    sim_fifo leaving;                       /* complete, not gone */
    heap null_waits;                        /* heads that wait for the NULL stream, by launch */
    heap let_go;                            /* those that it lets go now, where times scatter, as drawn */
    VEC(uint32_t) ready;                    /* may enter their engine's queue, in the order they came to */

    /* connections (engine/connections.c) */
    sim_connection *connections;
    int connection_count, connection_last; /* joined by anyone */
    uint64_t joins;
    sim_fifo turns[CONNECTION_HALVES];    /* may enter, when it is the turn of their connection (queue_next) */
    int64_t turn_last[CONNECTION_HALVES]; /* the last that was given */

    /* execution queue (execution_queue.c) */
    sim_fifo levels[MAX_LEVELS];
    uint64_t level_bits; /* levels with a kernel in their queue */
    uint32_t queued, resident_grids, groups_live;
    uint32_t blocked;      /* the head that fits nowhere but perhaps on a dirty SM; NONE */
    const sm_demand *full; /* nor does any block that needs as much as this; NULL */
    int64_t switch_at;     /* no block starts before */
    bool looking;          /* at some SMs only; the others are closed */
    sm_set sms;
    placement place;
    starve starve;
    tick tick;
    uint32_t *quarter_scratch;           /* by rank */
    VEC(released_group) released;        /* groups whose resources are released now (dispatch/released.c) */
    VEC(released_block) released_blocks; /* the blocks of these groups, where they are seen one after the other */
    sim_group *groups;
    size_t group_count, group_cap;
    uint32_t group_free;
    uint64_t blocks_total, blocks_started;

    /* copy engines (copy_engine.c) */
    sim_copy *copying;             /* what each engine does */
    sim_connection *copy_channels; /* of each engine in turn (engine/copy_channels.c) */
} sim;

static inline const gcast_op *sim_spec(const sim *s, uint32_t o)
{
    return &s->w->ops[s->ops[o].op];
}

static inline sim_barrier *sim_barrier_of(const sim *s, uint32_t o)
{
    return &s->barriers[s->barrier_of[s->ops[o].op]];
}

#endif

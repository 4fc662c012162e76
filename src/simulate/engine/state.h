/* The state of a simulation, shared by the files of this room. docs/model.md
 * says what it does; each file below says which rules it keeps. Operations are
 * numbered as in the run (their index); NONE stands for no operation. */
#ifndef SIMULATE_ENGINE_STATE_H
#define SIMULATE_ENGINE_STATE_H

#include "base/heap.h"
#include "base/tournament.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
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

/* Where blocks of a kernel go that start now. */
typedef struct placement {
    const sm_demand *demand;
    int mask;        /* of SMs, or GCAST_ALL_SMS */
    bool every_sm;   /* else only those where room came back */
    bool ordered;    /* fill order[], not only counts[] */
    uint64_t wanted; /* blocks to place */
    uint64_t fit;    /* how many are placed */
    uint32_t *order; /* rank of each in turn; owned, grows */
    size_t order_cap;
    uint32_t *counts; /* by position in picks[]: blocks placed */
    uint32_t *picks;  /* ranks that had room, ascending */
    uint32_t pick_count;
} placement;

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

/* Says how far it is, and stops where it is told to. */
void sim_tell_progress(sim *s);

/* After every step of a loop that can last. */
static inline void sim_look(sim *s)
{
    if ((++s->turns_taken & 0xffff) == 1)
        sim_tell_progress(s);
}

static inline const gcast_op *sim_spec(const sim *s, uint32_t o)
{
    return &s->w->ops[s->ops[o].op];
}

static inline sim_barrier *sim_barrier_of(const sim *s, uint32_t o)
{
    return &s->barriers[s->barrier_of[s->ops[o].op]];
}

/* No time of a simulation is later, so that sums of two never overflow. */
#define LAST_TIME (INT64_MAX / 2)

void sim_fail_memory(sim *s);
void sim_fail_time(sim *s, uint32_t o);

/* from + delay, both at most LAST_TIME; past that the simulation fails. */
static inline int64_t sim_after(sim *s, uint32_t o, int64_t from, int64_t delay)
{
    int64_t t = from + delay;
    if (t <= LAST_TIME)
        return t;
    sim_fail_time(s, o);
    return LAST_TIME;
}

static inline void sim_push(sim *s, heap *h, int64_t time, uint32_t kind, uint32_t id)
{
    if (!heap_push(h, (heap_item){time, kind, id}))
        sim_fail_memory(s);
}

/* A FIFO through the field `queue_next`, `stream_next` or `connection_next` of operations. */
#define FIFO_EMPTY ((sim_fifo){NONE, NONE})
#define fifo_add(s, fifo, o, link)                                                                                     \
    do {                                                                                                               \
        (s)->state[o].link = NONE;                                                                                     \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->first = (o);                                                                                       \
        else                                                                                                           \
            (s)->state[(fifo)->last].link = (o);                                                                       \
        (fifo)->last = (o);                                                                                            \
    } while (0)
#define fifo_drop(s, fifo, link)                                                                                       \
    do {                                                                                                               \
        (fifo)->first = (s)->state[(fifo)->first].link;                                                                \
        if ((fifo)->first == NONE)                                                                                     \
            (fifo)->last = NONE;                                                                                       \
    } while (0)

/* A list from which any operation can go, through a pair of fields. */
#define list_add(s, list, o, prev, next)                                                                               \
    do {                                                                                                               \
        (s)->state[o].prev = (list)->last;                                                                             \
        fifo_add(s, list, o, next);                                                                                    \
    } while (0)
#define list_drop(s, list, o, prev, next)                                                                              \
    do {                                                                                                               \
        const sim_op *x_ = &(s)->state[o];                                                                             \
        *(x_->prev == NONE ? &(list)->first : &(s)->state[x_->prev].next) = x_->next;                                  \
        *(x_->next == NONE ? &(list)->last : &(s)->state[x_->next].prev) = x_->prev;                                   \
    } while (0)

/* engine/hosts.c: calls, returns, waits. */
void host_start(sim *s);
void host_event(sim *s, uint32_t o);    /* a host's delay is over */
void host_calls(sim *s);                /* make every call due now */
void host_complete(sim *s, uint32_t o); /* o is complete: who waited for it? */
int64_t host_next_time(const sim *s);

/* stream_queue.c: G1 G2 G4 N1 N2. */
void stream_call(sim *s, uint32_t o); /* o was called */
void stream_arrivals(sim *s);
void stream_complete(sim *s, uint32_t o); /* o is complete and will leave */
void stream_departures(sim *s);
void stream_try(sim *s, uint32_t o); /* may o enter its engine's queue? */
void stream_entries(sim *s);
int64_t stream_next_time(const sim *s);

/* engine/connections.c: connections. */
void channel_join(sim *s, uint32_t o);
void channel_leave(sim *s, uint32_t o);
bool channel_turn(sim *s, uint32_t o); /* o waited and may enter: does it have to wait for its turn? */

/* execution_queue.c: A1 A2 G3 X1, and the blocks. */
void execution_enter(sim *s, uint32_t o);
void execution_room(sim *s); /* all that comes back now */
void execution_dispatch(sim *s);
void execution_dispatched(sim *s, uint32_t o); /* G3: all of its blocks have started */
/* All blocks of this op take the same time. */
bool execution_equal(const sim *s, const gcast_op *op);
/* Would the head take all the room there is, whatever SM is looked at first? */
bool execution_takes_all(sim *s);
/* tick.c; false without memory. */
bool tick_init(sim *s);
/* Start what may of the head alone; false when that was its last block. */
bool execution_head_starts(sim *s);
/* refill.c: blocks of the head that start where others end, up to `until`. */
void execution_repeat(sim *s, int64_t until);

/* dispatch/released.c */
/* The resources of the groups of this chain are released now. */
void released_add(sim *s, uint32_t chain);
/* Dispatch blocks in what has been released, in the order in which that is seen, and wherever else they fit. */
void released_dispatch(sim *s);

/* waves.c: skip whole waves of a kernel that is alone. `next`: when anything else may happen. */
void execution_skip_waves(sim *s, int64_t next);

/* copy_engine.c: C1-C4. */
/* What a copy without a duration takes: bytes over bandwidth. */
gcast_status copy_bytes_ns(const gcast_workload *w, const gcast_gpu *gpu, size_t op, int64_t *ns, gcast_error *err);
void copy_call(sim *s, uint32_t o);
bool copy_ends(sim *s, uint32_t o); /* now, and for the first time? Ends that were moved are not */
void copy_done(sim *s, uint32_t o);
void copy_dispatch(sim *s);
int64_t copy_next_time(const sim *s); /* when an engine can start what waits for it */
/* What a copy takes longer at most that has no duration: after a pause, and beside one the other way. */
int64_t copy_most_longer(const gcast_gpu *gpu, const gcast_op *op);

/* engine/copy_channels.c: the queues of a copy engine. */
bool copy_channels_init(sim *s);
void copy_join(sim *s, uint32_t o);
void copy_enter(sim *s, uint32_t o);    /* C1 */
uint32_t copy_take(sim *s, int engine); /* the next of those that wait */

/* placement.c: which SM. */
bool placement_init(placement *p, int sms);
void placement_free(placement *p);
/* False without memory. */
/* The same where only the SM of this rank can have room; it stays marked only if some is left. */
bool placement_choose_one(placement *p, sm_set *set, uint32_t rank, const gcast_workload *w);
bool placement_choose(placement *p, sm_set *set, gcast_placement policy, const gcast_workload *w);
/* For how many blocks there is room where it looks. */
uint64_t placement_room(placement *p, sm_set *set, const gcast_workload *w);

#endif

/* The state of kernels that launch kernels ("Launches" in docs/model.md), where the workload has some.
 *
 * Children and rests are operations too: they are behind those of the workload in sim.state, from sim.op_count on. They
 * are not in sim.ops: their times are here, and become operations of the run when it is over. Where they are not
 * recorded, a place is used again once its child is complete, so that memory grows with the children that are live.
 * These arrays move when they grow, which happens when a child is called and
 * when a rest enters, and nowhere else. */
#ifndef SIMULATE_LAUNCH_STATE_H
#define SIMULATE_LAUNCH_STATE_H

#include "base/arena.h"
#include "model/workload/launching.h"
#include "simulate/blocks/capacity.h"
#include "simulate/spawn/controller.h"
#include "simulate/state/state.h"

/* A child, or the rest of a block that waited, besides its state as an operation. */
typedef struct sim_child {
    const gcast_launches *by; /* what its parent launches */
    uint64_t launcher;        /* number of its launcher in the level */
    int64_t call_ns;          /* its launcher called */
    int64_t overhead_end_ns;  /* when its launch overhead is over */
    int64_t head_ns;          /* it was the head of its stream */
    int64_t pool_ns;          /* when it was taken from the line; -1 */
    int64_t enter_ns;         /* it entered the EE queue */
    int64_t start_ns;         /* its first block started */
    int64_t end_ns;           /* its blocks and its children have ended */
    uint32_t parent;          /* operation */
    uint32_t parent_block;    /* the parent's block that launched it, or of which it is the rest */
    uint32_t items;           /* that it does */
    uint32_t stream;          /* its stream, of sim_launches.streams; NONE: one of its own */
    uint32_t waiting;         /* the block that waits for it, of sim_launches.waiting; NONE */
    int32_t queue;            /* its hardware queue; -1: none */
    uint8_t place;            /* which launch of its warp it was at that time, from 1 */
    bool is_rest;             /* it is no child, but the rest of a block */
    bool entered_at_limit;    /* as many grids as the GPU allows were resident when it entered the EE queue */
    bool grid_has_left;       /* its blocks have ended before its children, so that it leaves the grids by itself */
    bool durations_equal;     /* all its blocks take the same time */
} sim_child;

/* What only a run in which children are recorded needs of one. */
typedef struct child_record {
    gcast_block *blocks;   /* its blocks, by number */
    int64_t arrive_ns;     /* it joined its stream; -1 */
    int64_t dispatched_ns; /* its last block started; -1 */
    int64_t blocks_end_ns; /* its last block ended; -1 */
} child_record;

/* An execution of a kernel that launches, from its entry into the EE queue until it is complete. */
typedef struct sim_parent {
    const gcast_launches *launches; /* what it launches */
    gcast_spawn_policy policy;      /* in force */
    uint32_t threshold;             /* in force, of GCAST_SPAWN_THRESHOLD */
    uint32_t block_launchers;       /* of a block; of a child's last block there may be fewer */
    uint64_t first_launcher;        /* number of its first launcher in the level */
    uint64_t launcher_count;        /* of all its blocks */
    uint64_t decided;               /* blocks whose launchers have decided */
    uint64_t pending;               /* its children that are not complete, and rests that will come or are not */
    bool blocks_ended;              /* its last block has ended */
    uint32_t *streams;              /* streams of the execution, of sim_launches.streams; NONE: not used yet */
    uint32_t stream_count;          /* of streams[] */
} sim_parent;

/* A stream of children. */
typedef struct sim_child_stream {
    sim_fifo queue;     /* children that joined it and are not the head; of a tail stream also before it opens */
    uint32_t number;    /* of the stream, in the order of the first calls */
    uint32_t users;     /* children that are not complete, events, and an execution that may use it again */
    uint32_t next_free; /* where it is unused: the next unused one; NONE */
    bool is_busy;       /* its head is not complete, or not long enough */
    bool is_closed;     /* of a tail launch, and its parent has blocks left */
} sim_child_stream;

/* At this time a stream's last child has been complete for the stream gap, or its parent's last block has ended so long
 * ago. */
typedef struct child_stream_event {
    int64_t time;    /* when that is */
    uint32_t stream; /* of sim_launches.streams */
    bool opens;      /* it is a tail stream, and its parent's last block has ended */
} child_stream_event;

/* A block that gives its resources back and waits for its children. */
typedef struct sim_waiting {
    uint32_t op;      /* its kernel; where it is unused: the next unused one, NONE */
    uint32_t block;   /* its number */
    uint32_t pending; /* its children that are not complete */
    bool has_ended;   /* it has come to its end */
} sim_waiting;

/* A hardware queue of children. */
typedef struct child_queue {
    sim_fifo waiting; /* children behind the first */
    bool is_busy;     /* its first child has blocks left */
} child_queue;

/* A block whose launchers decide now. */
typedef struct due_block {
    uint64_t entry; /* of its kernel */
    uint32_t op;    /* its kernel */
    uint32_t group; /* of it alone */
    uint32_t age;   /* of the group: orders the blocks of a kernel */
} due_block;

/* A rest that enters the EE queue now. */
typedef struct due_rest {
    uint64_t entry;  /* of its parent */
    uint32_t parent; /* operation */
    uint32_t block;  /* of the parent */
} due_rest;

/* A child with the number of its call in the upper half, so that such numbers sort by call. */
typedef uint64_t listed_child;

typedef VEC(listed_child) child_list;

/* A child whose overhead would be over at a time. */
typedef struct overhead_end {
    int64_t time;       /* when that is */
    listed_child child; /* the child */
} overhead_end;

/* Children in their overhead, in the order of its end. They are not linked, so that those that wait are not read. */
typedef struct overhead_queue {
    VEC(overhead_end) ends; /* from `first` on: of children that are in their overhead */
    size_t first;           /* of these */
} overhead_queue;

/* The series of a run while it is simulated. Intervals that go over several bins are kept by their ends. */
typedef struct child_series {
    int shift;                                                 /* a bin is 2^shift ns long */
    double sum[GCAST_LAUNCH_SERIES][GCAST_SERIES_BINS + 1];    /* of the bins where intervals begin or end */
    double change[GCAST_LAUNCH_SERIES][GCAST_SERIES_BINS + 2]; /* of the count in all bins from this one on */
} child_series;

/* Blocks of operations of the workload, and of children; rests are counted as their blocks are. */
enum { PARENT_RESIDENTS, CHILD_RESIDENTS, RESIDENT_KINDS };

typedef struct sim_launches {
    /* Children and rests (child_slots.c) */
    sim_child *children;       /* by operation, from sim.op_count on */
    size_t child_cap;          /* for how many there is memory */
    child_record *recorded;    /* by operation, from sim.op_count on, where children are recorded; else NULL */
    size_t recorded_cap;       /* for how many there is memory */
    size_t state_cap;          /* for how many operations sim.state has memory */
    uint32_t child_count;      /* of children[], with those that are unused */
    uint32_t free_child;       /* the first operation that is unused (queue_next); NONE */
    sim_fifo completing;       /* children that have ended and are not complete (queue_next) */
    sim_fifo draining;         /* complete ones of which resources may not be released yet (queue_next) */
    uint64_t calls;            /* children that were called */
    uint64_t live;             /* of these, those that are not complete */
    bool records;              /* all children and their blocks are recorded */
    const sm_demand **demands; /* by child kernel of the workload */
    uint64_t *max_blocks;      /* by child kernel: blocks that all SMs of its mask hold, if they are empty */

    capacity_index capacity; /* where blocks of small kernels fit */

    /* Decisions (child_blocks.c, decide.c) */
    heap decisions;         /* by time: kernel and group of blocks whose launchers have not decided */
    VEC(due_block) due;     /* of these, those that decide now */
    VEC(uint32_t) warp;     /* children that the warp at hand has called */
    bool has_controller;    /* the policy of some kernel needs the controller */
    controller controller;  /* of SPAWN; it also knows how many child blocks have ended */
    uint64_t called_blocks; /* blocks of all children that were called */
    int64_t calls_free_ns;  /* when the way that all calls share is free */

    /* Launch path (launch_path.c) */
    overhead_queue overhead[LAUNCHES_WARP + 1]; /* by launches of the warp */
    uint64_t overhead_used;                     /* bit per overhead[]: it is not empty */
    sim_fifo served;                            /* children that wait for the service time (queue_next) */
    int64_t path_next_ns;                  /* the next end of an overhead, or stream event; INT64_MAX: there is none */
    int64_t last_served_ns;                /* when the last overhead ended; -1: none yet */
    uint64_t in_overhead;                  /* children whose overhead is not over */
    sim_child_stream *streams;             /* by number of the place, with unused ones */
    size_t stream_cap;                     /* for how many there is memory */
    uint32_t stream_places;                /* of streams[] that were ever used */
    uint32_t free_stream;                  /* the first unused one; NONE */
    uint32_t stream_numbers;               /* streams that have a number */
    VEC(child_stream_event) stream_events; /* by time */
    size_t stream_event_first;             /* the first that has not happened */
    child_list joining;                    /* children that join their streams now */
    child_list heads;                      /* children that become heads of their streams now */
    child_list entering;                   /* children that were second in their hardware queue and enter now */
    sim_fifo line;                         /* heads that wait for the pool (queue_next) */
    uint64_t in_pool;                      /* children in the pool */
    child_queue *queues;                   /* hardware queues, by number */
    VEC(uint32_t) freed_queues;            /* hardware queues whose first child has ended its blocks now */

    /* Blocks that wait (completion.c) */
    VEC(sim_waiting) waiting; /* with unused ones */
    uint32_t free_waiting;    /* the first unused one; NONE */
    VEC(due_rest) rests;      /* that enter now */

    /* launch_stats.c */
    gcast_launch_stats stats;                 /* so far */
    child_series series;                      /* so far */
    int64_t residents_ns;                     /* up to here residents are in stats and series */
    uint64_t resident_blocks[RESIDENT_KINDS]; /* of host kernels, and of children, at that time */
    uint64_t resident_warps[RESIDENT_KINDS];  /* of these blocks */
} sim_launches;

static inline bool is_child(const sim *s, uint32_t o)
{
    return o >= s->op_count;
}

static inline sim_child *child_of(const sim *s, uint32_t o)
{
    return &s->launch->children[o - s->op_count];
}

/* Where children are recorded. */
static inline child_record *child_record_of(const sim *s, uint32_t o)
{
    return &s->launch->recorded[o - s->op_count];
}

/* Asks for the memory of a child that is needed soon, and was not for so long that it is in no cache. A macro, as a
 * compiler may leave out the call of a function that does nothing else. */
#define child_prefetch(s, o)                                                                                           \
    do {                                                                                                               \
        __builtin_prefetch(&(s)->state[o]);                                                                            \
        __builtin_prefetch(&child_of(s, o)->head_ns);                                                                  \
        __builtin_prefetch(&child_of(s, o)->queue);                                                                    \
    } while (0)

#endif

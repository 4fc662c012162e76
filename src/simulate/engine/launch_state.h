/* The state of kernels that launch kernels ("Launches" in docs/model.md), with its sums, series and memory.
 *
 * Children and rests are operations too: they follow those of the workload in sim.state, from sim.op_count on. They are
 * not in sim.ops: their times are here, and become operations of the run when it is over. Where they are not recorded,
 * a place is used again once its child is complete, so memory grows with the live children only. The arrays move when
 * they grow, which happens only when a child is called and when a rest enters. */
#ifndef SIMULATE_ENGINE_LAUNCH_STATE_H
#define SIMULATE_ENGINE_LAUNCH_STATE_H

#include "base/arena.h"
#include "model/workload/launching.h"
#include "simulate/blocks/placement.h"
#include "simulate/engine/controller.h"
#include "simulate/engine/state.h"

/* A child, or the rest of a block that waited, besides its state as an operation. */
typedef struct sim_child {
    const gcast_launches *by; /* how its parent launches */
    uint64_t launcher;        /* number of its launcher in the level */
    int64_t call_ns;          /* its launcher called */
    int64_t overhead_end_ns;  /* when its launch overhead is over */
    int64_t head_ns;          /* it was the head of its stream */
    int64_t pool_ns;          /* when it was taken from the line; -1 */
    int64_t enter_ns;         /* it entered the EE queue */
    int64_t start_ns;         /* its first block started */
    int64_t end_ns;           /* its blocks and its children have ended */
    uint32_t parent;          /* its operation */
    uint32_t parent_block;    /* the parent's block that launched it, or of which it is the rest */
    uint32_t items;           /* how many it does */
    uint32_t stream;          /* its stream, of sim_launches.streams; NONE: one of its own */
    uint32_t waiting;         /* the block that waits for it, of sim_launches.waiting; NONE */
    int32_t queue;            /* its hardware queue; -1: none */
    uint8_t place;            /* which launch of its warp's decision it was, from 1 */
    bool is_rest;             /* it is no child, but the rest of a block */
    bool entered_at_limit;    /* as many grids as the GPU allows were resident when it entered the EE queue */
    bool grid_has_left;       /* its blocks have ended before its children, so that it leaves the grids by itself */
    bool durations_equal;     /* all its blocks take the same time */
} sim_child;

/* A child's further times and its blocks, where children are recorded. */
typedef struct child_record {
    gcast_block *blocks;   /* its blocks, by number */
    int64_t arrive_ns;     /* it joined its stream; -1 */
    int64_t dispatched_ns; /* its last block started; -1 */
    int64_t blocks_end_ns; /* its last block ended; -1 */
} child_record;

/* A kernel that launches, from its entry into the EE queue until it is complete. */
typedef struct sim_parent {
    const gcast_launches *launches; /* how it launches */
    gcast_spawn_policy policy;      /* in force */
    uint32_t threshold;             /* of GCAST_SPAWN_THRESHOLD */
    uint32_t block_launchers;       /* launchers of a block; a child's last block may have fewer */
    uint64_t first_launcher;        /* number of its first launcher in the level */
    uint64_t launcher_count;        /* of all its blocks */
    uint64_t decided;               /* blocks whose launchers have decided */
    uint64_t pending;               /* its children and rests that are not complete, rests to come included */
    bool blocks_ended;              /* its last block has ended */
    uint32_t *streams;              /* its streams, of sim_launches.streams; NONE: not used yet */
    uint32_t stream_count;          /* of streams[] */
} sim_parent;

/* A stream of children. */
typedef struct sim_child_stream {
    sim_fifo queue;     /* children that joined it and are not the head; of a tail stream also before it opens */
    uint32_t number;    /* streams are numbered in the order of their first calls */
    uint32_t users;     /* children that are not complete, events, and a parent that may use it again */
    uint32_t next_free; /* where it is unused: the next unused one; NONE */
    bool is_busy;       /* its head is not complete, or its stream gap is not over */
    bool is_closed;     /* of a tail launch, and its parent has blocks left */
} sim_child_stream;

/* The stream gap is over: after the last child of a stream, or after the last block of a tail stream's parent. */
typedef struct child_stream_event {
    int64_t time;    /* when it is over */
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
    uint32_t group; /* its group, of one block */
    uint32_t age;   /* of its group: orders the blocks of a kernel */
} due_block;

/* A rest that enters the EE queue now. */
typedef struct due_rest {
    uint64_t entry;  /* of its parent */
    uint32_t parent; /* its operation */
    uint32_t block;  /* of the parent */
} due_rest;

/* A child with the number of its call in the upper half, so that such numbers sort by call. */
typedef uint64_t listed_child;

typedef VEC(listed_child) child_list;

/* When a child's overhead would be over. */
typedef struct overhead_end {
    int64_t time;
    listed_child child;
} overhead_end;

/* Children in their overhead, in the order of its end. A vector instead of links, so that children that wait are not
 * read. */
typedef struct overhead_queue {
    VEC(overhead_end) ends; /* those from `first` on are not over */
    size_t first;           /* the first that is not over */
} overhead_queue;

/* The series of a run while it is simulated. Of an interval over several bins only the two ends are stored. */
typedef struct child_series {
    int shift;                                                 /* a bin is 2^shift ns long */
    double sum[GCAST_LAUNCH_SERIES][GCAST_SERIES_BINS + 1];    /* of the bins where intervals begin or end */
    double change[GCAST_LAUNCH_SERIES][GCAST_SERIES_BINS + 2]; /* of the count in all bins from this one on */
} child_series;

/* Resident blocks are counted by kind: blocks of the workload's operations, or of children. A rest has the kind of its
 * block. */
enum { PARENT_RESIDENTS, CHILD_RESIDENTS, RESIDENT_KINDS };

typedef struct sim_launches {
    /* Children and rests */
    sim_child *children;       /* by operation, from sim.op_count on */
    size_t child_cap;          /* for how many children[] has memory */
    child_record *recorded;    /* by operation, from sim.op_count on, where children are recorded; else NULL */
    size_t recorded_cap;       /* for how many recorded[] has memory */
    size_t state_cap;          /* for how many operations sim.state has memory */
    uint32_t child_count;      /* of children[], unused ones included */
    uint32_t free_child;       /* the first operation that is unused (queue_next); NONE */
    sim_fifo completing;       /* children that have ended and are not complete (queue_next) */
    sim_fifo draining;         /* complete children whose resources may not be released yet (queue_next) */
    uint64_t calls;            /* how many children were called */
    uint64_t live;             /* how many of these are not complete */
    bool records;              /* all children and their blocks are recorded */
    const sm_demand **demands; /* by child kernel of the workload */
    uint64_t *max_blocks;      /* by child kernel: how many blocks all SMs of its mask hold, if they are empty */

    capacity_index capacity; /* where blocks of small kernels fit */

    /* Decisions (launch_decision.c) */
    heap decisions;         /* blocks whose launchers have not decided, by time: kernel and group */
    VEC(due_block) due;     /* decisions due now */
    VEC(uint32_t) warp;     /* children called by the warp that decides */
    bool has_controller;    /* the policy of some kernel needs the controller */
    controller controller;  /* of SPAWN; it also knows how many child blocks have ended */
    uint64_t called_blocks; /* blocks of all children that were called */
    int64_t calls_free_ns;  /* when the path that all calls share is free */

    /* Launch path (launch_path.c) */
    overhead_queue overhead[LAUNCHES_WARP + 1]; /* by launches of the warp */
    uint64_t overhead_used;                     /* bit per overhead[]: it is not empty */
    sim_fifo served;                            /* children that wait for the service time (queue_next) */
    int64_t path_next_ns;                       /* the next end of an overhead or stream event; INT64_MAX: none */
    int64_t last_served_ns;                     /* when the last overhead ended; -1: none yet */
    uint64_t in_overhead;                       /* children whose overhead is not over */
    sim_child_stream *streams;                  /* streams, unused ones included */
    size_t stream_cap;                          /* for how many streams[] has memory */
    uint32_t stream_places;                     /* of streams[] that were ever used */
    uint32_t free_stream;                       /* the first unused one; NONE */
    uint32_t stream_numbers;                    /* how many streams have got a number */
    VEC(child_stream_event) stream_events;      /* by time */
    size_t stream_event_first;                  /* the first that has not happened */
    child_list joining;                         /* children that join their streams now */
    child_list heads;                           /* children that become heads of their streams now */
    child_list entering;                        /* children that were second in their hardware queue and enter now */
    sim_fifo line;                              /* heads that wait for the pool (queue_next) */
    uint64_t in_pool;                           /* children in the pool */
    child_queue *queues;                        /* hardware queues, by number */
    VEC(uint32_t) freed_queues;                 /* hardware queues whose first child has ended its blocks now */

    /* Blocks that wait for their children (child_blocks.c) */
    VEC(sim_waiting) waiting; /* blocks that wait, unused places included */
    uint32_t free_waiting;    /* the first unused one; NONE */
    VEC(due_rest) rests;      /* those that enter now */

    /* Sums and series */
    gcast_launch_stats stats;                 /* so far */
    child_series series;                      /* so far */
    int64_t residents_ns;                     /* stats and series have the residents up to this time */
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

/* Prefetches the memory of a child that is needed soon and has left the caches. A macro, as a compiler may drop the
 * call of a function that does nothing else. */
#define child_prefetch(s, o)                                                                                           \
    do {                                                                                                               \
        __builtin_prefetch(&(s)->state[o]);                                                                            \
        __builtin_prefetch(&child_of(s, o)->head_ns);                                                                  \
        __builtin_prefetch(&child_of(s, o)->queue);                                                                    \
    } while (0)

/* So many blocks of o become resident on the SM of this rank; negative: they have released their resources. */
void launch_blocks_resident(sim *s, uint32_t o, uint32_t rank, int64_t blocks);
/* The child o is complete: its times enter the sums and series. */
void launch_stats_child(sim *s, uint32_t o);

/* Sets sim.launch where the workload has launches. demand_of[]: by op of the workload and then by child kernel, the
 * index in sim.demands. False without memory. */
bool launch_tables_init(sim *s, const uint32_t *demand_of);
void launch_tables_free(sim *s);
/* Gives a run its children, sums and series, and sim.ops in the order of the run; false without memory. */
bool launch_tables_to_run(sim *s, gcast_run *run);

/* A new operation for a child or a rest of `op`, an op of the workload, with its job and so many blocks, which is
 * called now. NONE where the simulation has failed. May move sim.ops, sim.state and the children. */
uint32_t child_slot_new(sim *s, uint32_t op, uint32_t job, uint64_t blocks);
/* o is complete: its place is used again when its resources have been released. */
void child_slot_drop(sim *s, uint32_t o);
/* Nothing refers any more to children that ended at this time: their places are free. */
static inline void child_slots_reclaim(sim *s)
{
    sim_launches *l = s->launch;
    for (uint32_t o; (o = l->draining.first) != NONE && !s->state[o].group_count;) {
        fifo_drop(s, &l->draining);
        s->state[o].queue_next = l->free_child;
        l->free_child = o;
    }
}

#endif

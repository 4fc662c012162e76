/* Programmatic launches, blocks that wait after their start, and runs that hang because their blocks wait for ever.
 * Only workloads with one of these have this state. */
#ifndef SIMULATE_ENGINE_BLOCK_WAITS_H
#define SIMULATE_ENGINE_BLOCK_WAITS_H

#include "simulate/engine/state.h"

/* A block that has started and waits for something that has not happened, so that its end is unknown. */
typedef struct waiting_block {
    uint64_t block;      /* its number */
    int64_t start_ns;    /* when it started */
    int64_t duration_ns; /* excluding the wait */
    uint32_t group;      /* its group, of one block */
} waiting_block;

typedef VEC(waiting_block) waiting_blocks;

/* An operation, besides sim_op. */
typedef struct sim_wait_op {
    uint32_t before;         /* of a programmatic kernel: the operation called before it in its stream; NONE */
    uint32_t behind;         /* the programmatic kernel called next in its stream; NONE */
    uint64_t place;          /* operations called before it in its stream */
    uint32_t first_edge;     /* of sim_waits.edges: the first kernel whose blocks wait for its blocks; NONE */
    uint32_t pending;        /* how many things its blocks wait for that have not happened */
    int64_t open_ns;         /* its blocks' waits end at this time or later */
    waiting_blocks blocks;   /* those that have started while something is pending */
    uint64_t ends_known;     /* its blocks whose end is known */
    uint64_t triggers_known; /* its blocks whose trigger time is known */
    int64_t trigger_ns;      /* the latest of these times */
    bool has_triggered;      /* all blocks' triggers have been seen */
    bool blocks_ended;       /* its last block has ended, but the operation before it is not complete */
} sim_wait_op;

/* A kernel whose blocks wait until all blocks of another have started. */
typedef struct sim_wait_edge {
    uint32_t waiter; /* the kernel */
    uint32_t next;   /* the next one that waits for the same; NONE */
} sim_wait_edge;

typedef struct sim_waits {
    sim_wait_op *ops;      /* by operation */
    sim_wait_edge *edges;  /* of all operations */
    uint64_t *called;      /* by stream: operations that were called */
    uint64_t *departed;    /* by stream: operations that have departed */
    heap triggers;         /* kernels all of whose blocks have triggered, by the time at which that is seen */
    heap candidates;       /* programmatic kernels behind those whose triggers are seen now, by launch */
    int64_t gap_ns;        /* from the last trigger until it is seen */
    int64_t wait_gap_ns;   /* from the end of an operation until blocks of the kernel behind it go on */
    int64_t node_gap_ns;   /* the same for nodes of graphs */
    uint64_t depth;        /* operations of a stream that may overlap */
    bool has_programmatic; /* some kernel is programmatic */
    bool may_hang;         /* some kernel is programmatic, or has blocks that wait */
} sim_waits;

/* Makes s->waits, where the workload needs it, and sets how each kernel's blocks start. False without memory. */
bool wait_tables_init(sim *s);
void wait_tables_free(sim *s);

/* Programmatic launches: a kernel may be the head of its stream while the one before it runs, but is not complete
 * before that one. */

/* o is called; its stream's last_called is still the operation before it. */
void programmatic_call(sim *s, uint32_t o);

/* When the next trigger is seen. */
int64_t programmatic_next_time(const sim *s);
/* Is o, which is not the first of its stream's queue, the head because the kernel before it has triggered? */
bool programmatic_is_head(const sim *s, uint32_t o);
/* The first operation of a stream's queue that has not been the head; NONE. */
uint32_t programmatic_next(const sim *s, uint32_t first);
/* The next kernel, by launch, that is behind one whose triggers are seen now; NONE: none is left. */
uint32_t programmatic_candidate(sim *s);
/* The last block of the kernel o has ended. False: o is not complete, as the operation before it is not. */
bool programmatic_completes(sim *s, uint32_t o);
/* The first operation of a stream's queue that has neither entered nor waits for its turn; NONE. */
uint32_t programmatic_waiting(const sim *s, uint32_t first);

/* Blocks that wait after their start end a known time after what they wait for. */

/* Starts the blocks of o as s->place says, one by one. */
void block_waits_start(sim *s, uint32_t o);
/* The next block of o starts on the SM of this rank. */
void block_waits_start_on(sim *s, uint32_t o, uint32_t rank);
/* All blocks of o have started: blocks that wait for that go on. */
void block_waits_dispatched(sim *s, uint32_t o);
/* Nodes of graphs may be done: blocks that waited for that go on. */
void block_waits_nodes_done(sim *s);
/* One thing that blocks of o waited for has happened; they go on at this time at the earliest. */
void block_waits_happened(sim *s, uint32_t o, int64_t time);

/* No event is left. Does the run hang: is an operation incomplete, in a workload whose blocks wait? */
bool hang_found(const sim *s);
/* Records in the run that it hangs, when, and which blocks are left. Call it before the run gets its blocks. False
 * without memory. */
bool hang_record(sim *s, gcast_run *run);

#endif

/* Programmatic launches, and blocks that wait after their start. Only workloads that have them have this state. */
#ifndef SIMULATE_WAITS_STATE_H
#define SIMULATE_WAITS_STATE_H

#include "simulate/state/state.h"

/* A block that has started, and whose end is not known, as what it waits for has not happened. */
typedef struct waiting_block {
    uint64_t block;      /* its number */
    int64_t start_ns;    /* when it started */
    int64_t duration_ns; /* what it takes, besides its wait */
    uint32_t group;      /* its group, of one block */
} waiting_block;

typedef VEC(waiting_block) waiting_blocks;

/* What is known of an operation, besides sim_op. */
typedef struct sim_wait_op {
    uint32_t before;         /* of a programmatic kernel: the operation called before it in its stream; NONE */
    uint32_t behind;         /* the programmatic kernel called after it in its stream, as the next; NONE */
    uint64_t place;          /* operations called before it in its stream */
    uint32_t first_edge;     /* of sim_waits.edges: the first kernel whose blocks wait for its; NONE */
    uint32_t pending;        /* what its blocks wait for and has not happened */
    int64_t open_ns;         /* its blocks go on from their wait no sooner */
    waiting_blocks blocks;   /* those that have started while something is pending */
    uint64_t ends_known;     /* its blocks whose end is known */
    uint64_t triggers_known; /* its blocks that have triggered, or will at a time that is known */
    int64_t trigger_ns;      /* the latest of these times */
    bool has_triggered;      /* that of all its blocks has been seen */
    bool blocks_ended;       /* its last block has ended, but the operation before it is not complete */
} sim_wait_op;

/* A kernel whose blocks wait until all blocks of another have started. */
typedef struct sim_wait_edge {
    uint32_t waiter; /* that kernel */
    uint32_t next;   /* the next one that waits for the same; NONE */
} sim_wait_edge;

typedef struct sim_waits {
    sim_wait_op *ops;      /* by operation */
    sim_wait_edge *edges;  /* of all operations */
    uint64_t *called;      /* by stream: operations that were called */
    uint64_t *departed;    /* by stream: operations that have departed */
    heap triggers;         /* by time: kernels all of whose blocks have triggered; when that is seen */
    heap candidates;       /* programmatic kernels behind those of which it is seen now, by launch */
    int64_t gap_ns;        /* from the last trigger until it is seen */
    int64_t wait_gap_ns;   /* from the end of an operation until blocks of the kernel behind it go on */
    int64_t node_gap_ns;   /* the same of nodes of graphs */
    uint64_t depth;        /* operations of a stream that may overlap */
    bool has_programmatic; /* some kernel is programmatic */
    bool may_hang;         /* some kernel is, or has blocks that wait */
} sim_waits;

#endif

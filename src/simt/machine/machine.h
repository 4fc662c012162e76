/* The state of a launch that runs: what all cores of this computer share, and
 * what each of them has for itself. */
#ifndef SIMT_MACHINE_MACHINE_H
#define SIMT_MACHINE_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "simt/machine/block_state.h"
#include "simt/program/cost_program.h"
#include "simt/program/program.h"

#define MAX_RESIDENT_BLOCKS 64 /* on one core of this computer */

/* What is counted by op. */
typedef struct op_counts {
    uint64_t instructions;                             /* issued to a warp */
    uint64_t thread_instructions;                      /* active lanes of these */
    uint64_t lost_divergence, lost_return, lost_block; /* idle lanes, by reason, as in gcast_simt_counts */
    uint64_t divergent;                                /* branches that went both ways */
    uint64_t barrier_wait;                             /* instructions that warps waited at a barrier */
    uint64_t requests, sectors;                        /* of global memory; only if profiled */
    uint64_t shared_requests, wavefronts;              /* of shared memory; only if profiled */
    uint64_t atomic_rounds;                            /* of atomics; only if profiled */
} op_counts;

/* What a block has printed. */
typedef struct block_text {
    uint64_t block; /* its number */
    text text;      /* the output */
} block_text;

/* What all cores share. */
typedef struct machine {
    program *program;                    /* what runs */
    const gcast_simt_options *options;   /* with defaults filled in */
    const gcast_launch *launch;          /* grid, block and buffers */
    uint64_t blocks;                     /* of the grid */
    uint32_t block_threads, block_warps; /* of a block */
    uint64_t max_instructions;           /* of a warp */
    bool tracks_conflicts;               /* look for blocks that exchange data; else blocks run in turn on one core */
    bool single_core;                    /* only one core runs blocks */
    _Atomic uint64_t next_block;         /* index of the next block to start, in the order of starts */
    _Atomic uint64_t done_blocks;        /* blocks that have ended */
    _Atomic bool stopping;               /* all cores must stop: one has failed, or blocks exchange data */
    _Atomic bool has_conflict;           /* blocks exchange data */
    _Atomic uint64_t printed_bytes;      /* of all blocks */
    pthread_mutex_t print_lock;          /* protects `printed` */
    VEC(block_text) printed;             /* of blocks that have ended and printed something */
    cost_program cost;                   /* the ops as the cost model sees them */
    gcast_block_cost *block_cost;        /* by block: its cost; NULL: no cost model */
    struct heap *heap;                   /* of malloc; NULL: nothing calls it */
    struct race_checker *races;          /* NULL: races are not checked */
    bool rerun_for_lines;                /* there are races, and the launch must run again to find their lines */
} machine;

/* One core of this computer that runs blocks. */
typedef struct core {
    machine *machine;               /* what all cores share */
    op_counts *counts;              /* by op */
    uint64_t global_version;        /* counts changes of global memory by this core */
    uint64_t warps;                 /* that have ended */
    uint64_t max_warp_instructions; /* of one warp */
    gcast_simt_mask *mask;          /* recorded active masks; NULL: none are recorded */
    uint32_t masks;                 /* how many were recorded */
    gcast_error *err;               /* where its error goes; may be NULL */
    gcast_status status;            /* GCAST_OK until it fails */
    bool reports_progress;          /* it is the thread that called, and reports the progress of all */
} core;

/* The block has changed global memory. */
static inline void memory_changed(core *c, const warp *w)
{
    c->global_version++;
    w->block->global_version++;
}

#endif

/* The state of a launch that runs: its warps, its blocks, the data that all cores of this computer share, and the data
 * of each core. */
#ifndef SIMT_MACHINE_MACHINE_H
#define SIMT_MACHINE_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "simt/program/op.h"
#include "simt/program/program.h"

/* The registers of one function at one depth of calls. Each lane that is in the call uses its own column. */
typedef struct frame {
    uint32_t function, depth;     /* number of the function; number of calls around it */
    rows rows;                    /* its registers and constants */
    uint32_t return_pc[LANES];    /* by lane: the pc after the return */
    const op *called_by[LANES];   /* by lane: the call */
    struct frame *caller[LANES];  /* by lane: the frame of the caller */
    uint32_t local_offset[LANES]; /* by lane: start of its frame of local memory */
    struct frame *next;           /* another function's frame at this depth */
} frame;

/* An entry of the reconvergence stack, before Volta. */
typedef struct stack_entry {
    uint32_t pc, mask;   /* the pc of its lanes; the lanes */
    uint32_t reconverge; /* pc where the entry ends; NO_PC: when its lanes return or exit */
    frame *frame;        /* the call that its lanes are in */
    bool is_call;        /* the first entry of a call */
} stack_entry;

/* What lanes wait for. */
enum {
    WAIT_SYNC,    /* the lanes of a member mask, at one instruction: shfl, vote ... */
    WAIT_WARP,    /* the lanes of a member mask, anywhere: bar.warp.sync */
    WAIT_BARRIER, /* a barrier of the block */
    WAIT_KINDS
};

typedef enum {
    WARP_PAUSED,  /* its turn is over */
    WARP_BLOCKED, /* all its lanes wait for a barrier */
    WARP_SPINS,   /* it repeats the same loop until another warp changes memory */
    WARP_STUCK,   /* its lanes wait for each other forever */
    WARP_DONE,    /* all its threads have exited */
    WARP_FAILED   /* the error of the core is set, or blocks exchange data */
} warp_state;

typedef struct warp {
    struct block *block;
    uint32_t number;         /* in its block */
    uint32_t threads;        /* mask of the lanes that have a thread */
    uint32_t exited;         /* mask of the lanes whose thread has exited */
    uint32_t returned;       /* mask of the lanes that have exited or wait for others at an exit */
    uint32_t returned_count; /* lanes in `returned` */
    uint8_t state;           /* warp_state after its last turn */

    /* the active group of lanes */
    uint32_t pc, active; /* its program counter; its lanes */
    frame *frame;        /* its call */
    uint32_t stop_pc;    /* the pc at which it must look for other groups, or reconverges; NO_PC: none */
    bool out_of_order;   /* it runs out of the order of ranks, so that all groups make progress */
    uint32_t next_group_pc, next_group_rank; /* the group that comes after it; rank 0: not known */
    uint64_t turn_start;                     /* instructions when it began to run, or when a group was first skipped */

    /* since Volta: one program counter per thread */
    uint32_t lane_pc[LANES];        /* by lane: its program counter, which is outdated while the lane is active */
    frame *lane_frame[LANES];       /* by lane: its call */
    uint32_t waiting[WAIT_KINDS];   /* by kind of wait: mask of the lanes */
    bool waits_together;            /* all lanes came to a barrier as one group, and are at pc */
    uint32_t wait_mask[LANES];      /* by lane that waits: the member mask, or the number of the barrier */
    uint64_t lane_last_turn[LANES]; /* by lane: the turn in which it last ran out of order or was chosen */
    uint64_t turn_count;            /* turns so far */

    /* before Volta: one program counter per warp */
    stack_entry *stack; /* the reconvergence stack */
    size_t stack_cap;   /* entries that `stack` has memory for */
    uint32_t stack_top; /* entries in use */
    bool at_barrier;    /* it waits at a barrier */

    /* detection of loops that spin (machine/spin.c) */
    uint64_t back_jumps;                    /* jumps backwards since memory last changed */
    uint64_t watch_until;                   /* compare with the kept state up to this jump */
    uint64_t watched_hash, watched_version; /* the kept state, and its version of memory */
    uint32_t watched_pc;                    /* pc of the kept state */
    bool clock_read;                        /* a clock was read, so the next round may differ */
    uint32_t ever_spun;                     /* mask of the lanes that were ever seen to spin */
    uint64_t lane_spin_version[LANES];      /* by lane: 1 + version of memory at which it was seen to spin; 0: never */

    /* counts */
    uint64_t instructions;    /* issued so far */
    uint64_t barrier_arrival; /* instructions + barrier_wait when it came to the barrier at which it waits */
    uint64_t barrier_wait;    /* instructions for which it waited at barriers, if all warps issue in turn */

    /* cost model; times in hundredths of a cycle */
    uint64_t issue_clock;    /* when it may issue next */
    uint32_t last_mask;      /* active mask of its last instruction */
    uint64_t block_entry;    /* when it entered this basic block */
    uint64_t last_store;     /* when it last wrote memory */
    bool starts_basic_block; /* its next instruction starts a basic block */

    /* memory */
    frame **frames;        /* by depth of calls: list of the frames */
    uint32_t frame_depths; /* depths that `frames` has room for */
    arena memory;          /* owns the frames and their rows */
    char *local;           /* local memory of all lanes */
    uint32_t local_stride; /* bytes of local memory per lane */
} warp;

/* Lanes whose thread has not exited. */
static inline uint32_t warp_live(const warp *w)
{
    return w->threads & ~w->exited;
}

/* Lanes that do not wait. */
static inline uint32_t warp_runnable(const warp *w)
{
    return warp_live(w) & ~(w->waiting[WAIT_SYNC] | w->waiting[WAIT_WARP] | w->waiting[WAIT_BARRIER]);
}

/* The lanes of m wait at an exit. They count as returned, besides those that have exited. */
static inline void warp_set_returned(warp *w, uint32_t m)
{
    w->returned = w->exited | m;
    w->returned_count = (uint32_t)__builtin_popcount(w->returned);
}

#define MAX_BARRIERS 16 /* of a block */

/* A barrier of a block, while threads wait at it. */
typedef struct barrier {
    uint32_t arrived;      /* threads that have arrived */
    uint32_t expected;     /* threads that it waits for; 0: all that have not exited */
    uint64_t last_arrival; /* issue clock of the warp that came last */
    uint32_t popc;         /* bar.red: threads whose predicate holds */
    uint32_t vote_count;   /* bar.red: threads that have voted */
} barrier;

typedef struct block {
    uint64_t number;               /* in the grid, counted along x, then y, then z */
    uint32_t index[3];             /* %ctaid */
    uint32_t warps, live_threads;  /* warps; threads that have not exited */
    warp *warp;                    /* by number */
    char *shared;                  /* its shared memory */
    struct race_block *races;      /* state of the race checker; NULL: races are not checked */
    struct block_cost *cost;       /* state of the cost model; NULL: there is none */
    barrier barrier[MAX_BARRIERS]; /* by number */
    uint64_t instructions;         /* issued by all its warps */
    uint64_t sleep_ns;             /* time that its warps have slept, per warp */
    uint64_t shared_version;       /* counts changes of shared memory */
    uint64_t global_version;       /* counts this block's changes of global memory */
    uint64_t random_state;         /* of random turns of warps */
    text printed;                  /* what its threads have printed */
} block;

/* An op in the cost model. Its registers are in cost_program.reg: sources first, then results. */
typedef struct cost_op {
    uint8_t class;            /* cost_class */
    uint8_t sources, results; /* numbers of registers that it reads and writes */
    bool predicated;          /* inside a short branch that ptxas replaces by predicates */
    bool bypasses_l1;         /* a load that L1 does not serve */
    uint32_t first;           /* its first register in cost_program.reg */
} cost_op;

typedef struct cost_program {
    cost_op *op;        /* by op of the program */
    uint32_t *reg;      /* registers of all ops */
    uint32_t registers; /* of all functions together */
} cost_program;

#define MAX_RESIDENT_BLOCKS 64 /* on one core of this computer */

/* Counts of an op. */
typedef struct op_counts {
    uint64_t instructions;                             /* issued to a warp */
    uint64_t thread_instructions;                      /* active lanes of these */
    uint64_t lost_divergence, lost_return, lost_block; /* idle lanes, by reason, as in gcast_simt_counts */
    uint64_t divergent;                                /* branches that went both ways */
    uint64_t barrier_wait;                             /* instructions for which warps waited at a barrier */
    uint64_t requests, sectors;                        /* of global memory; only if profiled */
    uint64_t shared_requests, wavefronts;              /* of shared memory; only if profiled */
    uint64_t atomic_rounds;                            /* of atomics; only if profiled */
} op_counts;

/* The output of a block. */
typedef struct block_text {
    uint64_t block; /* its number */
    text text;
} block_text;

/* All cores share this. */
typedef struct machine {
    program *program;
    const gcast_simt_options *options;   /* with defaults filled in */
    const gcast_launch *launch;          /* grid, block and buffers */
    uint64_t blocks;                     /* of the grid */
    uint32_t block_threads, block_warps; /* of a block */
    uint64_t max_instructions;           /* of a warp */
    bool tracks_conflicts;               /* find blocks that exchange data; otherwise blocks run in turn on one core */
    bool single_core;                    /* only one core runs blocks */
    _Atomic uint64_t next_block;         /* index of the next block to start, in the order of starts */
    _Atomic uint64_t done_blocks;        /* blocks that have ended */
    _Atomic bool stopping;               /* all cores must stop: one has failed, or blocks exchange data */
    _Atomic bool has_conflict;           /* blocks exchange data */
    _Atomic uint64_t printed_bytes;      /* of all blocks */
    pthread_mutex_t print_lock;          /* protects `printed` */
    VEC(block_text) printed;             /* output of blocks that have ended */
    cost_program cost;                   /* the ops in the cost model */
    gcast_block_cost *block_cost;        /* by block: its cost; NULL: no cost model */
    struct heap *heap;                   /* of malloc; NULL: malloc is not called */
    struct race_checker *races;          /* NULL: races are not checked */
    bool rerun_for_lines;                /* there are races, so the launch must run again to find their lines */
} machine;

/* One core of this computer that runs blocks. */
typedef struct core {
    machine *machine;
    op_counts *counts;              /* by op */
    uint64_t global_version;        /* counts changes of global memory by this core */
    uint64_t warps;                 /* warps that have ended */
    uint64_t max_warp_instructions; /* maximum of one warp */
    gcast_simt_mask *mask;          /* recorded active masks; NULL: masks are not recorded */
    uint32_t masks;                 /* recorded so far */
    gcast_error *err;               /* where its error goes; may be NULL */
    gcast_status status;            /* GCAST_OK until it fails */
    bool reports_progress;          /* it runs in the caller's thread, and reports the progress of all cores */
} core;

/* The block has changed global memory. */
static inline void memory_changed(core *c, const warp *w)
{
    c->global_version++;
    w->block->global_version++;
}

/* Fails with a message that names the thread of a lane and the place of the op; lane -1: no single thread. Always
 * false. */
bool machine_fail(core *c, const warp *w, const op *o, int lane, const char *format, ...) GCAST_PRINTF(5, 6);

#endif

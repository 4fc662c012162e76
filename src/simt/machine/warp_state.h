/* The state of a warp: where its lanes are, what they wait for, and the
 * registers of their calls. */
#ifndef SIMT_MACHINE_WARP_STATE_H
#define SIMT_MACHINE_WARP_STATE_H

#include <stddef.h>

#include "base/arena.h"
#include "simt/program/op.h"

/* The registers of one function at one depth of calls. Each lane uses its own column; lanes that are not in that call
 * do not use theirs. */
typedef struct frame {
    uint32_t function, depth;     /* number of the function; calls around it */
    rows rows;                    /* its registers and constants */
    uint32_t return_pc[LANES];    /* by lane: where it goes on after the return */
    const op *called_by[LANES];   /* by lane: the call */
    struct frame *caller[LANES];  /* by lane: the frame of the caller */
    uint32_t local_offset[LANES]; /* by lane: where its frame of local memory starts */
    struct frame *next;           /* another function's frame at this depth */
} frame;

/* An entry of the reconvergence stack, before Volta. */
typedef struct stack_entry {
    uint32_t pc, mask;   /* where its lanes go on; the lanes */
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
    WARP_SPINS,   /* it repeats itself until another warp changes memory */
    WARP_STUCK,   /* its lanes wait for each other forever */
    WARP_DONE,    /* all its threads have exited */
    WARP_FAILED   /* the error of the core is set, or blocks exchange data */
} warp_state;

typedef struct warp {
    struct block *block;     /* the block it belongs to */
    uint32_t number;         /* in its block */
    uint32_t threads;        /* mask of the lanes that have a thread */
    uint32_t exited;         /* mask of the lanes whose thread has exited */
    uint32_t returned;       /* mask of the lanes that have exited or wait for others at an exit */
    uint32_t returned_count; /* how many lanes `returned` has */
    uint8_t state;           /* warp_state after its last turn */

    /* the group of lanes that runs */
    uint32_t pc, active; /* its program counter; its lanes */
    frame *frame;        /* the call that it is in */
    uint32_t stop_pc;    /* where it must look for other groups, or reconverges; NO_PC: nowhere */
    bool out_of_order;   /* the active group runs out of the order of ranks, so that all groups make progress */
    uint32_t next_group_pc, next_group_rank; /* the group that comes after it; rank 0: not known */
    uint64_t turn_start;                     /* instructions when it began to run, or when a group was first skipped */

    /* since Volta: one program counter per thread */
    uint32_t lane_pc[LANES];        /* by lane: its program counter; of lanes that run, as of their last stop */
    frame *lane_frame[LANES];       /* by lane: the call that it is in */
    uint32_t waiting[WAIT_KINDS];   /* masks of the lanes that wait, by what for */
    bool waits_together;            /* all lanes came to a barrier as one group, and are at pc */
    uint32_t wait_mask[LANES];      /* by lane that waits: the member mask, or the number of the barrier */
    uint64_t lane_last_turn[LANES]; /* by lane: the turn in which it last ran out of order or was chosen */
    uint64_t turn_count;            /* turns so far */

    /* before Volta: one program counter per warp */
    stack_entry *stack; /* the reconvergence stack */
    size_t stack_cap;   /* entries that `stack` has memory for */
    uint32_t stack_top; /* entries in use */
    bool at_barrier;    /* it waits at a barrier */

    /* detection of loops that spin (warp/spin.c) */
    uint64_t back_jumps;                    /* jumps backwards since memory last changed */
    uint64_t watch_until;                   /* compare with the kept state up to this jump */
    uint64_t watched_hash, watched_version; /* the kept state, and the version of memory it belongs to */
    uint32_t watched_pc;                    /* where it was kept */
    bool clock_read;                        /* a clock was read, so the next round may differ */
    uint32_t ever_spun;                     /* mask of the lanes that were ever seen to spin */
    uint64_t lane_spin_version[LANES];      /* by lane: 1 + version of memory at which it was seen to spin; 0: never */

    /* counts */
    uint64_t instructions;    /* that it has issued */
    uint64_t barrier_arrival; /* instructions and waits when it came to the barrier it waits at */
    uint64_t barrier_wait;    /* instructions that it has waited at barriers, if all warps issue one in turn */

    /* cost model; times in hundredths of a cycle */
    uint64_t issue_clock;    /* when it may issue next */
    uint32_t last_mask;      /* active mask of its last instruction */
    uint64_t block_entry;    /* when it entered this basic block */
    uint64_t last_store;     /* when it last wrote memory */
    bool starts_basic_block; /* its next instruction starts a basic block */

    /* memory */
    frame **frames;        /* by depth of calls: the frames there, as lists */
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

/* Lanes that wait for nothing. */
static inline uint32_t warp_runnable(const warp *w)
{
    return warp_live(w) & ~(w->waiting[WAIT_SYNC] | w->waiting[WAIT_WARP] | w->waiting[WAIT_BARRIER]);
}

/* Besides those that have exited, the lanes of m count as returned: they wait at an exit. */
static inline void warp_set_returned(warp *w, uint32_t m)
{
    w->returned = w->exited | m;
    w->returned_count = (uint32_t)__builtin_popcount(w->returned);
}

#endif

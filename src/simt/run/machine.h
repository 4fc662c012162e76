/* The SIMT machine: a module decoded into flat code, warps with their registers
 * and the blocks they belong to. */
#ifndef SIMT_RUN_MACHINE_H
#define SIMT_RUN_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index.h"
#include "base/text/text.h"
#include "base/vec.h"
#include "gridcast/simt.h"
#include "ptx/ptx.h"
#include "simt/isa/lanes.h"

#define NO_PC UINT32_MAX
#define MOST_DEPTH 1024        /* of calls */
#define MOST_LOCAL (512 << 10) /* bytes of local memory a thread */
#define MOST_BARRIERS 16
#define MOST_RESIDENT 64 /* blocks in flight on one core */

typedef enum {
    OP_LANES,   /* registers only */
    OP_SPECIAL, /* special registers, and addresses that differ by thread */
    OP_MEMORY,  /* may fail */
    OP_SYNC,    /* waits for the lanes of a mask: shfl, vote, match, redux, bar.warp */
    OP_BARRIER,
    OP_BRANCH,
    OP_TABLE_BRANCH,
    OP_CALL,
    OP_RETURN,
    OP_EXIT,
    OP_TRAP,
    OP_SLEEP,
    OP_NOTHING /* fences and hints */
} op_kind;

struct core;
struct warp;
struct call;
typedef bool memory_function(struct core *c, struct warp *w, const struct op *o, uint32_t m);
/* One member mask of a warp: `set` are its lanes, all here. */
typedef void sync_function(struct core *c, struct warp *w, const struct op *o, uint32_t set);

typedef struct op {
    uint8_t kind, mix;
    uint8_t bytes, count;   /* memory: of an element, elements of a vector */
    uint8_t space, address; /* memory: ptx_space, bytes of the address register; 0: none */
    uint8_t what;           /* special register, atomic operation, barrier operation, mode of an exchange */
    uint8_t note;           /* atomics: how they count against those of other blocks */
    bool fused;             /* a sum that ptxas makes one fma of, with a product */
    bool absorbed;          /* a product that only such sums need: no instruction of the GPU */
    bool hidden;            /* part of the instruction after it: not counted */
    bool uniform;           /* memory: one address for all lanes */
    bool is_target;         /* some branch leads here */
    bool waits;             /* head of a loop that reads what others may write */
    bool in_frame;          /* memory: the address counts from the thread's frame */
    uint32_t guard_flip;
    slot guard, d, a, b, c;
    slot e;          /* fourth operand, or carry */
    uint32_t target; /* of a branch: index of an op */
    union {
        lane_function *lanes;
        memory_function *memory;
        sync_function *sync;
    } run;
    int64_t imm; /* offset of an address; shift of a conversion ... */
    slot *more;  /* rows of a vector, targets of a table */
    const struct call *call;
    uint32_t join;        /* of a branch: where its paths meet, NO_PC: only at the end of the function */
    uint32_t rank;        /* in its function: who is at the lowest runs first (decode/group_order.c) */
    uint32_t ahead;       /* ops up to the next whose rank is not the next or lower */
    int32_t line, column; /* of the PTX */
    uint32_t source_file, source_line;
    const ptx_instruction *source; /* NULL: of none in the text */
} op;

typedef struct call_value {
    uint32_t from, to, bytes; /* offsets in the caller's and the callee's frame of local memory */
} call_value;

/* A call: what it goes to and what it takes along. */
typedef struct call {
    int32_t function; /* -1: the address is in op.a; -2 - n: built in */
    uint32_t values, results;
    const call_value *value, *result;
} call;

/* A function's code: ops[first .. first + count). */
typedef struct function_code {
    const ptx_function *source;
    uint32_t first, count;
    uint32_t row_bytes;   /* of a frame */
    uint32_t local_bytes; /* of a frame: .local and .param variables */
    char *constants;
    uint32_t registers;                /* 32-bit ones */
    const uint32_t *param_at, *ret_at; /* where its parameters and results are in the frame of local memory */
} function_code;

/* A range of mapped memory that is not the caller's: a variable of the module, or a buffer of the launch. */
typedef struct region {
    const char *name;
    uint64_t base, bytes;
    char *data;
    bool constant;
    struct touch *touch; /* by 4-byte words: which blocks did; NULL: nobody asks */
} region;

/* Where a variable is: its address in its space, or for .local and .param of functions its place in the frame. */
typedef struct variable {
    const ptx_var *source;
    uint64_t at;
    bool in_frame;
} variable;

typedef struct program {
    arena memory;
    const ptx_module *module;
    gcast_simt_contract contract;
    VEC(variable) variables;
    hash_index variable_index;
    uint32_t ops, functions; /* function 0 is the kernel */
    op *op;
    function_code *function;
    char *params; /* the kernel's, as bytes */
    uint32_t param_bytes;
    uint32_t static_shared, shared_bytes;
    uint32_t regions;
    region *region;
    uint32_t sections;        /* of 1 << MEMORY_SECTION bytes, from address 0 on */
    uint32_t *section;        /* region + 1 of each; 0: none */
    uint32_t heap;            /* region + 1 of what malloc gives; 0: nothing calls it */
    uint32_t workspace;       /* region + 1 of what blocks of a grid meet at; 0: they do not */
    uint32_t reserved_shared; /* of shared_bytes: the system's, at the end */
} program;

/* The registers of one function at one depth of calls; lanes that are not in that call do not use theirs. */
typedef struct frame {
    uint32_t function, depth;
    rows rows;
    uint32_t return_pc[LANES];
    const op *called_by[LANES];
    struct frame *caller[LANES];
    uint32_t local[LANES]; /* where its local memory starts */
    struct frame *next;    /* of the same depth */
} frame;

typedef struct stack_entry {
    uint32_t pc, mask, join; /* join: pc where it ends, NO_PC: with its lanes */
    frame *frame;
    bool is_call; /* the first of a call */
} stack_entry;

/* What lanes wait for. */
enum { WAIT_SYNC, WAIT_WARP, WAIT_BARRIER, WAITS };

typedef struct warp {
    struct block *block;
    uint32_t number;  /* in its block */
    uint32_t threads; /* lanes that have a thread */
    uint32_t exited;
    uint32_t returned; /* have exited, or wait for others at an exit: compilers write one for all returns */
    uint32_t gone;     /* how many these are */
    uint8_t state;     /* warp_state, after its last turn */
    /* what runs now */
    uint32_t pc, active;
    frame *frame;
    uint32_t stop;               /* the next pc where another group may be due, NO_PC: none; STACK: the join */
    bool favoured;               /* runs out of order, for progress */
    uint32_t next_pc, next_rank; /* of the next group; rank 0: look at all */
    /* THREADS */
    uint32_t lane_pc[LANES];
    frame *lane_frame[LANES];
    uint32_t waits[WAITS];     /* lanes that wait for this */
    bool together;             /* all lanes came to a barrier as one group, and are at pc */
    uint32_t wait_mask[LANES]; /* of a sync; the id of a barrier */
    uint64_t lane_turn[LANES];
    uint64_t turn;
    /* STACK */
    stack_entry *stack;
    size_t stack_cap;
    uint32_t stack_top;
    bool at_barrier;
    /* what spins */
    uint64_t turn_start; /* instructions at the start of this turn, or since when a group is passed over */
    uint64_t backs, watch_until, watched_hash, watched_version;
    uint32_t watched_pc;
    bool clock_read;
    uint32_t spun;             /* lanes that were ever seen to spin */
    uint64_t lane_spin[LANES]; /* version of memory + 1 at which the lane was seen to spin; 0: it was not */
    uint64_t instructions;
    uint64_t barrier_since, waited; /* in instructions, as if all warps issued one in turn */
    uint64_t clock;                 /* with a cost model: when it may issue next */
    uint32_t last_mask;             /* of its last instruction */
    uint64_t entry, ordered;        /* when it came to this basic block; when it last wrote memory */
    bool enters;                    /* its next instruction starts a basic block */
    frame **frames;                 /* by depth */
    uint32_t frame_depths;
    arena memory;
    char *local; /* by lane, local_stride bytes each */
    uint32_t local_stride;
} warp;

typedef struct barrier {
    uint32_t arrived;     /* threads */
    uint32_t expected;    /* 0: all that have not exited */
    uint64_t latest;      /* clock of who came last */
    uint32_t popc, voted; /* of bar.red: for how many the predicate held, and of how many */
} barrier;

typedef struct block {
    uint64_t number;
    uint32_t at[3];
    uint32_t warps, live_threads;
    warp *warp;
    char *shared;
    struct race_block *races; /* NULL: they are not looked for */
    struct block_cost *cost;  /* NULL: no cost model */
    barrier barrier[MOST_BARRIERS];
    uint64_t instructions, slept;
    uint64_t shared_version; /* counts changes of shared memory */
    uint64_t random;         /* for turns that are drawn */
    uint64_t global_version; /* counts this block's changes of global memory */
    text out;
} block;

typedef struct op_counts {
    uint64_t instructions, threads, lost_divergence, lost_return, lost_block;
    uint64_t divergent, waits;
    uint64_t requests, sectors, shared_requests, wavefronts, rounds; /* only if profiled */
} op_counts;

/* An op as the cost model sees it; its registers are in the program's list, sources first. */
typedef struct cost_op {
    uint8_t class, sources, results;
    bool predicated; /* reached by a short jump that ptxas makes predicates of */
    bool past_l1;    /* a load that L1 does not serve */
    uint32_t first;
} cost_op;

typedef struct cost_program {
    cost_op *op; /* by op */
    uint32_t *reg;
    uint32_t registers; /* of all functions together */
} cost_program;

typedef struct block_text {
    uint64_t block;
    text out;
} block_text;

/* What all cores share. */
typedef struct machine {
    program *program;
    const gcast_simt_options *options;
    const gcast_launch *launch;
    uint64_t blocks;
    uint32_t block_threads, block_warps;
    uint64_t max_instructions;
    bool tracked; /* look for blocks that exchange data; else they do, and run in turn on one core */
    bool alone;   /* on one core */
    _Atomic uint64_t next_block;
    _Atomic uint64_t done_blocks;
    _Atomic bool stop; /* some core failed, or blocks exchange data */
    _Atomic bool conflict;
    _Atomic uint64_t printed_bytes;
    pthread_mutex_t print_lock;
    VEC(block_text) printed; /* of blocks that printed something */
    cost_program cost;
    gcast_block_cost *block_cost; /* by block; NULL: no cost model */
    struct heap *heap;
    struct race_checker *races; /* NULL: they are not looked for */
    bool exact_races;           /* there are some: they are looked for again, for their lines */
} machine;

/* One core of this computer that runs blocks. */
typedef struct core {
    machine *machine;
    op_counts *counts; /* by op */
    uint64_t version;  /* counts changes of global memory by this core */
    uint64_t warps, most_warp_instructions;
    gcast_simt_mask *mask;
    uint32_t masks;
    gcast_error *err;
    gcast_status status;
    bool tells; /* how much is done: it is the thread that called */
} core;

#endif

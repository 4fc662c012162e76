/* Ops: the instructions of a kernel after decoding, and the control flow between them. An op names its operands by rows
 * (program/lanes.h), so it runs without the PTX. Most PTX instructions become one op; some get hidden ops before them
 * that prepare an operand. */
#ifndef SIMT_PROGRAM_OP_H
#define SIMT_PROGRAM_OP_H

#include <stdbool.h>

#include "ptx/ptx.h"
#include "simt/program/lanes.h"

/* No target, or no reconvergence point. */
#define NO_PC UINT32_MAX

typedef enum {
    OP_LANES,        /* reads and writes registers only */
    OP_SPECIAL,      /* reads a special register, or an address that differs by thread */
    OP_MEMORY,       /* accesses memory, and may fail */
    OP_SYNC,         /* waits for the lanes of a member mask: shfl, vote, match, redux, bar.warp */
    OP_BARRIER,      /* a barrier of the block */
    OP_BRANCH,       /* a branch to one target */
    OP_TABLE_BRANCH, /* brx.idx: a branch to a target of a list */
    OP_CALL,         /* a call of a function */
    OP_RETURN,       /* a return to the caller */
    OP_EXIT,         /* the end of a thread */
    OP_TRAP,         /* trap or brkpt: an error */
    OP_SLEEP,        /* nanosleep */
    OP_NOTHING       /* fences and hints, which change no registers and no memory */
} op_kind;

struct core;
struct warp;
struct op;
/* Runs an op that accesses memory for the lanes of mask m; false with the error of the core set. */
typedef bool memory_function(struct core *c, struct warp *w, const struct op *o, uint32_t m);
/* Runs an op that exchanges values for one member mask of a warp, all of whose lanes have arrived. */
typedef void sync_function(struct core *c, struct warp *w, const struct op *o, uint32_t members);

/* A value that a call passes. */
typedef struct call_value {
    uint32_t caller_offset; /* in the caller's frame of local memory */
    uint32_t callee_offset; /* in the callee's frame of local memory */
    uint32_t bytes;         /* its size */
} call_value;

/* Values of call.function where it is not the number of a function. */
enum {
    CALL_INDIRECT = -1, /* the address of the function is in op.a */
    CALL_PRINT = -2,    /* vprintf */
    CALL_ASSERT = -3,   /* __assertfail */
    CALL_MALLOC = -4,   /* malloc */
    CALL_FREE = -5      /* free */
};

/* The callee, and the values that a call passes. */
typedef struct call {
    int32_t function;         /* number of the function in the program, or one of CALL_... */
    uint32_t values, results; /* numbers of arguments and results */
    const call_value *value;  /* the arguments */
    const call_value *result; /* the results */
} call;

/* One op. Fields that a kind of op does not use are zero, unless the file that decodes it says otherwise. */
typedef struct op {
    uint8_t kind;          /* op_kind */
    uint8_t mix;           /* gcast_simt_mix: its class in the instruction mix */
    uint8_t bytes;         /* memory: size of an element */
    uint8_t count;         /* memory: elements of a vector; elsewhere the number of results, or a flag */
    uint8_t space;         /* memory: ptx_space of the address */
    uint8_t address_bytes; /* memory: size of the address register; 0: the address is op.imm alone */
    uint8_t variant;       /* the operation within its kind: a special register, an atomic, a mode ... */
    uint8_t conflict_kind; /* atomics: how they count against accesses of other blocks (memory/block_conflicts.h) */
    uint8_t product_kind;  /* contracted sums: which instruction the product is (isa/floats.c) */
    bool fused;            /* a sum that ptxas contracts with a product into one fma */
    bool absorbed;         /* a product that only such sums use: no instruction of the GPU */
    bool hidden;           /* prepares an operand of the next op, and is not counted */
    bool is_uniform;       /* memory: all lanes have the same address */
    bool is_target;        /* some branch leads here */
    bool may_wait;         /* head of a loop that reads what other threads may write */
    bool in_frame;         /* memory: the address is an offset in the thread's frame of local memory */
    uint32_t guard_flip;   /* all ones where the guard is negated, else 0 */
    slot guard;            /* row of the guard predicate; a row of constants where there is no guard */
    slot d;                /* row of the result */
    slot a, b, c;          /* rows of the operands */
    slot e;                /* row of a fourth operand or of the carry; memory: width of the registers in bytes */
    uint32_t target;       /* branches: index of the target op; elsewhere a parameter of the variant */
    union {
        lane_function *lanes;    /* of OP_LANES */
        memory_function *memory; /* of OP_MEMORY */
        sync_function *sync;     /* of OP_SYNC; NULL: bar.warp.sync, which only waits */
    } run;
    int64_t imm;                   /* a constant: offset of an address, flags of a conversion ... */
    slot *list;                    /* rows of the elements of a vector, or targets of a table branch */
    const struct call *call;       /* of OP_CALL */
    uint32_t reconverge;           /* branches: the op where the paths meet; NO_PC: only at the end of the function */
    uint32_t rank;                 /* order in its function: the group at the lowest rank runs first */
    uint32_t run_length;           /* ops from here to the next one whose rank rises by more than one */
    int32_t line, column;          /* place in the PTX */
    uint32_t source_file;          /* index of the file in the PTX's .file list */
    uint32_t source_line;          /* line in that file; 0: not known */
    const ptx_instruction *source; /* the instruction it was decoded from; NULL: none in the text */
} op;

static inline bool flow_ends(const op *o)
{
    return o->kind == OP_EXIT || o->kind == OP_RETURN || o->kind == OP_TRAP;
}

static inline bool flow_is_guarded(const op *o)
{
    return !(o->guard & 1);
}

/* Does a thread at this op exit next? */
static inline bool flow_is_exit(const op *o)
{
    return o->kind == OP_EXIT && !flow_is_guarded(o);
}

/* The k-th successor of op n: the targets of a branch, then the next op. NO_PC after the last. */
static inline uint32_t flow_next(const op *ops, uint32_t n, uint32_t k)
{
    const op *o = &ops[n];
    uint32_t targets = o->kind == OP_BRANCH ? 1 : o->kind == OP_TABLE_BRANCH ? (uint32_t)o->imm : 0;
    if (k < targets)
        return o->kind == OP_BRANCH ? o->target : o->list[k];
    bool falls = (!targets && !flow_ends(o)) || flow_is_guarded(o);
    return falls && k == targets ? n + 1 : NO_PC;
}

/* Must the access see values that other threads have written: volatile, relaxed, acquire ...? */
bool flow_is_strong(const ptx_instruction *in);

/* Hidden ops use these lane functions: d = a */
lane_function lanes_copy_32, lanes_copy_64, lanes_copy_predicate;
/* d = c ? a : b, with a predicate c */
lane_function lanes_select_32, lanes_select_64;
/* d = !a */
lane_function lanes_not_predicate;

#endif

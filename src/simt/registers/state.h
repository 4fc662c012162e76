/* The state of the estimate of registers: PTX registers as the GPU sees them, and
 * the instructions of a block as steps of a schedule. */
#ifndef SIMT_REGISTERS_STATE_H
#define SIMT_REGISTERS_STATE_H

#include "base/vec.h"
#include "ptx/graph/graph.h"

#define REGISTER_FREE UINT32_MAX

/* Which PTX registers need a register of the GPU. Constants, parameters and what is computed of them alike for all
 * threads need none; a copy needs that of the original. */
typedef struct register_view {
    const ptx_graph *graph;  /* the function */
    uint32_t *stands_for;    /* by register: itself, the original of a copy, or REGISTER_FREE */
    uint8_t *words;          /* by register: its size in 32-bit registers; 0: a predicate */
    uint32_t *local;         /* by register: its number in the steps at hand, if `numbered_turn` is `turn` */
    uint32_t *numbered_turn; /* by register: the turn in which it was last numbered */
    uint32_t turn;           /* counts the lists of steps that were made */
} register_view;

typedef enum {
    STEP_PLAIN,    /* an instruction of fixed latency */
    STEP_DOUBLE,   /* of f64 */
    STEP_FUNCTION, /* of the special function unit */
    STEP_SPECIAL,  /* reads a special register */
    STEP_NEAR,     /* shared memory and exchanges */
    STEP_FAR,      /* other memory */
    STEP_STORE     /* has no result */
} step_kind;

typedef enum {
    STEP_REGISTERS, /* no access of memory */
    STEP_LOAD,
    STEP_WRITE,
    STEP_FENCE /* keeps its place among all accesses */
} step_memory;

/* An instruction of the GPU, as a schedule sees it. */
typedef struct step {
    uint32_t first;         /* its first operand in register_steps.operand: reads first, then writes */
    uint32_t reads, writes; /* how many registers it reads and writes */
    uint8_t kind, memory;   /* step_kind, step_memory */
    uint8_t space;          /* ptx_space of an access */
    uint8_t call_registers; /* ptxas calls a function for it: 32-bit registers of that function; else 0 */
    bool guarded;           /* it may leave its results as they were */
    bool call;              /* a call */
} step;

/* The steps of a block. Registers are numbered anew: only those that the steps use. */
typedef struct register_steps {
    VEC(step) steps;       /* in the order of the text */
    VEC(uint32_t) operand; /* registers of all steps */
    VEC(uint32_t) out;     /* registers that are live at the end */
    VEC(uint32_t) name;    /* by register: that of the text */
    VEC(uint8_t) words;    /* by register: its size in 32-bit registers */
    uint32_t live_through; /* 32-bit registers that are live throughout, but not used */
} register_steps;

/* The registers of a step: those it reads, then those it writes. NULL where no step of the block has any. */
static inline const uint32_t *step_registers(const register_steps *s, const step *x)
{
    return s->operand.count ? &s->operand.at[x->first] : NULL;
}

#endif

/* The PTX registers that need a register of the GPU, and the instructions of a block as steps of a schedule. */
#ifndef SIMT_PTXAS_REGISTER_STEPS_H
#define SIMT_PTXAS_REGISTER_STEPS_H

#include "base/vec.h"
#include "ptx/graph.h"
#include "ptx/live.h"

#define REGISTER_FREE UINT32_MAX

/* Which PTX registers need a register of the GPU. Constants, parameters and values that are computed from them alike
 * for all threads need none; a copy shares the register of its original. */
typedef struct register_view {
    const ptx_graph *graph;  /* the function */
    uint32_t *stands_for;    /* by register: itself, the original of a copy, or REGISTER_FREE */
    uint8_t *words;          /* by register: its size in 32-bit registers; 0: a predicate */
    uint32_t *local;         /* by register: its number in the current steps, if `numbered_turn` is `turn` */
    uint32_t *numbered_turn; /* by register: the turn in which it was last numbered */
    uint32_t turn;           /* number of lists of steps so far */
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

/* An instruction of the GPU in a schedule. */
typedef struct step {
    uint32_t first;         /* its first operand in register_steps.operand: reads first, then writes */
    uint32_t reads, writes; /* numbers of registers that it reads and writes */
    uint8_t kind, memory;   /* step_kind, step_memory */
    uint8_t space;          /* ptx_space of an access */
    uint8_t call_registers; /* ptxas calls a function for it: 32-bit registers of that function; else 0 */
    bool guarded;           /* it may keep the old values of its results */
    bool call;              /* a call */
} step;

/* The steps of a block. The registers that they use are numbered from 0. */
typedef struct register_steps {
    VEC(step) steps;       /* in the order of the text */
    VEC(uint32_t) operand; /* registers of all steps */
    VEC(uint32_t) out;     /* registers that are live at the end */
    VEC(uint32_t) name;    /* by register: the PTX register */
    VEC(uint8_t) words;    /* by register: its size in 32-bit registers */
    uint32_t live_through; /* 32-bit registers that are live throughout, but not used */
} register_steps;

/* The registers that a step reads, then those that it writes. NULL if no step of the block has any. */
static inline const uint32_t *step_registers(const register_steps *s, const step *x)
{
    return s->operand.count ? &s->operand.at[x->first] : NULL;
}

/* Fills *s with the instructions of a block, except dead ones and jumps, and with the registers that are live at its
 * end. Includes the following blocks that ptxas merges with it; *block_number becomes the last of them. False without
 * memory. */
bool registers_steps(const ptx_live *live, register_view *v, uint32_t *block_number, register_steps *s);
void registers_steps_clear(register_steps *s);
void registers_steps_free(register_steps *s);

/* False without memory. */
bool registers_view_make(register_view *v, const ptx_graph *g);
void registers_view_free(register_view *v);
/* What instructions read and write in this view. */
ptx_roles registers_roles(const register_view *v);

#endif

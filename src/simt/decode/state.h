/* The decoder: what is known while the instructions of a function become ops. */
#ifndef SIMT_DECODE_STATE_H
#define SIMT_DECODE_STATE_H

#include "simt/contract/contraction.h"
#include "simt/program/program.h"

/* A constant that some op has as an operand. */
typedef struct constant_operand {
    uint64_t bits; /* its value */
    bool wide;     /* its row has 64 bits per lane, else 32 */
    slot at;       /* its row */
} constant_operand;

typedef struct decoder {
    program *program;                /* that is made */
    const ptx_function *fn;          /* the function that is decoded */
    function_code *code;             /* what it becomes */
    VEC(op) ops;                     /* of all functions so far */
    const ptx_instruction *in;       /* the instruction that is decoded; NULL: none */
    uint32_t item;                   /* its number among the function's items */
    contraction *contract;           /* by item: which products become part of sums */
    uint64_t taken;                  /* bit i: modifier i of `in` was understood */
    slot *reg;                       /* by register: its row + 2; 0: not used yet */
    uint32_t frame_bytes;            /* size of the rows given out so far */
    uint32_t local_bytes;            /* size of the frame of local memory so far */
    slot carry;                      /* row of the carry + 2; 0: not used yet */
    VEC(constant_operand) constants; /* of the function */
    VEC(char) constant_bytes;        /* their rows */
    hash_index constant_index;       /* by bits and width: the number in `constants` */
    slot guard;                      /* row of the guard of `in` */
    uint32_t guard_flip;             /* all ones where that guard is negated */
    gcast_error *err;                /* where the error goes; may be NULL */
    gcast_status status;             /* GCAST_OK until something fails */
} decoder;

/* Decodes the instruction d->in: fills *o, which has its guard and place, and emits it; false with the error set. */
typedef bool instruction_decoder(decoder *d, op *o);

#endif

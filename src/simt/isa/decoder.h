/* The decoder turns the instructions of a function into ops: its state, the decoders of instructions by file, errors,
 * the ops that it emits, and modifiers. */
#ifndef SIMT_ISA_DECODER_H
#define SIMT_ISA_DECODER_H

#include "simt/program/program.h"
#include "simt/ptxas/contract.h"

/* A constant operand. */
typedef struct constant_operand {
    uint64_t bits; /* its value */
    bool wide;     /* its row has 64 bits per lane, otherwise 32 */
    slot at;       /* its row */
} constant_operand;

typedef struct decoder {
    program *program;                /* the result */
    const ptx_function *fn;          /* the current function */
    function_code *code;             /* the code of that function */
    VEC(op) ops;                     /* of all functions so far */
    const ptx_instruction *in;       /* the current instruction; NULL: none */
    uint32_t item;                   /* its number among the function's items */
    contraction *contract;           /* by item: which products become part of sums */
    uint64_t taken;                  /* bit i: modifier i of `in` was understood */
    slot *reg;                       /* by register: its row + 2; 0: not used yet */
    uint32_t frame_bytes;            /* size of the rows allocated so far */
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

/* isa/forms.c: instructions in the tables of lane_form; decode_arithmetic chooses these or decode_float by the type */
instruction_decoder decode_forms, decode_arithmetic;
/* isa/floats.c */
instruction_decoder decode_float;
/* isa/compare.c */
instruction_decoder decode_setp, decode_set, decode_selp, decode_slct, decode_testp;
/* isa/move.c */
instruction_decoder decode_mov, decode_cvta, decode_isspacep, decode_cvt;
/* isa/exchange.c */
instruction_decoder decode_shfl, decode_vote, decode_match, decode_redux, decode_elect, decode_activemask;
/* isa/logic.c */
instruction_decoder decode_lop3;
/* isa/integer.c: video instructions */
instruction_decoder decode_video;
/* memory/load_store.c; decode_cp: cp.async; decode_prefetch: instructions without an effect that a program sees */
instruction_decoder decode_ld, decode_st, decode_cp, decode_prefetch;
/* memory/atomics.c */
instruction_decoder decode_atom, decode_red;
/* memory/mbarrier.c; decode_copy_arrive: cp.async.mbarrier */
instruction_decoder decode_mbarrier, decode_copy_arrive;

/* Fails with the place of the instruction; always false. */
bool decode_fail(decoder *d, const char *format, ...) GCAST_PRINTF(2, 3);
bool decode_fail_memory(decoder *d);
/* Fails: the instruction with its modifiers is not supported. */
bool decode_unknown(decoder *d);

/* An op with the guard and the place of the instruction. */
op new_op(decoder *d, op_kind kind, gcast_simt_mix mix);
/* Adds it to the code. */
bool emit(decoder *d, const op *o);

/* A decoder takes the modifiers that it understands. A modifier that is left at the end is an error. */

/* Takes a modifier if it is there. */
bool take(decoder *d, const char *word);
/* Takes the next modifier that is a type; PTX_NO_TYPE: none is left. */
ptx_type take_type(decoder *d);
/* Takes the first modifier of a list that the instruction has, and returns its index; -1: it has none. */
int take_any_of(decoder *d, const char *const *words, int count);
/* Takes all modifiers of a list. They have no effect here, such as cache hints. */
void take_hints(decoder *d, const char *const *words, int count);
/* Takes a state space; PTX_SPACE_NONE: the instruction names none. */
ptx_space take_space(decoder *d);
/* Fails if a modifier was not taken. */
bool all_taken(decoder *d);
/* Fails unless the instruction has min to max operands. */
bool has_operands(decoder *d, uint32_t min, uint32_t max);

#endif

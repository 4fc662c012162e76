/* Decoding: a function's items become ops with operands as rows. What is not
 * known is an error that names it; no word of an instruction is passed over. */
#ifndef SIMT_DECODE_DECODE_H
#define SIMT_DECODE_DECODE_H

#include "simt/contract/contract.h"
#include "simt/float/float.h"
#include "simt/run/machine.h"

typedef struct constant {
    uint64_t bits;
    bool wide;
    slot at;
} constant;

typedef struct decoder {
    program *program;
    const ptx_function *fn;
    function_code *code;
    VEC(op) ops; /* of the module so far */
    const ptx_instruction *in;
    uint32_t item;         /* of `in` */
    contraction *contract; /* by item: what ptxas makes of products */
    uint64_t taken;        /* words of `in` that were understood */
    slot *reg;             /* by register: its row + 2; 0: not used yet */
    uint32_t frame_bytes;
    uint32_t local_bytes;
    slot carry; /* row + 2; 0: not used */
    VEC(constant) constants;
    VEC(char) constant_bytes;
    hash_index constant_index;
    slot guard; /* of `in` */
    uint32_t guard_flip;
    gcast_error *err;
    gcast_status status;
} decoder;

/* An instruction the machine knows. */
typedef struct instruction_form {
    const char *name, *forms;
    gcast_simt_mix mix;
    bool (*decode)(decoder *d, op *o);
} instruction_form;
const instruction_form *find_instruction(const char *name);

/* Fail with the place of the instruction; always false. */
bool decode_fail(decoder *d, const char *format, ...) GCAST_PRINTF(2, 3);
bool decode_fail_memory(decoder *d);
/* Fail with the instruction and its words as something that is not supported. */
bool decode_unknown(decoder *d);

/* Words after the opcode: take one if it is there; the next type; the place of one in a list, or -1; -1 also when
 * none is there. */
bool take(decoder *d, const char *word);
ptx_type take_type(decoder *d);
int take_of(decoder *d, const char *const *words, int count);
/* Words without an effect here, such as cache hints. */
void take_hints(decoder *d, const char *const *words, int count);
bool all_taken(decoder *d);
bool operands(decoder *d, uint32_t least, uint32_t most);
/* Types as instructions of floats see them; FLOAT_TYPES: none. */
float_type float_type_of(ptx_type t);

/* Rows of operands: shape as in lane_form. Special registers and addresses get an op of their own before. */
bool source(decoder *d, const ptx_operand *x, char shape, slot *out);
/* A source of a type: w, x, p by its size, and immediates as its values. */
bool typed_source(decoder *d, const ptx_operand *x, ptx_type t, slot *out);
bool destination(decoder *d, const ptx_operand *x, char shape, slot *out);
/* A register of at least so many bytes, for ld, st and cvt; *width is 2, 4 or 8. */
bool any_width(decoder *d, const ptx_operand *x, bool write, uint32_t least, slot *out, int *width);
bool scratch(decoder *d, char shape, slot *out);
slot carry_row(decoder *d);
char shape_of(ptx_type t); /* w, h, x or p */
bool constant_row(decoder *d, uint64_t bits, bool wide, slot *out);
bool immediate(decoder *d, const ptx_operand *x, uint64_t *bits); /* an integer that is written */
bool emit(decoder *d, const op *o);
op new_op(decoder *d, op_kind kind, gcast_simt_mix mix);

/* The address of an operand [..]: fills space, address, a, imm and uniform. */
bool decode_address(decoder *d, const ptx_operand *x, ptx_space space, op *o);
/* The address of a variable in its space as a source, wide: of 64 bits. */
bool variable_address(decoder *d, const ptx_operand *x, bool wide, slot *out);
bool place_variable(program *p, const ptx_var *v, uint64_t at, bool in_frame, gcast_error *err);
const variable *find_variable(const program *p, const ptx_var *v);

bool decode_forms(decoder *d, op *o);      /* by the tables of lane_form */
bool decode_arithmetic(decoder *d, op *o); /* of integers or floats, as the type says */
bool decode_float(decoder *d, op *o);
/* A sum that ptxas makes an fma of, with its own operands in a and b. */
bool decode_contracted(decoder *d, op *o, ptx_type t);
/* Put the factors of a product by for such sums. */
bool keep_factors(decoder *d, const op *product, ptx_type t);
bool decode_cvt(decoder *d, op *o);
bool decode_setp(decoder *d, op *o);
bool decode_set(decoder *d, op *o);
bool decode_selp(decoder *d, op *o);
bool decode_slct(decoder *d, op *o);
bool decode_mov(decoder *d, op *o);
bool decode_cvta(decoder *d, op *o);
bool decode_isspacep(decoder *d, op *o);
bool decode_ld(decoder *d, op *o);
bool decode_st(decoder *d, op *o);
bool decode_prefetch(decoder *d, op *o);
bool decode_atom(decoder *d, op *o);
bool decode_red(decoder *d, op *o);
bool decode_shfl(decoder *d, op *o);
bool decode_vote(decoder *d, op *o);
bool decode_match(decoder *d, op *o);
bool decode_redux(decoder *d, op *o);
bool decode_elect(decoder *d, op *o);
bool decode_activemask(decoder *d, op *o);
bool decode_bar(decoder *d, op *o);
bool decode_fence(decoder *d, op *o);
bool decode_bra(decoder *d, op *o);
bool decode_brx(decoder *d, op *o);
bool decode_call(decoder *d, op *o);
bool decode_end(decoder *d, op *o);
bool decode_nanosleep(decoder *d, op *o);
bool decode_testp(decoder *d, op *o);
bool decode_video(decoder *d, op *o);
bool decode_lop3(decoder *d, op *o);
bool decode_cp(decoder *d, op *o); /* cp.async */
bool decode_mbarrier(decoder *d, op *o);
bool decode_copy_arrive(decoder *d, op *o); /* cp.async.mbarrier */

/* Lay out the kernel's parameters and the module's variables; then all functions that can be reached. */
gcast_status decode_program(program *p, const gcast_launch *launch, gcast_error *err);
gcast_status decode_places(decoder *d, function_code *f); /* of its variables; of all functions before any code */
gcast_status decode_function(decoder *d, function_code *f);
/* Where the paths of each branch meet again: immediate post-dominators. */
gcast_status find_joins(op *ops, uint32_t first, uint32_t count, gcast_error *err);
/* Which of its places come first. */
gcast_status find_order(op *ops, uint32_t first, uint32_t count, gcast_error *err);

#endif

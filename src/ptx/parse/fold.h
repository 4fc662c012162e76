/* Arithmetic of constant expressions: on 64-bit integers, which are signed
 * unless they do not fit or end with U, and on doubles. What has no result is
 * an error. */
#ifndef PTX_PARSE_FOLD_H
#define PTX_PARSE_FOLD_H

#include "ptx/parse/state.h"

/* The value of a constant expression. */
typedef struct constant {
    enum { CONSTANT_SIGNED, CONSTANT_UNSIGNED, CONSTANT_F32, CONSTANT_F64 } kind; /* its type */
    uint64_t bits; /* an integer of 64 bits, or the bits of a float */
} constant;

bool fold_binary(parser *p, ptx_place at, int sign, constant a, constant b, constant *out);
bool fold_unary(parser *p, ptx_place at, int sign, constant *c);
/* (.s64) or (.u64) */
bool fold_cast(parser *p, constant *c, bool to_unsigned, ptx_place at);
bool fold_is_true(constant c);

#endif

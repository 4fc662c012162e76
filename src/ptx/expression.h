/* Parses constant expressions. They are on 64-bit integers, which are signed unless they do not fit or end with U, and
 * on doubles. An operation without a result is an error. */
#ifndef PTX_EXPRESSION_H
#define PTX_EXPRESSION_H

#include "ptx/parser.h"

/* The value of a constant expression. */
typedef struct constant {
    enum { CONSTANT_SIGNED, CONSTANT_UNSIGNED, CONSTANT_F32, CONSTANT_F64 } kind; /* its type */
    uint64_t bits; /* an integer of 64 bits, or the bits of a float */
} constant;

bool parse_constant(parser *p, constant *out);
/* An offset, from its sign + or - on; 0 where there is none. */
bool parse_offset(parser *p, int64_t *out);
/* An integer from lo to hi. The error names `subject`. */
bool parse_integer(parser *p, const char *subject, uint64_t lo, uint64_t hi, uint64_t *out);
/* Does the next token start a constant expression? */
bool parse_starts_constant(const parser *p);

#endif

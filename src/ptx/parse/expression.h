/* Constant expressions. */
#ifndef PTX_PARSE_EXPRESSION_H
#define PTX_PARSE_EXPRESSION_H

#include "ptx/parse/fold.h"

bool parse_constant(parser *p, constant *out);
/* An offset, from its sign + or - on; 0 where there is none. */
bool parse_offset(parser *p, int64_t *out);
/* An integer from lo to hi; `subject` is what the error names. */
bool parse_integer(parser *p, const char *subject, uint64_t lo, uint64_t hi, uint64_t *out);
/* Does the next token start a constant expression? */
bool parse_starts_constant(const parser *p);

#endif

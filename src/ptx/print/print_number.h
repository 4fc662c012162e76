/* Numbers as PTX text. */
#ifndef PTX_PRINT_PRINT_NUMBER_H
#define PTX_PRINT_PRINT_NUMBER_H

#include "ptx/ptx.h"

/* An operand that is a number. */
void print_number(const ptx_operand *o, text *out);
/* A number that parses as a signed one. */
void print_signed(int64_t v, text *out);
/* An offset with its sign; nothing for 0. */
void print_offset(int64_t offset, text *out);

#endif

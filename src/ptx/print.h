/* The parts of the printer. */
#ifndef PTX_PRINT_H
#define PTX_PRINT_H

#include "ptx/parse/parse.h"

void print_var(const ptx_var *v, text *out);
/* Returns, name, parameters and directives. */
void print_head(const ptx_function *f, text *out);
void print_item(const ptx_function *f, const ptx_item *item, text *out);
void print_number(const ptx_operand *o, text *out);
void print_offset(int64_t offset, text *out);

#endif

/* Variables and heads of functions as PTX text. */
#ifndef PTX_PRINT_PRINT_VAR_H
#define PTX_PRINT_PRINT_VAR_H

#include "ptx/ptx.h"

void print_var(const ptx_var *v, text *out);
/* Results, name, parameters and directives. */
void print_head(const ptx_function *f, text *out);

#endif

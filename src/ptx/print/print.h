/* A module as PTX text. */
#ifndef PTX_PRINT_PRINT_H
#define PTX_PRINT_PRINT_H

#include "ptx/ptx.h"

/* Prints text that parses to the same program; debug sections are left out. */
void ptx_print(const ptx_module *m, text *out);

#endif

/* The lines of a function's body as PTX text. */
#ifndef PTX_PRINT_PRINT_ITEM_H
#define PTX_PRINT_PRINT_ITEM_H

#include "ptx/ptx.h"

void print_item(const ptx_function *f, const ptx_item *item, text *out);

#endif

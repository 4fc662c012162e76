/* Comparison of modules. */
#ifndef PTX_SAME_H
#define PTX_SAME_H

#include "ptx/ptx.h"

/* Are they the same program? Places in the text and comments do not count. */
bool ptx_same(const ptx_module *a, const ptx_module *b);

#endif

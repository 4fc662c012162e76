/* Functions of a module by their names. */
#ifndef PTX_FIND_FUNCTION_H
#define PTX_FIND_FUNCTION_H

#include "ptx/ptx.h"

/* The definition, or else a declaration; NULL: there is none. */
const ptx_function *ptx_find_function(const ptx_module *m, const char *name);

#endif

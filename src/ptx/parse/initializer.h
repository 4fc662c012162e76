/* Initializers of variables. */
#ifndef PTX_PARSE_INITIALIZER_H
#define PTX_PARSE_INITIALIZER_H

#include "ptx/parse/state.h"

/* The initializer of a variable whose type and dimensions are known; fills its values, and the size of []. */
bool parse_initializer(parser *p, ptx_var *v);

#endif

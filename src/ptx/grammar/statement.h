/* Bodies of functions. */
#ifndef PTX_GRAMMAR_STATEMENT_H
#define PTX_GRAMMAR_STATEMENT_H

#include "ptx/parse/state.h"

/* The body of a function in braces. The function's own scope is open, with its parameters in it. */
bool parse_body(parser *p);

#endif

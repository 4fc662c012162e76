/* Heads of functions: results, name, parameters and directives. */
#ifndef PTX_GRAMMAR_FUNCTION_HEAD_H
#define PTX_GRAMMAR_FUNCTION_HEAD_H

#include "ptx/parse/state.h"

/* The head of a kernel or function, from .entry or .func on; *name is its name. */
bool parse_head(parser *p, ptx_function *f, uint32_t *name);
/* A prototype of indirect calls, after `name:` .callprototype. */
bool parse_prototype(parser *p, ptx_function **out);

#endif

/* Kernels and functions. */
#ifndef PTX_GRAMMAR_FUNCTION_H
#define PTX_GRAMMAR_FUNCTION_H

#include "ptx/parse/state.h"

/* A kernel or function, from .entry or .func on. */
bool parse_function(parser *p, ptx_link link);
/* .alias name, function; */
bool parse_alias(parser *p);

#endif

/* Parses the bodies of functions. */
#ifndef PTX_STATEMENT_H
#define PTX_STATEMENT_H

#include "ptx/parser.h"

/* A body in braces. The scope of the function is open, with its parameters in it. */
bool parse_body(parser *p);

#endif

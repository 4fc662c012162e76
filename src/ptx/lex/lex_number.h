/* Numbers of PTX text. */
#ifndef PTX_LEX_LEX_NUMBER_H
#define PTX_LEX_LEX_NUMBER_H

#include "ptx/lex/token.h"

/* The number at x->at, which starts with a digit, or with a dot and a digit; fills kind, size and value of t. */
void lex_number(lexer *x, token *t);

#endif

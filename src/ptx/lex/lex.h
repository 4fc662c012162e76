/* The lexer: PTX text becomes tokens. Comments and white space are skipped. */
#ifndef PTX_LEX_LEX_H
#define PTX_LEX_LEX_H

#include "ptx/lex/token.h"

void lex_open(lexer *x, const char *text, size_t size);
/* The next token; TOKEN_END after the last. */
void lex_next(lexer *x, token *t);

#endif

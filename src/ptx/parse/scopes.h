/* Names and what they mean, by scope. */
#ifndef PTX_PARSE_SCOPES_H
#define PTX_PARSE_SCOPES_H

#include "ptx/parse/state.h"

/* The number of a word. */
bool parse_atom(parser *p, const char *text, size_t size, uint32_t *out);
/* The next token must be a name; goes past it. `expected` is what the error names. */
bool parse_name(parser *p, const char *expected, uint32_t *name, ptx_place *at);
/* What a name means in the innermost scope; NULL: nothing. */
symbol *parse_lookup(parser *p, uint32_t name);
/* Declares a name in the innermost scope; one that is already declared there is an error. */
bool parse_declare(parser *p, symbol s);
bool parse_scope_open(parser *p, uint32_t open_item);
bool parse_scope_close(parser *p);
/* An operand names a label, which may follow later. */
bool parse_pending_label(parser *p, ptx_operand *operand, uint32_t name);

#endif

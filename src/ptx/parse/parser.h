/* Errors and tokens of the parser, and text that is kept as written. */
#ifndef PTX_PARSE_PARSER_H
#define PTX_PARSE_PARSER_H

#include "ptx/parse/state.h"

/* Fails with a message and a place; always false. */
bool parse_fail(parser *p, ptx_place at, const char *format, ...) GCAST_PRINTF(3, 4);
/* Fails: memory ran out. */
bool parse_memory(parser *p);
/* Fails with "expected WHAT, not `...`" at the next token. */
bool parse_expected(parser *p, const char *expected);

/* Goes past the next token. */
bool parse_advance(parser *p);
bool parse_is_sign(const parser *p, int sign);
bool parse_is_dot(const parser *p, const char *word);
bool parse_is_name(const parser *p, const char *word);
/* The next token must be this sign; goes past it. */
bool parse_sign(parser *p, char sign);
/* If the next token is this sign, goes past it and sets *was. */
bool parse_if_sign(parser *p, int sign, bool *found);

/* Adds the next token to p->buffer, with one space between words, and goes past it. */
bool parse_keep(parser *p);
/* What was kept, or NULL for nothing; empties the buffer. */
bool parse_kept(parser *p, const char **out);

/* A copy in the memory of the module; NULL without memory. */
const void *parse_copy(parser *p, const void *data, size_t count, size_t size);
/* Adds an item to the body of the function. */
bool parse_add_item(parser *p, ptx_item item);

#endif

/* The words of PTX text: names, dotted words, numbers, strings and signs, each
 * with its place. Comments and white space are skipped. */
#ifndef PTX_PARSE_LEX_H
#define PTX_PARSE_LEX_H

#include "ptx/ptx.h"

typedef enum {
    TOKEN_END,
    TOKEN_NAME,   /* foo, %r1, $L__BB0_1 */
    TOKEN_DOT,    /* .param, .L2::128B; `start` is after the dot */
    TOKEN_INT,    /* bits, is_unsigned */
    TOKEN_F32,    /* 0f3F800000 */
    TOKEN_F64,    /* 0d..., 1.5 */
    TOKEN_STRING, /* `start` is after the quote */
    TOKEN_SIGN,   /* sign: one character, or two as TOKEN_TWO('<', '<') */
    TOKEN_BAD     /* problem */
} token_kind;

#define TOKEN_TWO(a, b) ((a) << 8 | (b))

typedef struct token {
    token_kind kind;
    int sign;
    const char *start;
    size_t size;
    ptx_place at;
    uint64_t bits;
    bool is_unsigned;
    const char *problem;
} token;

typedef struct lexer {
    const char *at, *end, *start, *line_start;
    int line;
} lexer;

void lex_open(lexer *x, const char *text, size_t size);
void lex_next(lexer *x, token *t);
/* The number at x->at, which starts with a digit or is .5; fills kind, size and value of t. */
void lex_number(lexer *x, token *t);

static inline bool lex_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool lex_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static inline bool lex_is_word(char c)
{
    return lex_is_letter(c) || lex_is_digit(c);
}

#endif

/* The lexer: PTX text becomes tokens (names, dotted words, numbers, strings and signs), each with its place. Comments
 * and white space are skipped. */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "ptx/ptx.h"

typedef enum {
    TOKEN_END,    /* of the text */
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
    token_kind kind;     /* which of the fields below count */
    int sign;            /* of TOKEN_SIGN */
    const char *start;   /* in the text */
    size_t size;         /* its characters */
    ptx_place at;        /* line and column */
    uint64_t bits;       /* value of a number */
    bool is_unsigned;    /* of TOKEN_INT: it does not fit a signed number, or ends with U */
    const char *problem; /* of TOKEN_BAD: what is wrong */
} token;

typedef struct lexer {
    const char *at;          /* the next character */
    const char *start, *end; /* of the text */
    const char *line_start;  /* the first character of the line */
    int line;                /* its number, from 1 */
} lexer;

void lex_open(lexer *x, const char *text, size_t size);
/* The next token; TOKEN_END after the last. */
void lex_next(lexer *x, token *t);

#endif

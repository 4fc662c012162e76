/* JSON's tokens, and where in the text they are. Errors are in jansson's words. */
#ifndef FILES_JSON_JSON_TOKEN_H
#define FILES_JSON_JSON_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text/text.h"
#include "gridcast/error.h"

typedef enum { END, MARK, STRING, INTEGER, REAL, WORD_TRUE, WORD_FALSE, WORD_NULL, INVALID } token_kind;

typedef struct token_reader {
    const char *text;        /* all of it */
    const char *end;         /* of the text */
    const char *at;          /* behind the token */
    const char *token_start; /* where the token begins */
    token_kind token;        /* that was read last */
    long long integer;       /* of INTEGER */
    double real;             /* of REAL */
    text string;             /* of STRING: its bytes, without escapes */
    gcast_status status;     /* of the first error */
    gcast_error *err;        /* of the first error */
} token_reader;

/* Reads the next token; INVALID also where something failed. */
void token_next(token_reader *p);
/* Is the token this one of {}[]:, ? */
bool token_is(const token_reader *p, char mark);
/* Keeps this error, unless there was one before, with the token and the place behind it. */
void token_fail(token_reader *p, const char *message);
/* The same without the token. */
void token_fail_alone(token_reader *p, const char *message);
void token_fail_memory(token_reader *p);

#endif

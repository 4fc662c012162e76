/* A writer of JSON: brackets, commas, line breaks and escapes in one place. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/text.h"

#define JSON_UNKNOWN INT64_MIN /* an integer that is written as null; so are a double that is no number, and a NULL */

/* Writes values to `out`. Begins as {.out = out, .indent = 1}; whoever owns `out` checks for failures. */
typedef struct json_out {
    text *out;
    int indent;       /* spaces per level, where a line begins; 0: nor are there any behind commas and colons */
    int depth;        /* brackets that are open */
    bool needs_comma; /* a value was written before, in the same brackets */
} json_out;

/* In these functions a key of NULL stands for an element of a list. Keys need no escapes. */

/* Writes the key; the caller writes the value to `out`. */
void json_key(json_out *j, const char *key);
/* Opens '{' or '['. */
void json_begin(json_out *j, const char *key, char bracket);
/* Closes what was opened last. */
void json_end(json_out *j, char bracket);
/* Begins the next line, for the next key or element. */
void json_line(json_out *j);
void json_line_at(json_out *j, int spaces);

void json_put_text(json_out *j, const char *key, const char *value);
/* A short word that needs no escapes, such as the name of an enumerator. */
void json_put_name(json_out *j, const char *key, const char *name);
void json_put_bool(json_out *j, const char *key, bool value);
void json_put_int(json_out *j, const char *key, int64_t value);
void json_put_count(json_out *j, const char *key, uint64_t value);
void json_put_decimals(json_out *j, const char *key, int decimals, double value);
/* Thousandths, with three decimals. */
void json_put_milli(json_out *j, const char *key, int64_t value);
/* Ends `made` and writes its text. */
void json_put_made(json_out *j, const char *key, text *made);

/* What these calls write between the brackets. */
#define json_put_record(j, key, call) (json_begin(j, key, '{'), (call), json_end(j, '}'))
#define json_put_list(j, key, call) (json_begin(j, key, '['), (call), json_end(j, ']'))
/* The elements of a list of texts. */
void json_texts(json_out *j, const char *const *values, size_t count);

/* Ends `made`, a text without a sink, and writes what it has with `put`, which escapes it. */
void text_made(text *t, text *made, void (*put)(text *t, const char *s));

#endif

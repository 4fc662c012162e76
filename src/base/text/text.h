/* Text on its way out: a buffered writer with fast integers, and escaping for
 * every place where text from a file ends up. */
#ifndef BASE_TEXT_TEXT_H
#define BASE_TEXT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/error.h"

#define TEXT_MUST_LOOK __attribute__((warn_unused_result))

typedef bool (*text_sink)(void *data, const char *bytes, size_t size);

/* Collects bytes and hands them to `sink` in large pieces; after a failure it
 * swallows everything and `failed` stays set. With no sink it grows in memory
 * and `data` is the text (not NUL-terminated until text_take). Nothing on the way
 * need look at `failed`: text_finish and text_take, one of which ends it, tell. */
typedef struct text {
    text_sink sink;
    void *sink_data;
    char *data;
    size_t used, cap;
    bool failed, no_memory; /* the second says why */
    bool lent;              /* `data` is the caller's */
} text;

void text_open(text *t, text_sink sink, void *sink_data);
/* With a buffer of the caller's, of at least 4096 bytes: asks for no memory. */
void text_open_in(text *t, text_sink sink, void *sink_data, char *buffer, size_t size);
/* Hand over what is left, and free the buffer; GCAST_RESOURCE if anything failed: memory, or the sink. */
gcast_status text_finish(text *t, gcast_error *err) TEXT_MUST_LOOK;
/* For a text without a sink: its bytes, NUL-terminated, for the caller to free; NULL where memory was short. */
char *text_take(text *t, size_t *size) TEXT_MUST_LOOK;
/* Nobody wants it. */
void text_drop(text *t);
/* What goes into it could not be had for want of memory: it has failed. */
void text_no_memory(text *t);

/* Room for n more bytes at t->data + t->used; false on failure. n <= 4096 with a sink. */
bool text_room(text *t, size_t n);
void text_bytes(text *t, const char *bytes, size_t size);
void text_str(text *t, const char *s);
void text_char(text *t, char c);
void text_int(text *t, int64_t v);
void text_uint(text *t, uint64_t v);
/* Thousandths as a decimal: 1234 is 1.234. */
void text_milli(text *t, int64_t v);
/* As printf in the locale "C". */
void text_printf(text *t, const char *format, ...) GCAST_PRINTF(2, 3);

/* Decimal digits of v at p (at most 20, no NUL); returns their end. */
char *text_digits(char *p, uint64_t v);

void text_json(text *t, const char *s);     /* a JSON string with its quotes; bad UTF-8 becomes U+FFFD */
void text_xml(text *t, const char *s);      /* for XML text and attributes */
void text_csv(text *t, const char *s);      /* a CSV field, quoted where needed; formula starts are defused */
void text_terminal(text *t, const char *s); /* control characters as \xNN */
/* The same of any bytes, but ends of lines and tabs stay. */
void text_terminal_lines(text *t, const char *bytes, size_t size);

/* Columns a terminal needs to show s after text_terminal. */
size_t text_width(const char *s);
/* Length in bytes of the valid UTF-8 sequence at s, 0 where it is not valid. */
size_t text_utf8(const char *s);

#endif

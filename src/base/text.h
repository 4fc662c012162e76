/* A buffered writer of text with fast integers, and with escaping for JSON, XML, CSV and terminals. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/error.h"

#define TEXT_MUST_CHECK __attribute__((warn_unused_result))

typedef bool (*text_sink)(void *data, const char *bytes, size_t size);

/* Collects bytes and hands them to `sink` in large pieces. Without a sink it grows in memory. After a failure it
 * ignores everything. Writers need not check `failed`: text_finish or text_take, one of which ends a text, says so. */
typedef struct text {
    text_sink sink;  /* NULL: the text stays in memory */
    void *sink_data; /* for sink */
    char *data;      /* the buffer, without a NUL */
    size_t used;     /* bytes in it */
    size_t cap;      /* its size */
    bool failed;     /* no memory, or the sink refused bytes */
    bool no_memory;  /* it failed for want of memory */
    bool lent;       /* the buffer belongs to the caller */
} text;

void text_open(text *t, text_sink sink, void *sink_data);
/* As text_open, with a buffer of the caller of at least 4096 bytes; allocates nothing. */
void text_open_in(text *t, text_sink sink, void *sink_data, char *buffer, size_t size);
/* Hands over what is left, and frees the buffer; GCAST_RESOURCE if memory or the sink failed. */
gcast_status text_finish(text *t, gcast_error *err) TEXT_MUST_CHECK;
/* The bytes of a text without a sink, with a NUL, for the caller to free; NULL without memory. */
char *text_take(text *t, size_t *size) TEXT_MUST_CHECK;
/* Frees the buffer without writing it. */
void text_drop(text *t);
/* Makes the text fail, as there was no memory for something that was to be written. */
void text_no_memory(text *t);

/* Reserves n more bytes at t->data + t->used; false on failure. n <= 4096 with a sink. */
bool text_reserve(text *t, size_t n);
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

void text_json(text *t, const char *s); /* a JSON string with its quotes; bad UTF-8 becomes U+FFFD */
/* A JSON string that is harmless inside a script element of a page, cut to max_chars; marks that hide or reorder text
 * become U+FFFD. */
void text_json_page(text *t, const char *s, size_t max_chars);
void text_xml(text *t, const char *s); /* for XML text and attributes */
/* A CSV field, quoted as in RFC 4180 where needed. The start of a formula is made harmless; control characters, line
 * ends among them, and marks that hide or reorder text become \xNN. */
void text_csv(text *t, const char *s);
void text_terminal(text *t, const char *s); /* control characters as \xNN */
/* Any bytes, with control characters other than line ends and tabs as \xNN. */
void text_terminal_lines(text *t, const char *bytes, size_t size);

/* Do these bytes begin with the text `with`? */
static inline bool begins_with(const char *bytes, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

/* Columns a terminal needs to show s after text_terminal. */
size_t text_width(const char *s);
/* Length in bytes of the valid UTF-8 sequence at s, 0 where it is not valid. */
size_t text_utf8(const char *s);

#endif

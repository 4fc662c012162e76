#include "base/text/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/number.h"

#define BUFFER (1 << 18) /* bytes, with a sink */

void text_open(text *t, text_sink sink, void *sink_data)
{
    *t = (text){.sink = sink, .sink_data = sink_data};
}

void text_open_in(text *t, text_sink sink, void *sink_data, char *buffer, size_t size)
{
    *t = (text){.sink = sink, .sink_data = sink_data, .data = buffer, .cap = size, .lent = true};
}

void text_no_memory(text *t)
{
    t->no_memory = t->no_memory || !t->failed;
    t->failed = true;
}

static void flush(text *t)
{
    if (!t->failed && t->used && !t->sink(t->sink_data, t->data, t->used))
        t->failed = true;
    t->used = 0;
}

static bool grow(text *t, size_t need)
{
    size_t cap = t->cap ? t->cap : t->sink ? BUFFER : 4096;
    while (cap < need) {
        if (cap > PTRDIFF_MAX / 2)
            return false;
        cap *= 2;
    }
    char *p = t->lent ? NULL : realloc(t->data, cap);
    if (!p)
        return false;
    t->data = p;
    t->cap = cap;
    return true;
}

bool text_reserve(text *t, size_t n)
{
    if (t->failed)
        return false;
    if (t->cap - t->used >= n)
        return true;
    if (t->sink && t->cap)
        flush(t);
    if (!t->failed && t->cap - t->used < n && !grow(t, t->used + n))
        text_no_memory(t);
    return !t->failed;
}

void text_drop(text *t)
{
    if (!t->lent)
        free(t->data);
    *t = (text){0};
}

gcast_status text_finish(text *t, gcast_error *err)
{
    if (t->sink)
        flush(t);
    bool failed = t->failed, no_memory = t->no_memory;
    text_drop(t);
    if (no_memory)
        return gcast_error_set_memory(err);
    return failed ? gcast_error_set(err, GCAST_RESOURCE, NULL, "the output could not be written") : GCAST_OK;
}

char *text_take(text *t, size_t *size)
{
    if (!text_reserve(t, 1)) {
        text_drop(t);
        return NULL;
    }
    char *p = t->data;
    p[t->used] = '\0';
    if (size)
        *size = t->used;
    *t = (text){0};
    return p;
}

void text_bytes(text *t, const char *bytes, size_t size)
{
    while (size) {
        size_t n = t->sink && size > 4096 ? 4096 : size;
        if (!text_reserve(t, n))
            return;
        memcpy(t->data + t->used, bytes, n);
        t->used += n;
        bytes += n;
        size -= n;
    }
}

void text_str(text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

void text_char(text *t, char c)
{
    if (text_reserve(t, 1))
        t->data[t->used++] = c;
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                            "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

static int digit_count(uint64_t v)
{
    static const uint64_t tens[20] = {0, /* so that 0 has one digit */
                                      10u,
                                      100u,
                                      1000u,
                                      10000u,
                                      100000u,
                                      1000000u,
                                      10000000u,
                                      100000000u,
                                      1000000000u,
                                      10000000000u,
                                      100000000000u,
                                      1000000000000u,
                                      10000000000000u,
                                      100000000000000u,
                                      1000000000000000u,
                                      10000000000000000u,
                                      100000000000000000u,
                                      1000000000000000000u,
                                      10000000000000000000u};
    int bits = 64 - __builtin_clzll(v | 1);
    int n = (bits * 1233) >> 12; /* log10(2) is about 1233/4096 */
    return n + (v >= tens[n]);
}

char *text_digits(char *p, uint64_t v)
{
    char *end = p + digit_count(v);
    char *q = end;
    while (v >= 100) {
        memcpy(q -= 2, pairs + v % 100 * 2, 2);
        v /= 100;
    }
    if (v >= 10)
        memcpy(q - 2, pairs + v * 2, 2);
    else
        q[-1] = (char)('0' + v);
    return end;
}

void text_uint(text *t, uint64_t v)
{
    if (text_reserve(t, 20))
        t->used = (size_t)(text_digits(t->data + t->used, v) - t->data);
}

void text_int(text *t, int64_t v)
{
    if (v < 0)
        text_char(t, '-');
    text_uint(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void text_milli(text *t, int64_t v)
{
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (v < 0)
        text_char(t, '-');
    text_uint(t, u / 1000);
    if (text_reserve(t, 4)) {
        char *p = t->data + t->used;
        p[0] = '.';
        p[1] = (char)('0' + u / 100 % 10);
        p[2] = (char)('0' + u / 10 % 10);
        p[3] = (char)('0' + u % 10);
        t->used += 4;
    }
}

void text_printf(text *t, const char *format, ...)
{
    char small[512];
    va_list args;
    va_start(args, format);
    int n = number_print_list(small, sizeof small, format, args);
    va_end(args);
    if (n < 0)
        text_no_memory(t);
    else if ((size_t)n < sizeof small)
        text_bytes(t, small, (size_t)n);
    else {
        char *large = malloc((size_t)n + 1);
        if (!large) {
            text_no_memory(t);
            return;
        }
        va_start(args, format);
        int printed = number_print_list(large, (size_t)n + 1, format, args);
        va_end(args);
        if (printed == n)
            text_bytes(t, large, (size_t)n);
        else
            text_no_memory(t);
        free(large);
    }
}

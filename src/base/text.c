#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/number.h"

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

/* Escaping: text from a file may contain anything, and must not become markup, a formula or a control sequence in JSON,
 * XML, CSV or a terminal. */

typedef struct range {
    uint32_t first, last;
} range;

static bool is_in(uint32_t c, const range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}
#define IS_IN(c, ranges) is_in(c, ranges, sizeof(ranges) / sizeof(ranges)[0])

/* Decodes the character at s; returns its bytes, 0 where it is not valid. */
static size_t decode(const char *s, uint32_t *character)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t n;
    uint32_t c, min;
    *character = u[0];
    if (u[0] < 0x80)
        return u[0] ? 1 : 0;
    if (u[0] >= 0xc2 && u[0] < 0xe0)
        n = 2, c = u[0] & 0x1f, min = 0x80;
    else if (u[0] >= 0xe0 && u[0] < 0xf0)
        n = 3, c = u[0] & 0x0f, min = 0x800;
    else if (u[0] >= 0xf0 && u[0] < 0xf5)
        n = 4, c = u[0] & 0x07, min = 0x10000;
    else
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (u[i] & 0x3f);
    }
    *character = c;
    return c < min || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

size_t text_utf8(const char *s)
{
    uint32_t c;
    return decode(s, &c);
}

/* C0, delete and C1: terminals act on these. */
static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Marks that change the order of text or hide it. */
static const range hidden[] = {{0x61c, 0x61c},   {0x200b, 0x200f}, {0x2028, 0x202e},
                               {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};

/* May the character, of n bytes, be shown as it is? n is 0 where its bytes are not valid UTF-8. */
static bool is_plain(size_t n, uint32_t c)
{
    return n && !is_control(c) && !IS_IN(c, hidden);
}

/* Writes the bytes of a character, or a byte that is not valid, as \xNN. Returns how many they are. */
static size_t put_escaped(text *t, const char *s, size_t n)
{
    n = n ? n : 1;
    for (size_t i = 0; i < n; i++)
        text_printf(t, "\\x%02x", (unsigned char)s[i]);
    return n;
}

/* Writes a character as \uNNNN, above 0xffff as a surrogate pair. */
static void put_json_number(text *t, uint32_t c)
{
    if (c > 0xffff)
        text_printf(t, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)), (unsigned)(0xdc00 | (c & 0x3ff)));
    else
        text_printf(t, "\\u%04x", (unsigned)c);
}

/* Writes one character of a JSON string; n is 0 where its bytes are not valid UTF-8. */
static void put_json(text *t, const char *s, size_t n, uint32_t c)
{
    if (!n)
        text_str(t, "\\ufffd");
    else if (c == '"' || c == '\\') {
        text_char(t, '\\');
        text_char(t, *s);
    } else if (is_control(c) || IS_IN(c, hidden))
        put_json_number(t, c);
    else
        text_bytes(t, s, n);
}

void text_json(text *t, const char *s)
{
    text_char(t, '"');
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        put_json(t, s, n, c);
        s += n ? n : 1;
    }
    text_char(t, '"');
}

void text_xml(text *t, const char *s)
{
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (!n || (is_control(c) && c != '\t' && c != '\n') || c == 0xfffe || c == 0xffff || IS_IN(c, hidden)) {
            text_str(t, "\xef\xbf\xbd"); /* not a character of XML 1.0, or one that hides or reorders others */
            if (!n)
                n = 1;
        } else if (c == '&')
            text_str(t, "&amp;");
        else if (c == '<')
            text_str(t, "&lt;");
        else if (c == '>')
            text_str(t, "&gt;");
        else if (c == '"')
            text_str(t, "&quot;");
        else if (c == '\'')
            text_str(t, "&#39;");
        else
            text_bytes(t, s, n);
        s += n;
    }
}

void text_csv(text *t, const char *s)
{
    bool formula = *s && strchr("=+-@", *s), quoted = formula || strpbrk(s, ",\"");
    if (quoted)
        text_char(t, '"');
    if (formula)
        text_char(t, '\'');
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (!is_plain(n, c)) {
            s += put_escaped(t, s, n);
            continue;
        }
        text_bytes(t, s, n);
        if (c == '"')
            text_char(t, '"');
        s += n;
    }
    if (quoted)
        text_char(t, '"');
}

void text_json_page(text *t, const char *s, size_t max_chars)
{
    text_char(t, '"');
    for (size_t chars = 0; *s; chars++) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (chars == max_chars) {
            text_str(t, "\xe2\x80\xa6");
            break;
        }
        if (!is_plain(n, c))
            text_str(t, "\\ufffd");
        else if (c == '<' || c == '>' || c == '&') /* "</script" or "<!--" would end or change the element */
            text_printf(t, "\\u%04x", (unsigned)c);
        else
            put_json(t, s, n, c);
        s += n ? n : 1;
    }
    text_char(t, '"');
}

void text_terminal(text *t, const char *s)
{
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (is_plain(n, c))
            text_bytes(t, s, n);
        else
            n = put_escaped(t, s, n);
        s += n;
    }
}

void text_terminal_lines(text *t, const char *bytes, size_t size)
{
    for (size_t n; size; bytes += n, size -= n) {
        char next[5] = {0}; /* a character and a NUL */
        uint32_t c;
        memcpy(next, bytes, min_size(size, 4));
        n = decode(next, &c);
        if (c == '\n' || c == '\t' || is_plain(n, c))
            text_bytes(t, bytes, n);
        else
            n = put_escaped(t, bytes, n);
    }
}

/* The larger blocks of combining marks, which terminals show with the character before them, and of characters of two
 * columns (East_Asian_Width W and F). */
static const range combining[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                  {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
static const range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                             {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                             {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

size_t text_width(const char *s)
{
    size_t width = 0;
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (!is_plain(n, c))
            width += 4 * (n ? n : 1);
        else
            width += IS_IN(c, combining) ? 0 : IS_IN(c, wide) ? 2 : 1;
        s += n ? n : 1;
    }
    return width;
}

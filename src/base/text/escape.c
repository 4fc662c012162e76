/* Escaping: text from a file may contain anything, and must not become markup, a formula or a control sequence in JSON,
 * XML, CSV or a terminal. */
#include "base/text/text.h"

#include "base/minmax.h"

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

/* The bytes of a character, or one that is not valid, as \xNN. Returns how many they are. */
static size_t put_escaped(text *t, const char *s, size_t n)
{
    n = n ? n : 1;
    for (size_t i = 0; i < n; i++)
        text_printf(t, "\\x%02x", (unsigned char)s[i]);
    return n;
}

/* A character of JSON by its number, above 0xffff as two. */
static void put_json_number(text *t, uint32_t c)
{
    if (c > 0xffff)
        text_printf(t, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)), (unsigned)(0xdc00 | (c & 0x3ff)));
    else
        text_printf(t, "\\u%04x", (unsigned)c);
}

/* One character of a JSON string; n is 0 where its bytes are not valid UTF-8. */
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
            text_str(t, "\xef\xbf\xbd"); /* not a character of XML 1.0, or one that changes how others are read */
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
        if (!n || is_control(c) || IS_IN(c, hidden)) {
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

/* Combining marks, which terminals show with the character before them, and characters of two columns: the larger
 * blocks of Unicode's combining marks, and of East_Asian_Width W and F. */
static const range combining[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                  {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
static const range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                             {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                             {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

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
        if (!n || is_control(c) || IS_IN(c, hidden))
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
        if (!n || is_control(c) || IS_IN(c, hidden)) {
            s += put_escaped(t, s, n);
            continue;
        }
        text_bytes(t, s, n);
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
        if (c == '\n' || c == '\t') {
            text_char(t, *bytes);
            continue;
        }
        bool shown = n && !is_control(c) && !IS_IN(c, hidden);
        n = n ? n : 1;
        for (size_t i = 0; i < n && !shown; i++)
            text_printf(t, "\\x%02x", (unsigned char)bytes[i]);
        if (shown)
            text_bytes(t, bytes, n);
    }
}

size_t text_width(const char *s)
{
    size_t width = 0;
    while (*s) {
        uint32_t c;
        size_t n = decode(s, &c);
        if (!n || is_control(c) || IS_IN(c, hidden))
            width += 4 * (n ? n : 1);
        else
            width += IS_IN(c, combining) ? 0 : IS_IN(c, wide) ? 2 : 1;
        s += n ? n : 1;
    }
    return width;
}

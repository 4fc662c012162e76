/* Escaping: text from a file may hold anything, and is shown in JSON, XML, CSV
 * and terminals without ever becoming markup, a formula or a control sequence. */
#include "base/text.h"

size_t text_utf8(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t n;
    uint32_t c, least;
    if (u[0] < 0x80)
        return u[0] ? 1 : 0;
    if (u[0] >= 0xc2 && u[0] < 0xe0)
        n = 2, c = u[0] & 0x1f, least = 0x80;
    else if (u[0] >= 0xe0 && u[0] < 0xf0)
        n = 3, c = u[0] & 0x0f, least = 0x800;
    else if (u[0] >= 0xf0 && u[0] < 0xf5)
        n = 4, c = u[0] & 0x07, least = 0x10000;
    else
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (u[i] & 0x3f);
    }
    return c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

void text_json(text *t, const char *s)
{
    text_char(t, '"');
    while (*s) {
        unsigned char c = (unsigned char)*s;
        size_t n = text_utf8(s);
        if (!n) {
            text_str(t, "\\ufffd");
            n = 1;
        } else if (c == '"' || c == '\\') {
            text_char(t, '\\');
            text_char(t, *s);
        } else if (c < 0x20 || c == 0x7f) {
            text_printf(t, "\\u%04x", c);
        } else {
            text_bytes(t, s, n);
        }
        s += n;
    }
    text_char(t, '"');
}

void text_xml(text *t, const char *s)
{
    while (*s) {
        unsigned char c = (unsigned char)*s;
        size_t n = text_utf8(s);
        if (!n || (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f ||
            (c == 0xef && (unsigned char)s[1] == 0xbf && (unsigned char)s[2] >= 0xbe)) {
            text_str(t, "\xef\xbf\xbd"); /* not a character of XML 1.0 */
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
    bool formula = *s && strchr("=+-@\t\r", *s);
    if (!formula && !strpbrk(s, ",\"\r\n")) {
        text_str(t, s);
        return;
    }
    text_char(t, '"');
    if (formula)
        text_char(t, '\'');
    for (; *s; s++) {
        if (*s == '"')
            text_char(t, '"');
        text_char(t, *s);
    }
    text_char(t, '"');
}

/* C1 controls are two bytes in UTF-8: 0xc2 0x80 to 0xc2 0x9f. */
static bool is_control(const char *s, size_t n)
{
    unsigned char c = (unsigned char)s[0];
    return n == 0 || c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)s[1] < 0xa0);
}

/* Marks that reorder or hide text: U+200B-200F, U+202A-202E, U+2066-2069. */
static bool is_invisible(const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    if (n != 3 || u[0] != 0xe2)
        return false;
    return (u[1] == 0x80 && ((u[2] >= 0x8b && u[2] <= 0x8f) || (u[2] >= 0xaa && u[2] <= 0xae))) ||
           (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9);
}

void text_terminal(text *t, const char *s)
{
    while (*s) {
        size_t n = text_utf8(s);
        if (is_control(s, n) || is_invisible(s, n)) {
            if (!n)
                n = 1;
            for (size_t i = 0; i < n; i++)
                text_printf(t, "\\x%02x", (unsigned char)s[i]);
        } else {
            text_bytes(t, s, n);
        }
        s += n;
    }
}

size_t text_width(const char *s)
{
    size_t width = 0;
    while (*s) {
        size_t n = text_utf8(s);
        if (is_control(s, n) || is_invisible(s, n)) {
            if (!n)
                n = 1;
            width += 4 * n;
        } else {
            width += 1;
        }
        s += n;
    }
    return width;
}

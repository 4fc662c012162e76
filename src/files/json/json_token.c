#include "files/json/json_token.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/number.h"

#define MAX_NEAR 20 /* bytes of a token that an error shows */

void token_fail_memory(token_reader *p)
{
    if (p->status == GCAST_OK)
        p->status = gcast_error_set_memory(p->err);
}

/* The place behind the token: a line, and a column in characters. */
static void set_place(const token_reader *p)
{
    int line = 1, column = 0;
    for (const char *c = p->text; c < p->at; c++) {
        if (*c == '\n') {
            line += line < INT_MAX;
            column = 0;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            column += column < INT_MAX;
        }
    }
    p->err->line = line;
    p->err->column = column;
}

void token_fail_alone(token_reader *p, const char *message)
{
    if (p->status != GCAST_OK)
        return;
    p->status = gcast_error_set(p->err, GCAST_INPUT, NULL, "%s", message);
    if (p->err)
        set_place(p);
}

void token_fail(token_reader *p, const char *message)
{
    char with_token[200];
    ptrdiff_t size = p->at - p->token_start;
    if (size == 0)
        snprintf(with_token, sizeof with_token, "%s near end of file", message);
    else if (size <= MAX_NEAR)
        snprintf(with_token, sizeof with_token, "%s near '%.*s'", message, (int)size, p->token_start);
    token_fail_alone(p, size <= MAX_NEAR ? with_token : message);
}

static void fail_byte(token_reader *p, const char *what)
{
    char message[64];
    snprintf(message, sizeof message, "%s 0x%x", what, (unsigned char)*p->at);
    if (p->at == p->token_start)
        token_fail_alone(p, message);
    else
        token_fail(p, message);
}

static int peek(const token_reader *p)
{
    return p->at < p->end ? (unsigned char)*p->at : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Bytes of the UTF-8 character at the place; 0: it is none, which is an error. */
static size_t character_size(token_reader *p)
{
    char bytes[5] = {0}; /* the text need not end with a NUL */
    size_t rest = (size_t)(p->end - p->at);
    memcpy(bytes, p->at, rest < 4 ? rest : 4);
    size_t size = (unsigned char)bytes[0] < 0x80 ? 1 : text_utf8(bytes);
    if (!size)
        fail_byte(p, "unable to decode byte");
    return size;
}

/* Four hexadecimal digits at the place; -1: there are none. */
static int read_hex(const token_reader *p)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        int c = p->end - p->at > i ? (unsigned char)p->at[i] : 0;
        const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
        if (!found)
            return -1;
        value = value * 16 + (int)(found - digits);
    }
    return value;
}

static void put_utf8(text *out, unsigned c)
{
    if (c < 0x80) {
        text_char(out, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    text_char(out, (char)(first[more] | (c >> 6 * more)));
    while (more--)
        text_char(out, (char)(0x80 | ((c >> 6 * more) & 0x3f)));
}

/* Behind \u: a character, or the two halves of one. */
static bool read_unicode(token_reader *p)
{
    char message[64];
    int high = read_hex(p);
    if (high < 0) {
        token_fail(p, "invalid escape");
        return false;
    }
    p->at += 4;
    bool has_second = p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u';
    int low = -1;
    if (high >= 0xd800 && high <= 0xdbff && has_second) {
        p->at += 2;
        low = read_hex(p);
        if (low < 0) {
            token_fail(p, "invalid escape");
            return false;
        }
        p->at += 4;
    }
    if (low >= 0xdc00 && low <= 0xdfff) {
        put_utf8(&p->string, 0x10000u + (((unsigned)high - 0xd800u) << 10) + ((unsigned)low - 0xdc00u));
        return true;
    }
    if (high >= 0xd800 && high <= 0xdfff) {
        if (low >= 0)
            snprintf(message, sizeof message, "invalid Unicode '\\u%04X\\u%04X'", (unsigned)high, (unsigned)low);
        else
            snprintf(message, sizeof message, "invalid Unicode '\\u%04X'", (unsigned)high);
        token_fail(p, message);
        return false;
    }
    put_utf8(&p->string, (unsigned)high);
    return true;
}

/* Behind a backslash. */
static bool read_escape(token_reader *p)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    int c = peek(p);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    if (c == 'u') {
        p->at++;
        return read_unicode(p);
    }
    if (!found) {
        token_fail(p, "invalid escape");
        return false;
    }
    p->at++;
    text_char(&p->string, meant[found - names]);
    return true;
}

/* Behind the first quote. */
static token_kind scan_string(token_reader *p)
{
    p->string.used = 0;
    for (;;) {
        const char *from = p->at;
        while (p->at < p->end && *p->at != '"' && *p->at != '\\' && (unsigned char)*p->at >= 0x20) {
            size_t size = (unsigned char)*p->at < 0x80 ? 1 : character_size(p);
            if (!size)
                return INVALID;
            p->at += size;
        }
        text_bytes(&p->string, from, (size_t)(p->at - from));
        int c = peek(p);
        if (c < 0) {
            token_fail(p, "premature end of input");
            return INVALID;
        }
        if (c < 0x20) {
            if (c == '\n')
                token_fail(p, "unexpected newline");
            else
                fail_byte(p, "control character");
            return INVALID;
        }
        p->at++;
        if (c == '"')
            return STRING;
        if (!read_escape(p))
            return INVALID;
    }
}

static token_kind scan_integer(token_reader *p)
{
    bool negative = *p->token_start == '-';
    long long value = 0;
    for (const char *c = p->token_start + negative; c < p->at; c++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -(*c - '0') : *c - '0', &value)) {
            token_fail(p, negative ? "too big negative integer" : "too big integer");
            return INVALID;
        }
    p->integer = value;
    return INTEGER;
}

static token_kind scan_real(token_reader *p)
{
    char *end;
    p->string.used = 0;
    text_bytes(&p->string, p->token_start, (size_t)(p->at - p->token_start));
    text_char(&p->string, '\0');
    if (p->string.failed) {
        token_fail_memory(p);
        return INVALID;
    }
    p->real = number_parse(p->string.data, &end);
    if (end == p->string.data)
        token_fail_memory(p);
    else if (isinf(p->real))
        token_fail(p, "real number overflow");
    return p->status == GCAST_OK ? REAL : INVALID;
}

static void skip_digits(token_reader *p)
{
    while (is_digit(peek(p)))
        p->at++;
}

static token_kind scan_number(token_reader *p)
{
    p->at += *p->at == '-';
    if (peek(p) == '0') {
        p->at++;
        if (is_digit(peek(p)))
            return INVALID;
    } else if (is_digit(peek(p))) {
        skip_digits(p);
    } else {
        return INVALID;
    }
    if (peek(p) != '.' && peek(p) != 'e' && peek(p) != 'E')
        return scan_integer(p);
    if (peek(p) == '.') {
        p->at++;
        if (!is_digit(peek(p)))
            return INVALID;
        skip_digits(p);
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        p->at++;
        if (peek(p) == '+' || peek(p) == '-')
            p->at++;
        if (!is_digit(peek(p)))
            return INVALID;
        skip_digits(p);
    }
    return scan_real(p);
}

static token_kind scan_word(token_reader *p)
{
    while (is_letter(peek(p)))
        p->at++;
    size_t size = (size_t)(p->at - p->token_start);
    if (size == 4 && memcmp(p->token_start, "true", 4) == 0)
        return WORD_TRUE;
    if (size == 5 && memcmp(p->token_start, "false", 5) == 0)
        return WORD_FALSE;
    return size == 4 && memcmp(p->token_start, "null", 4) == 0 ? WORD_NULL : INVALID;
}

static token_kind scan_token(token_reader *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
    p->token_start = p->at;
    int c = peek(p);
    if (c < 0)
        return END;
    if (c == '-' || is_digit(c))
        return scan_number(p);
    if (is_letter(c))
        return scan_word(p);
    if (c == '\0')
        fail_byte(p, "control character");
    p->at += character_size(p);
    if (c == '"')
        return scan_string(p);
    return c && strchr("{}[]:,", c) ? MARK : INVALID;
}

void token_next(token_reader *p)
{
    p->token = scan_token(p);
    if (p->string.failed)
        token_fail_memory(p);
}

bool token_is(const token_reader *p, char mark)
{
    return p->token == MARK && *p->token_start == mark;
}

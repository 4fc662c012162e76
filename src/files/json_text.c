#include "files/json_text.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "gridcast/error.h"

/* The first part reads tokens. Errors have the words of jansson's parser. */

#define MAX_NEAR 20    /* limit of the bytes of a token that an error shows */
#define MAX_DEPTH 2048 /* limit of the nesting of arrays and objects */

typedef enum { END, MARK, STRING, INTEGER, REAL, WORD_TRUE, WORD_FALSE, WORD_NULL, INVALID } token_kind;

typedef struct token_reader {
    const char *text;        /* the whole text */
    const char *end;         /* end of the text */
    const char *at;          /* end of the current token */
    const char *token_start; /* its begin */
    token_kind token;        /* its kind */
    long long integer;       /* value of an INTEGER */
    double real;             /* value of a REAL */
    text string;             /* bytes of a STRING, without escapes */
    gcast_status status;     /* status of the first error */
    gcast_error *err;        /* the first error */
} token_reader;

static void fail_memory(token_reader *p)
{
    if (p->status == GCAST_OK)
        p->status = gcast_error_set_memory(p->err);
}

/* Sets the place of the error, behind the token: a line, and a column in characters. */
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

/* Sets this error and the place behind the token, unless there was an error before. */
static void fail_alone(token_reader *p, const char *message)
{
    if (p->status != GCAST_OK)
        return;
    p->status = gcast_error_set(p->err, GCAST_INPUT, NULL, "%s", message);
    if (p->err)
        set_place(p);
}

/* The same; the message also shows the token. */
static void fail(token_reader *p, const char *message)
{
    char with_token[200];
    ptrdiff_t size = p->at - p->token_start;
    if (size == 0)
        snprintf(with_token, sizeof with_token, "%s near end of file", message);
    else if (size <= MAX_NEAR)
        snprintf(with_token, sizeof with_token, "%s near '%.*s'", message, (int)size, p->token_start);
    fail_alone(p, size <= MAX_NEAR ? with_token : message);
}

static void fail_byte(token_reader *p, const char *what)
{
    char message[64];
    snprintf(message, sizeof message, "%s 0x%x", what, (unsigned char)*p->at);
    if (p->at == p->token_start)
        fail_alone(p, message);
    else
        fail(p, message);
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

/* The size of the UTF-8 character at the current place; 0 and an error: there is none. */
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

/* The value of four hexadecimal digits at the current place; -1: there are none. */
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

/* Reads what follows \u: a character, or the first half of a surrogate pair with the second half. */
static bool read_unicode(token_reader *p)
{
    char message[64];
    int high = read_hex(p);
    if (high < 0) {
        fail(p, "invalid escape");
        return false;
    }
    p->at += 4;
    bool has_second = p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u';
    int low = -1;
    if (high >= 0xd800 && high <= 0xdbff && has_second) {
        p->at += 2;
        low = read_hex(p);
        if (low < 0) {
            fail(p, "invalid escape");
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
        fail(p, message);
        return false;
    }
    put_utf8(&p->string, (unsigned)high);
    return true;
}

/* Reads what follows a backslash. */
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
        fail(p, "invalid escape");
        return false;
    }
    p->at++;
    text_char(&p->string, meant[found - names]);
    return true;
}

/* Reads what follows the opening quote. */
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
            fail(p, "premature end of input");
            return INVALID;
        }
        if (c < 0x20) {
            if (c == '\n')
                fail(p, "unexpected newline");
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
            fail(p, negative ? "too big negative integer" : "too big integer");
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
        fail_memory(p);
        return INVALID;
    }
    p->real = number_parse(p->string.data, &end);
    if (end == p->string.data)
        fail_memory(p);
    else if (isinf(p->real))
        fail(p, "real number overflow");
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

/* Reads the next token; INVALID also after a failure. */
static void next_token(token_reader *p)
{
    p->token = scan_token(p);
    if (p->string.failed)
        fail_memory(p);
}

/* Is the token this one of {}[]:, ? */
static bool token_is(const token_reader *p, char mark)
{
    return p->token == MARK && *p->token_start == mark;
}

/* The second part makes values. It uses jansson's constructors, which report lack of memory. jansson's parser does not:
 * if a buffer cannot grow, it loses bytes of the text and may write past the end. For the same reason its printer
 * writes to a buffer of gridcast. */

static json_t *parse_value(token_reader *p, int depth);

/* Sets an error if the current string contains a NUL. */
static bool string_is_text(token_reader *p)
{
    if (p->string.used && memchr(p->string.data, '\0', p->string.used))
        fail_alone(p, "text must not contain \\u0000");
    return p->status == GCAST_OK;
}

/* A copy of the current string as a key, which the caller frees; NULL after an error. */
static char *take_key(token_reader *p, const json_t *object)
{
    if (p->token != STRING) {
        fail(p, "string or '}' expected");
        return NULL;
    }
    char *key = string_is_text(p) ? malloc(p->string.used + 1) : NULL;
    if (!key) {
        fail_memory(p);
        return NULL;
    }
    if (p->string.used)
        memcpy(key, p->string.data, p->string.used);
    key[p->string.used] = '\0';
    if (json_object_get(object, key))
        fail(p, "duplicate object key");
    return key;
}

static void parse_member(token_reader *p, json_t *object, int depth)
{
    char *key = take_key(p, object);
    next_token(p);
    if (!token_is(p, ':'))
        fail(p, "':' expected");
    next_token(p);
    json_t *value = key ? parse_value(p, depth) : NULL;
    if (value && json_object_set_new_nocheck(object, key, value) != 0)
        fail_memory(p);
    free(key);
}

static void parse_element(token_reader *p, json_t *array, int depth)
{
    json_t *value = parse_value(p, depth);
    if (value && json_array_append_new(array, value) != 0)
        fail_memory(p);
}

/* Parses an object or an array, after its opening bracket. */
static json_t *parse_list(token_reader *p, bool is_object, int depth)
{
    char close = is_object ? '}' : ']';
    json_t *list = is_object ? json_object() : json_array();
    if (!list) {
        fail_memory(p);
        return NULL;
    }
    next_token(p);
    if (token_is(p, close))
        return list;
    while (is_object || p->token != END) {
        if (is_object)
            parse_member(p, list, depth);
        else
            parse_element(p, list, depth);
        next_token(p);
        if (p->status != GCAST_OK || !token_is(p, ','))
            break;
        next_token(p);
    }
    if (!token_is(p, close))
        fail(p, is_object ? "'}' expected" : "']' expected");
    if (p->status != GCAST_OK) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *make_value(token_reader *p)
{
    switch (p->token) {
    case STRING:
        return string_is_text(p) ? json_stringn_nocheck(p->string.used ? p->string.data : "", p->string.used) : NULL;
    case INTEGER:
        return json_integer(p->integer);
    case REAL:
        return json_real(p->real);
    case WORD_TRUE:
        return json_true();
    case WORD_FALSE:
        return json_false();
    default:
        return json_null();
    }
}

/* Parses the value that begins with the current token; NULL after an error. */
static json_t *parse_value(token_reader *p, int depth)
{
    if (p->status != GCAST_OK)
        return NULL;
    if (p->token == INVALID || p->token == END ||
        (p->token == MARK && *p->token_start != '{' && *p->token_start != '['))
        fail(p, p->token == INVALID ? "invalid token" : "unexpected token");
    else if (depth > MAX_DEPTH)
        fail_alone(p, "nested too deeply");
    else if (p->token == MARK)
        return parse_list(p, *p->token_start == '{', depth + 1);
    json_t *value = p->status == GCAST_OK ? make_value(p) : NULL;
    if (!value)
        fail_memory(p);
    return value;
}

static json_t *parse_text(token_reader *p)
{
    next_token(p);
    if (!token_is(p, '{') && !token_is(p, '['))
        fail(p, "'[' or '{' expected");
    json_t *root = parse_value(p, 1);
    next_token(p);
    if (p->token != END)
        fail(p, "end of file expected");
    if (p->status == GCAST_OK)
        return root;
    json_decref(root);
    return NULL;
}

gcast_status json_parse(const char *bytes, size_t size, json_t **root, gcast_error *err)
{
    token_reader p = {.text = bytes, .end = bytes + size, .at = bytes, .err = err};
    text_open(&p.string, NULL, NULL);
    *root = parse_text(&p);
    text_drop(&p.string);
    return p.status;
}

static int print_bytes(const char *bytes, size_t size, void *data)
{
    text *out = data;
    text_bytes(out, bytes, size);
    return out->failed ? -1 : 0;
}

char *json_text(const json_t *value)
{
    text out;
    text_open(&out, NULL, NULL);
    if (json_dump_callback(value, print_bytes, &out, JSON_COMPACT) == 0)
        return text_take(&out, NULL);
    text_drop(&out);
    return NULL;
}

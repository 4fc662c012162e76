/* The lexer. Numbers are integers in four bases, floats given by their bits (0f, 0d), and decimal floats, which are
 * doubles. */
#include "ptx/lex.h"

#include <string.h>

#include "base/number.h"
#include "ptx/letters.h"

static int digit_of(char c)
{
    if (lex_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void bad(token *t, const char *problem)
{
    t->kind = TOKEN_BAD;
    t->problem = problem;
}

/* Reads digits of a base into t->bits. Returns 1 if there are some, 0 if none, -1 if too many. */
static int digits(lexer *x, token *t, int base)
{
    int count = 0;
    t->bits = 0;
    for (; x->at < x->end && digit_of(*x->at) < base; x->at++) {
        if (t->bits > (UINT64_MAX - (uint64_t)digit_of(*x->at)) / (uint64_t)base)
            return -1;
        t->bits = t->bits * (uint64_t)base + (uint64_t)digit_of(*x->at);
        count = 1;
    }
    return count;
}

static void integer(lexer *x, token *t, int base)
{
    int count = digits(x, t, base);
    t->kind = TOKEN_INT;
    if (count < 0)
        bad(t, "the number does not fit 64 bits");
    else if (count == 0)
        bad(t, "digits are expected here");
    t->is_unsigned = t->bits > INT64_MAX;
    if (x->at < x->end && *x->at == 'U') {
        x->at++;
        t->is_unsigned = true;
    }
}

static void float_bits(lexer *x, token *t, int count)
{
    const char *start = x->at;
    digits(x, t, 16);
    t->kind = count == 8 ? TOKEN_F32 : TOKEN_F64;
    if (x->at - start != count)
        bad(t, count == 8 ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
}

/* The end of a decimal float at p; NULL: no float starts there. */
static const char *decimal_end(const char *p, const char *end)
{
    bool is_float = false;
    while (p < end && lex_is_digit(*p))
        p++;
    if (p < end && *p == '.') {
        is_float = true;
        for (p++; p < end && lex_is_digit(*p);)
            p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        if (q < end && (*q == '+' || *q == '-'))
            q++;
        if (q < end && lex_is_digit(*q)) {
            is_float = true;
            for (p = q; p < end && lex_is_digit(*p);)
                p++;
        }
    }
    return is_float ? p : NULL;
}

static void decimal(lexer *x, token *t, const char *end)
{
    char buffer[512], *stop;
    size_t size = (size_t)(end - x->at);
    t->kind = TOKEN_F64;
    if (size >= sizeof buffer) {
        x->at = end;
        bad(t, "the number has too many digits");
        return;
    }
    memcpy(buffer, x->at, size);
    buffer[size] = '\0';
    x->at = end;
    double value = number_parse(buffer, &stop);
    if (*stop)
        bad(t, "the number cannot be read");
    memcpy(&t->bits, &value, sizeof value);
}

/* The number at x->at, which starts with a digit, or with a dot and a digit; fills kind, size and value of t. */
static void lex_number(lexer *x, token *t)
{
    const char *end = decimal_end(x->at, x->end);
    char prefix = *x->at == '0' && x->end - x->at > 1 ? (char)(x->at[1] | 0x20) : '\0';
    t->bits = 0;
    t->is_unsigned = false;
    if (end) {
        decimal(x, t, end);
    } else if (prefix == 'x' || prefix == 'b') {
        x->at += 2;
        integer(x, t, prefix == 'x' ? 16 : 2);
    } else if (prefix == 'f' || prefix == 'd') {
        x->at += 2;
        float_bits(x, t, prefix == 'f' ? 8 : 16);
    } else {
        integer(x, t, prefix ? 8 : 10);
    }
    t->size = (size_t)(x->at - t->start);
    if (t->kind != TOKEN_BAD && x->at < x->end && lex_is_word(*x->at))
        bad(t, "a number ends with a letter or digit that it cannot have");
}

void lex_open(lexer *x, const char *source, size_t size)
{
    *x = (lexer){.at = source, .end = source + size, .line_start = source, .start = source, .line = 1};
}

static void new_line(lexer *x)
{
    x->line++;
    x->line_start = x->at;
}

static ptx_place current_place(const lexer *x)
{
    return (ptx_place){x->line, (int)(x->at - x->line_start) + 1};
}

/* False: the comment does not end. */
static bool skip_comment(lexer *x)
{
    bool to_end_of_line = x->at[1] == '/';
    x->at += 2;
    while (x->at < x->end) {
        char c = *x->at++;
        if (c == '\n') {
            if (to_end_of_line) {
                new_line(x);
                return true;
            }
            new_line(x);
        } else if (!to_end_of_line && c == '*' && x->at < x->end && *x->at == '/') {
            x->at++;
            return true;
        }
    }
    return to_end_of_line;
}

/* False: a comment does not end; t->at is its place. */
static bool skip_space(lexer *x, token *t)
{
    while (x->at < x->end) {
        char c = *x->at;
        if (c == '\n') {
            x->at++;
            new_line(x);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            x->at++;
        } else if (c == '/' && x->end - x->at > 1 && (x->at[1] == '/' || x->at[1] == '*')) {
            t->at = current_place(x);
            if (!skip_comment(x))
                return false;
        } else {
            break;
        }
    }
    return true;
}

static void take_word(lexer *x)
{
    while (x->at < x->end && lex_is_word(*x->at))
        x->at++;
}

/* A dotted word; .shared::cluster is one word. */
static void dotted(lexer *x, token *t)
{
    t->kind = TOKEN_DOT;
    t->start = ++x->at;
    take_word(x);
    while (x->end - x->at > 2 && x->at[0] == ':' && x->at[1] == ':' && lex_is_word(x->at[2])) {
        x->at += 2;
        take_word(x);
    }
    t->size = (size_t)(x->at - t->start);
}

static void string(lexer *x, token *t)
{
    t->start = ++x->at;
    while (x->at < x->end && *x->at != '"' && *x->at != '\n')
        x->at += *x->at == '\\' && x->end - x->at > 1 && x->at[1] != '\n' ? 2 : 1;
    if (x->at >= x->end || *x->at != '"') {
        t->kind = TOKEN_BAD;
        t->problem = "the string does not end on its line";
        return;
    }
    t->kind = TOKEN_STRING;
    t->size = (size_t)(x->at++ - t->start);
    if (memchr(t->start, '\0', t->size)) {
        t->kind = TOKEN_BAD;
        t->problem = "the string has a zero byte in it";
    }
}

static void sign(lexer *x, token *t)
{
    static const char doubles[][2] = {{'<', '<'}, {'>', '>'}, {'<', '='}, {'>', '='},
                                      {'=', '='}, {'!', '='}, {'&', '&'}, {'|', '|'}};
    unsigned char c = (unsigned char)*x->at;
    t->kind = TOKEN_SIGN;
    t->sign = c;
    t->size = 1;
    if (c < ' ' || c > '~') {
        t->kind = TOKEN_BAD;
        t->problem = "a character that PTX does not have";
    }
    for (size_t i = 0; x->end - x->at > 1 && i < sizeof doubles / sizeof *doubles; i++)
        if (x->at[0] == doubles[i][0] && x->at[1] == doubles[i][1]) {
            t->sign = TOKEN_TWO(doubles[i][0], doubles[i][1]);
            t->size = 2;
        }
    x->at += t->size;
}

/* Does a number like .5 start here? After a word .5 is a modifier, like .2d in tensor.2d. */
static bool starts_fraction(const lexer *x)
{
    const char *p = x->at;
    return *p == '.' && x->end - p > 1 && lex_is_digit(p[1]) && (p == x->start || !lex_is_word(p[-1]));
}

void lex_next(lexer *x, token *t)
{
    if (!skip_space(x, t)) {
        t->kind = TOKEN_BAD;
        t->problem = "the comment does not end";
        return;
    }
    t->at = current_place(x);
    t->start = x->at;
    t->size = 0;
    if (x->at >= x->end) {
        t->kind = TOKEN_END;
        return;
    }
    char c = *x->at;
    const char *next = x->at + 1;
    if (lex_is_letter(c) || (c == '%' && next < x->end && lex_is_word(*next))) {
        x->at++;
        take_word(x);
        t->kind = TOKEN_NAME;
        t->size = (size_t)(x->at - t->start);
    } else if (lex_is_digit(c) || starts_fraction(x)) {
        lex_number(x, t);
    } else if (c == '.' && next < x->end && lex_is_word(*next)) {
        dotted(x, t);
    } else if (c == '"') {
        string(x, t);
    } else {
        sign(x, t);
    }
}

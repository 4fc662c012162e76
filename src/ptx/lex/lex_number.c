/* Numbers of PTX: integers in four bases, floats by their bits (0f, 0d), and
 * decimal floats, which are doubles. */
#include "ptx/lex/lex_number.h"

#include <string.h>

#include "base/text/number.h"
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

/* Reads digits of a base into t->bits; 1: there are some, 0: none, -1: too many. */
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

/* The end of a decimal float at p; NULL: it is none. */
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

void lex_number(lexer *x, token *t)
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

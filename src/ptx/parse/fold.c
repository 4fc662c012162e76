#include "ptx/parse/fold.h"

#include <string.h>

#include "ptx/parse/parser.h"

static bool no_single(parser *p, ptx_place at)
{
    return parse_fail(p, at, "a number written as 0f... cannot be calculated with");
}

static double as_double(constant c)
{
    double d;
    if (c.kind == CONSTANT_F64)
        memcpy(&d, &c.bits, sizeof d);
    else
        d = c.kind == CONSTANT_SIGNED ? (double)(int64_t)c.bits : (double)c.bits;
    return d;
}

static constant of_double(double d)
{
    constant c = {.kind = CONSTANT_F64};
    memcpy(&c.bits, &d, sizeof d);
    return c;
}

static constant of_bool(bool b)
{
    return (constant){.kind = CONSTANT_SIGNED, .bits = b};
}

bool fold_is_true(constant c)
{
    return c.kind == CONSTANT_F64 ? as_double(c) != 0 : c.bits != 0;
}

static bool fold_doubles(parser *p, ptx_place at, int sign, double a, double b, constant *out)
{
    switch (sign) {
    case '+':
        *out = of_double(a + b);
        return true;
    case '-':
        *out = of_double(a - b);
        return true;
    case '*':
        *out = of_double(a * b);
        return true;
    case '/':
        if (b == 0)
            return parse_fail(p, at, "division by zero");
        *out = of_double(a / b);
        return true;
    case '<':
        *out = of_bool(a < b);
        return true;
    case '>':
        *out = of_bool(a > b);
        return true;
    case TOKEN_TWO('<', '='):
        *out = of_bool(a <= b);
        return true;
    case TOKEN_TWO('>', '='):
        *out = of_bool(a >= b);
        return true;
    case TOKEN_TWO('=', '='):
        *out = of_bool(a == b);
        return true;
    case TOKEN_TWO('!', '='):
        *out = of_bool(a != b);
        return true;
    }
    return parse_fail(p, at, "this operator takes integers only");
}

static bool divide(parser *p, ptx_place at, bool remainder, constant a, constant b, bool is_signed, uint64_t *out)
{
    if (b.bits == 0)
        return parse_fail(p, at, "division by zero");
    if (!is_signed)
        *out = remainder ? a.bits % b.bits : a.bits / b.bits;
    else if (b.bits == UINT64_MAX) /* by -1: the smallest number overflows to itself */
        *out = remainder ? 0 : 0 - a.bits;
    else
        *out = (uint64_t)(remainder ? (int64_t)a.bits % (int64_t)b.bits : (int64_t)a.bits / (int64_t)b.bits);
    return true;
}

static bool shift(parser *p, ptx_place at, bool left, constant a, constant b, uint64_t *out)
{
    if (b.bits > 63)
        return parse_fail(p, at, "a shift is from 0 to 63");
    if (left)
        *out = a.bits << b.bits;
    else
        *out =
            a.bits >> b.bits | (a.kind == CONSTANT_SIGNED && a.bits >> 63 && b.bits ? UINT64_MAX << (64 - b.bits) : 0);
    return true;
}

/* -1, 0, 1 */
static int compare(constant a, constant b, bool is_signed)
{
    if (is_signed)
        return ((int64_t)a.bits > (int64_t)b.bits) - ((int64_t)a.bits < (int64_t)b.bits);
    return (a.bits > b.bits) - (a.bits < b.bits);
}

static bool fold_integers(parser *p, ptx_place at, int sign, constant a, constant b, constant *out)
{
    bool is_signed = a.kind == CONSTANT_SIGNED && b.kind == CONSTANT_SIGNED;
    int order = compare(a, b, is_signed);
    *out = (constant){.kind = is_signed ? CONSTANT_SIGNED : CONSTANT_UNSIGNED};
    switch (sign) {
    case '|':
        out->bits = a.bits | b.bits;
        return true;
    case '^':
        out->bits = a.bits ^ b.bits;
        return true;
    case '&':
        out->bits = a.bits & b.bits;
        return true;
    case '+':
        out->bits = a.bits + b.bits;
        return true;
    case '-':
        out->bits = a.bits - b.bits;
        return true;
    case '*':
        out->bits = a.bits * b.bits;
        return true;
    case '/':
    case '%':
        return divide(p, at, sign == '%', a, b, is_signed, &out->bits);
    case TOKEN_TWO('<', '<'):
    case TOKEN_TWO('>', '>'):
        out->kind = a.kind;
        return shift(p, at, sign == TOKEN_TWO('<', '<'), a, b, &out->bits);
    case TOKEN_TWO('=', '='):
        *out = of_bool(order == 0);
        return true;
    case TOKEN_TWO('!', '='):
        *out = of_bool(order != 0);
        return true;
    case '<':
        *out = of_bool(order < 0);
        return true;
    case '>':
        *out = of_bool(order > 0);
        return true;
    case TOKEN_TWO('<', '='):
        *out = of_bool(order <= 0);
        return true;
    default:
        *out = of_bool(order >= 0);
        return true;
    }
}

bool fold_binary(parser *p, ptx_place at, int sign, constant a, constant b, constant *out)
{
    if (a.kind == CONSTANT_F32 || b.kind == CONSTANT_F32)
        return no_single(p, at);
    if (sign == TOKEN_TWO('&', '&'))
        *out = of_bool(fold_is_true(a) && fold_is_true(b));
    else if (sign == TOKEN_TWO('|', '|'))
        *out = of_bool(fold_is_true(a) || fold_is_true(b));
    else if (a.kind == CONSTANT_F64 || b.kind == CONSTANT_F64)
        return fold_doubles(p, at, sign, as_double(a), as_double(b), out);
    else
        return fold_integers(p, at, sign, a, b, out);
    return true;
}

bool fold_cast(parser *p, constant *c, bool to_unsigned, ptx_place at)
{
    if (c->kind == CONSTANT_F32)
        return no_single(p, at);
    if (c->kind == CONSTANT_F64) {
        double d = as_double(*c);
        if (!(d > -9223372036854775808.0 && d < 9223372036854775808.0))
            return parse_fail(p, at, "the number does not fit 64 bits");
        c->bits = (uint64_t)(int64_t)d;
    }
    c->kind = to_unsigned ? CONSTANT_UNSIGNED : CONSTANT_SIGNED;
    return true;
}

bool fold_unary(parser *p, ptx_place at, int sign, constant *c)
{
    bool is_float = c->kind == CONSTANT_F64;
    if (c->kind == CONSTANT_F32)
        return no_single(p, at);
    if (sign == '-' && is_float)
        c->bits ^= UINT64_C(1) << 63;
    else if (sign == '-')
        c->bits = 0 - c->bits;
    else if (sign == '~' && is_float)
        return parse_fail(p, at, "this operator takes integers only");
    else if (sign == '~')
        c->bits = ~c->bits;
    else if (sign == '!')
        *c = of_bool(!fold_is_true(*c));
    return true;
}

/* Constant expressions, folded while they are read (PTX ISA, "Constants"), with C's operators and precedences. */
#include "ptx/expression.h"

#include <string.h>

#include "ptx/parser.h"

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

static bool is_true(constant c)
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

static bool fold_binary(parser *p, ptx_place at, int sign, constant a, constant b, constant *out)
{
    if (a.kind == CONSTANT_F32 || b.kind == CONSTANT_F32)
        return no_single(p, at);
    if (sign == TOKEN_TWO('&', '&'))
        *out = of_bool(is_true(a) && is_true(b));
    else if (sign == TOKEN_TWO('|', '|'))
        *out = of_bool(is_true(a) || is_true(b));
    else if (a.kind == CONSTANT_F64 || b.kind == CONSTANT_F64)
        return fold_doubles(p, at, sign, as_double(a), as_double(b), out);
    else
        return fold_integers(p, at, sign, a, b, out);
    return true;
}

/* (.s64) or (.u64) */
static bool fold_cast(parser *p, constant *c, bool to_unsigned, ptx_place at)
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

static bool fold_unary(parser *p, ptx_place at, int sign, constant *c)
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
        *c = of_bool(!is_true(*c));
    return true;
}

static const struct {
    int sign, level; /* operator and precedence */
} operators[] = {
    {TOKEN_TWO('|', '|'), 1},
    {TOKEN_TWO('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {TOKEN_TWO('=', '='), 6},
    {TOKEN_TWO('!', '='), 6},
    {'<', 7},
    {'>', 7},
    {TOKEN_TWO('<', '='), 7},
    {TOKEN_TWO('>', '='), 7},
    {TOKEN_TWO('<', '<'), 8},
    {TOKEN_TWO('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

enum { ADDITIVE = 9 };

static bool conditional(parser *p, int depth, constant *out);
static bool unary(parser *p, int depth, constant *out);

static bool parenthesis(parser *p, int depth, constant *out)
{
    ptx_place at = p->tok.at;
    if (!parse_sign(p, '('))
        return false;
    if (parse_is_dot(p, "s64") || parse_is_dot(p, "u64")) {
        bool to_unsigned = *p->tok.start == 'u';
        return parse_advance(p) && parse_sign(p, ')') && unary(p, depth + 1, out) && fold_cast(p, out, to_unsigned, at);
    }
    return conditional(p, depth + 1, out) && parse_sign(p, ')');
}

static bool literal(parser *p, constant *out)
{
    if (parse_is_name(p, "WARP_SZ")) {
        *out = (constant){.kind = CONSTANT_SIGNED, .bits = 32};
        return parse_advance(p);
    }
    switch (p->tok.kind) {
    case TOKEN_INT:
        *out = (constant){p->tok.is_unsigned ? CONSTANT_UNSIGNED : CONSTANT_SIGNED, p->tok.bits};
        break;
    case TOKEN_F32:
        *out = (constant){CONSTANT_F32, p->tok.bits};
        break;
    case TOKEN_F64:
        *out = (constant){CONSTANT_F64, p->tok.bits};
        break;
    default:
        return parse_expected(p, "a number");
    }
    return parse_advance(p);
}

static bool unary(parser *p, int depth, constant *out)
{
    ptx_place at = p->tok.at;
    *out = (constant){0};
    if (depth > PARSE_MAX_DEPTH)
        return parse_fail(p, at, "an expression with more than %d levels", PARSE_MAX_DEPTH);
    int sign = p->tok.kind == TOKEN_SIGN ? p->tok.sign : 0;
    if (sign == '(')
        return parenthesis(p, depth, out);
    if (sign == '-' || sign == '+' || sign == '~' || sign == '!')
        return parse_advance(p) && unary(p, depth + 1, out) && fold_unary(p, at, sign, out);
    return literal(p, out);
}

static int level_of(const parser *p)
{
    for (size_t i = 0; p->tok.kind == TOKEN_SIGN && i < sizeof operators / sizeof *operators; i++)
        if (operators[i].sign == p->tok.sign)
            return operators[i].level;
    return 0;
}

/* Folds operators of at least this precedence that follow `left`, with their right operands, into it. */
static bool binary(parser *p, int depth, int min_level, constant *left)
{
    for (int level; (level = level_of(p)) >= min_level;) {
        ptx_place at = p->tok.at;
        int sign = p->tok.sign;
        constant right;
        if (!parse_advance(p) || !unary(p, depth, &right) || !binary(p, depth, level + 1, &right) ||
            !fold_binary(p, at, sign, *left, right, left))
            return false;
    }
    return true;
}

static bool conditional(parser *p, int depth, constant *out)
{
    bool is_question;
    constant yes, no;
    if (!unary(p, depth, out) || !binary(p, depth, 1, out) || !parse_if_sign(p, '?', &is_question))
        return false;
    if (!is_question)
        return true;
    if (!conditional(p, depth + 1, &yes) || !parse_sign(p, ':') || !conditional(p, depth + 1, &no))
        return false;
    *out = is_true(*out) ? yes : no;
    return true;
}

bool parse_constant(parser *p, constant *out)
{
    return conditional(p, 0, out);
}

bool parse_offset(parser *p, int64_t *out)
{
    constant c = {.kind = CONSTANT_SIGNED};
    *out = 0;
    if (!parse_is_sign(p, '+') && !parse_is_sign(p, '-'))
        return true;
    ptx_place at = p->tok.at;
    if (!binary(p, 0, ADDITIVE, &c))
        return false;
    if (c.kind == CONSTANT_F32 || c.kind == CONSTANT_F64)
        return parse_fail(p, at, "an offset is an integer");
    *out = (int64_t)c.bits;
    return true;
}

bool parse_integer(parser *p, const char *subject, uint64_t lo, uint64_t hi, uint64_t *out)
{
    constant c;
    ptx_place at = p->tok.at;
    if (!parse_constant(p, &c))
        return false;
    bool negative = c.kind == CONSTANT_SIGNED && c.bits >> 63;
    if (c.kind == CONSTANT_F32 || c.kind == CONSTANT_F64 || negative || c.bits < lo || c.bits > hi)
        return parse_fail(p, at, "%s is an integer from %llu to %llu", subject, (unsigned long long)lo,
                          (unsigned long long)hi);
    *out = c.bits;
    return true;
}

bool parse_starts_constant(const parser *p)
{
    if (p->tok.kind == TOKEN_SIGN)
        return p->tok.sign == '-' || p->tok.sign == '+' || p->tok.sign == '~' || p->tok.sign == '(';
    return p->tok.kind == TOKEN_INT || p->tok.kind == TOKEN_F32 || p->tok.kind == TOKEN_F64 ||
           parse_is_name(p, "WARP_SZ");
}

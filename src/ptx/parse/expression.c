/* Constant expressions, folded while they are read (PTX ISA, "Constants"), with
 * C's operators and precedences. */
#include "ptx/parse/expression.h"

#include "ptx/parse/parser.h"

static const struct {
    int sign, level; /* the operator; its precedence */
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

/* Operators of at min_level this precedence after `left`, with their right operands. */
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
    *out = fold_is_true(*out) ? yes : no;
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

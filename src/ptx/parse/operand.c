/* Operands: registers, constants, names, [addresses], {vectors}, (lists) of
 * calls and a|b. */
#include "ptx/parse/operand.h"

#include <string.h>

#include "ptx/parse/expression.h"
#include "ptx/parse/fold.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"
#include "ptx/special.h"

enum { OPERAND_DEPTH = 8 };

typedef struct context {
    bool is_call, is_branch; /* of the instruction */
    int depth;               /* of brackets */
} context;

static bool operand(parser *p, context c, ptx_operand *out);

/* a, b, c up to `close`, as items of `out`, after those that are already on the stack from `base` on. */
static bool items(parser *p, context c, size_t base, char close, ptx_operand *out)
{
    bool has_more = !parse_is_sign(p, close);
    while (has_more) {
        ptx_operand item;
        if (!operand(p, c, &item))
            return false;
        if (!vec_push(&p->operands, item))
            return parse_memory(p);
        if (!parse_if_sign(p, ',', &has_more))
            return false;
    }
    out->items = (uint32_t)(p->operands.count - base);
    const ptx_operand *first = out->items ? p->operands.at + base : NULL;
    out->item = (ptx_operand *)parse_copy(p, first, out->items, sizeof *out->item);
    p->operands.count = base;
    return out->item && parse_sign(p, close);
}

static bool component(parser *p, ptx_operand *out)
{
    if (p->tok.kind != TOKEN_DOT)
        return true;
    out->component = ptx_component_of(p->tok.start, p->tok.size);
    return out->component ? parse_advance(p) : parse_expected(p, "a component such as .x");
}

static bool number(parser *p, ptx_operand *out)
{
    constant c;
    if (!parse_constant(p, &c))
        return false;
    static const ptx_operand_kind kinds[] = {[CONSTANT_SIGNED] = PTX_OP_INT,
                                             [CONSTANT_UNSIGNED] = PTX_OP_INT,
                                             [CONSTANT_F32] = PTX_OP_F32,
                                             [CONSTANT_F64] = PTX_OP_F64};
    out->kind = kinds[c.kind];
    out->is_signed = c.kind == CONSTANT_SIGNED;
    out->bits = c.bits;
    return true;
}

/* A name. One that means nothing yet is a label, which may follow later. */
static bool name(parser *p, context c, ptx_operand *out)
{
    uint32_t word;
    if (!parse_name(p, "an operand", &word, &out->at))
        return false;
    const char *spelling = p->atoms.at[word].text;
    const symbol *s = c.is_branch ? NULL : parse_lookup(p, word);
    if (s && s->kind == SYMBOL_REGISTER) {
        out->kind = PTX_OP_REG;
        out->reg = s->number;
        return component(p, out);
    }
    out->name = spelling;
    if (s && s->kind == SYMBOL_VAR) {
        out->kind = PTX_OP_VAR;
        out->var = s->var;
        return true;
    }
    if (s && s->kind == SYMBOL_FUNCTION) {
        out->kind = PTX_OP_FUNCTION;
        out->function = s->function;
        return true;
    }
    if (*spelling == '%') {
        if (!ptx_is_special(spelling))
            return parse_fail(p, out->at, "register %s is not declared", spelling);
        out->kind = PTX_OP_SPECIAL;
        return component(p, out);
    }
    out->kind = strcmp(spelling, "_") == 0 ? PTX_OP_SINK : PTX_OP_LABEL;
    if (out->kind == PTX_OP_SINK)
        out->name = NULL;
    out->target = word; /* a label: the number of the word, until its scope ends */
    return true;
}

/* [a + 4], [16], [a, {b, c}] */
static bool address(parser *p, context c, ptx_operand *out)
{
    size_t base = p->operands.count;
    bool has_items;
    ptx_operand first = {.at = p->tok.at};
    out->kind = PTX_OP_ADDRESS;
    if (parse_starts_constant(p)) {
        if (!number(p, &first))
            return false;
        if (first.kind != PTX_OP_INT)
            return parse_fail(p, first.at, "an address is no floating-point number");
        if (parse_is_sign(p, ']')) {
            out->offset = (int64_t)first.bits;
            return parse_advance(p);
        }
    } else if (!name(p, c, &first) || !parse_offset(p, &out->offset)) {
        return false;
    }
    if (!vec_push(&p->operands, first))
        return parse_memory(p);
    if (!parse_if_sign(p, ',', &has_items))
        return false;
    if (!has_items && !parse_is_sign(p, ']'))
        return parse_expected(p, "`]`");
    return items(p, c, base, ']', out);
}

static bool starts_brackets(const parser *p, context c)
{
    return parse_is_sign(p, '[') || parse_is_sign(p, '{') || (parse_is_sign(p, '(') && c.is_call);
}

static bool bracketed(parser *p, context c, ptx_operand *out)
{
    int sign = p->tok.sign;
    if (c.depth++ >= OPERAND_DEPTH)
        return parse_fail(p, p->tok.at, "operands with more than %d brackets inside each other", OPERAND_DEPTH);
    if (!parse_advance(p))
        return false;
    if (sign == '[')
        return address(p, c, out);
    out->kind = sign == '{' ? PTX_OP_VECTOR : PTX_OP_LIST;
    return items(p, c, p->operands.count, sign == '{' ? '}' : ')', out);
}

/* An operand that is no pair a|b. */
static bool single(parser *p, context c, ptx_operand *out)
{
    bool found;
    *out = (ptx_operand){.at = p->tok.at};
    if (starts_brackets(p, c))
        return bracketed(p, c, out);
    if (parse_starts_constant(p))
        return number(p, out);
    if (!parse_if_sign(p, '!', &found))
        return false;
    if (found && p->tok.kind != TOKEN_NAME)
        return parse_expected(p, "a predicate");
    if (!name(p, c, out))
        return false;
    out->negated = found;
    return out->kind != PTX_OP_VAR || parse_offset(p, &out->offset);
}

static bool operand(parser *p, context c, ptx_operand *out)
{
    ptx_operand pair[2];
    bool is_pair;
    if (!single(p, c, out) || !parse_if_sign(p, '|', &is_pair))
        return false;
    if (!is_pair)
        return true;
    pair[0] = *out;
    *out = (ptx_operand){.kind = PTX_OP_PAIR, .items = 2, .at = out->at};
    if (!single(p, c, &pair[1]))
        return false;
    out->item = (ptx_operand *)parse_copy(p, pair, 2, sizeof *pair);
    return out->item != NULL;
}

bool parse_operand(parser *p, bool is_call, bool is_branch, ptx_operand *out)
{
    return operand(p, (context){.is_call = is_call, .is_branch = is_branch}, out);
}

/* Initializers: { {1, 2}, {3} } becomes 1 2 3. Rows that are too short are
 * filled up with zeros, and zeros at the end are left out. */
#include "ptx/parse/initializer.h"

#include <string.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "ptx/lex/lex.h"
#include "ptx/parse/expression.h"
#include "ptx/parse/fold.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"
#include "ptx/type.h"

/* The nested rows of a variable: its dimensions, and the elements of a vector. */
typedef struct shape {
    uint32_t levels;                    /* dimensions, and one for a vector */
    uint64_t below[PARSE_MAX_DIMS + 2]; /* by level: elements of one entry */
    uint64_t count;                     /* elements in all; UINT64_MAX for [] */
} shape;

static shape shape_of(const ptx_var *v)
{
    shape s = {.levels = v->dims + (v->width > 1)};
    uint64_t count = 1;
    for (uint32_t i = s.levels; i-- > 0;) {
        s.below[i] = count;
        count *= i >= v->dims ? (uint64_t)v->width : v->dim[i];
    }
    s.count = v->dims && v->dim[0] == 0 ? UINT64_MAX : count;
    return s;
}

/* name, name+4 or generic(name)+4 */
static bool address(parser *p, ptx_value *out)
{
    uint32_t name;
    ptx_place at;
    int64_t offset;
    out->kind = PTX_VALUE_SYMBOL;
    out->generic = parse_is_name(p, "generic");
    if (out->generic && (!parse_advance(p) || !parse_sign(p, '(')))
        return false;
    if (!parse_name(p, "the name of a variable or function", &name, &at))
        return false;
    out->symbol = p->atoms.at[name].text;
    const symbol *s = parse_lookup(p, name);
    if (!s || (s->kind != SYMBOL_VAR && s->kind != SYMBOL_FUNCTION))
        return parse_fail(p, at, "%s is not declared", out->symbol);
    if (out->generic && !parse_sign(p, ')'))
        return false;
    if (!parse_offset(p, &offset))
        return false;
    out->bits = (uint64_t)offset;
    return true;
}

static void to_single(ptx_value *v)
{
    double d;
    uint32_t bits;
    memcpy(&d, &v->bits, sizeof d);
    float f = (float)d;
    memcpy(&bits, &f, sizeof bits);
    *v = (ptx_value){.kind = PTX_VALUE_F32, .bits = bits};
}

static void to_double(ptx_value *v)
{
    float f;
    uint32_t bits = (uint32_t)v->bits;
    memcpy(&f, &bits, sizeof f);
    double d = f;
    v->kind = PTX_VALUE_F64;
    memcpy(&v->bits, &d, sizeof d);
}

/* As ptxas does: a float for .f32, .f64 or .b32 is converted to that format, and .b64 takes the bits of 0f... as they
 * are. */
static bool fit_type(parser *p, const ptx_var *v, ptx_place at, ptx_value *out)
{
    char kind = ptx_type_kind(v->type);
    int bytes = ptx_type_bytes(v->type);
    if (out->kind == PTX_VALUE_INT)
        return kind != 'f' || parse_fail(p, at, "%s holds floating-point numbers, not integers", v->name);
    if ((kind != 'f' && kind != 'b') || (bytes != 4 && bytes != 8) || v->type == PTX_f16x2 || v->type == PTX_bf16x2)
        return parse_fail(p, at, "%s cannot hold a floating-point number of 4 or 8 bytes", v->name);
    if (out->kind == PTX_VALUE_F64 && bytes == 4)
        to_single(out);
    else if (out->kind == PTX_VALUE_F32 && v->type == PTX_f64)
        to_double(out);
    return true;
}

static bool value(parser *p, const ptx_var *v, ptx_value *out)
{
    constant c;
    ptx_place at = p->tok.at;
    *out = (ptx_value){.kind = PTX_VALUE_INT};
    if (!parse_starts_constant(p) && !parse_is_sign(p, '!'))
        return address(p, out);
    if (p->tok.kind == TOKEN_INT) { /* 0xff00(name) is one byte of an address */
        uint64_t mask = p->tok.bits;
        lexer after = p->lex;
        token next;
        lex_next(&after, &next);
        if (next.kind == TOKEN_SIGN && next.sign == '(') {
            out->is_mask = true;
            out->mask = mask;
            return parse_advance(p) && parse_sign(p, '(') && address(p, out) && parse_sign(p, ')');
        }
    }
    if (!parse_constant(p, &c))
        return false;
    out->bits = c.bits;
    if (c.kind == CONSTANT_F32 || c.kind == CONSTANT_F64)
        out->kind = c.kind == CONSTANT_F32 ? PTX_VALUE_F32 : PTX_VALUE_F64;
    return fit_type(p, v, at, out);
}

static bool too_many(parser *p, const ptx_var *v)
{
    return parse_fail(p, p->tok.at, "more values than %s has room for", v->name);
}

/* Fills up with zeros to `count` values in all. */
static bool fill(parser *p, ptx_type type, uint64_t count)
{
    p->padding += count - p->values.count;
    if (p->padding > PARSE_MAX_PADDING)
        return parse_fail(p, p->tok.at, "rows that are too short leave out more than %d values", PARSE_MAX_PADDING);
    while (p->values.count < count)
        if (!vec_push(&p->values, ptx_zero(type)))
            return parse_memory(p);
    return true;
}

static bool push(parser *p, const ptx_var *v)
{
    ptx_value element;
    return value(p, v, &element) && (vec_push(&p->values, element) || parse_memory(p));
}

/* { ... } at a level, with entries of below[level] elements each. */
static bool row(parser *p, const ptx_var *v, const shape *s, uint32_t level)
{
    uint64_t start = p->values.count;
    if (level >= s->levels)
        return parse_expected(p, "a value");
    uint64_t max_count = level ? s->below[level - 1] : s->count;
    if (!parse_sign(p, '{'))
        return false;
    bool has_more = !parse_is_sign(p, '}'), was_row = false;
    while (has_more) {
        bool is_row = parse_is_sign(p, '{');
        uint64_t rest = (p->values.count - start) % s->below[level];
        if ((is_row || was_row) && rest && !fill(p, v->type, p->values.count + s->below[level] - rest))
            return false;
        if (is_row ? !row(p, v, s, level + 1) : !push(p, v))
            return false;
        if (p->values.count - start > max_count)
            return too_many(p, v);
        if (!parse_if_sign(p, ',', &has_more))
            return false;
        was_row = is_row;
    }
    return parse_sign(p, '}');
}

static bool is_zero(const ptx_value *v)
{
    return v->kind != PTX_VALUE_SYMBOL && v->bits == 0;
}

bool parse_initializer(parser *p, ptx_var *v)
{
    shape s = shape_of(v);
    p->values.count = 0;
    p->padding = 0;
    if (v->opaque || v->space == PTX_SPACE_param)
        return parse_fail(p, p->tok.at, "%s cannot have an initializer", v->name);
    if (s.levels ? !row(p, v, &s, 0) : !push(p, v))
        return false;
    if (p->values.count == 0)
        return parse_fail(p, p->tok.at, "the initializer of %s is empty", v->name);
    if (s.levels && s.count == UINT64_MAX)
        v->dim[0] = (uint64_t)div_up((int64_t)p->values.count, (int64_t)s.below[0]);
    while (p->values.count && is_zero(&p->values.at[p->values.count - 1]))
        p->values.count--;
    v->values = (uint32_t)p->values.count;
    v->value = (ptx_value *)parse_copy(p, p->values.at, p->values.count, sizeof *v->value);
    return v->value != NULL;
}

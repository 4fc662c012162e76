/* Parses declarations: variables with initializers, registers one by one and in ranges, and heads of functions. */
#include "ptx/declaration.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "ptx/expression.h"
#include "ptx/letters.h"
#include "ptx/lex.h"
#include "ptx/parser.h"
#include "ptx/ptx.h"

/* An initializer { {1, 2}, {3} } becomes the values 1 2 3. Rows that are too short are filled up with zeros, and zeros
 * at the end are left out. */

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

/* The initializer of a variable whose type and dimensions are known; fills its values, and the size of []. */
static bool parse_initializer(parser *p, ptx_var *v)
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

/* A declaration of variables gives their types, sizes and alignment. */

/* .ptr .global .align 16 */
static bool pointer_attributes(parser *p, ptx_var *v)
{
    static const char *const words[] = {"const", "global", "local", "shared", "align", "param"};
    if (!parse_keep(p))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words;) {
        if (!parse_is_dot(p, words[i])) {
            i++;
            continue;
        }
        if (!parse_keep(p) || (p->tok.kind == TOKEN_INT && !parse_keep(p)))
            return false;
        i = 0;
    }
    return parse_kept(p, &v->ptr);
}

/* .attribute(.managed, .unified(1, 2)) as written */
static bool parse_attribute(parser *p, const char **out)
{
    int depth = 0;
    do {
        if (!parse_keep(p))
            return false;
        if (p->tok.kind == TOKEN_END || (depth == 0 && !parse_is_sign(p, '(')))
            return parse_expected(p, "`(` and a list of attributes");
        depth += parse_is_sign(p, '(') - parse_is_sign(p, ')');
    } while (depth);
    return parse_keep(p) && parse_kept(p, out);
}

static bool alignment(parser *p, ptx_var *v)
{
    uint64_t align;
    ptx_place at;
    if (!parse_advance(p) || (at = p->tok.at, !parse_integer(p, "an alignment", 1, 1 << 30, &align)))
        return false;
    if (align & (align - 1))
        return parse_fail(p, at, "an alignment is a power of two, not %llu", (unsigned long long)align);
    v->align = (uint32_t)align;
    return true;
}

static ptx_type type_at(const parser *p)
{
    char word[16];
    snprintf(word, sizeof word, "%.*s", p->tok.size < 15 ? (int)p->tok.size : 15, p->tok.start);
    return ptx_type_of(word);
}

static const char *opaque_at(const parser *p)
{
    static const char *const words[] = {"texref", "samplerref", "surfref"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parse_is_dot(p, words[i]))
            return words[i];
    return NULL;
}

/* What stands between the space and the name, .align 4 .v4 .f32 .ptr ...: fills these fields of v. */
static bool parse_var_type(parser *p, ptx_var *v)
{
    v->width = 1;
    while (p->tok.kind == TOKEN_DOT) {
        bool ok;
        if (parse_is_dot(p, "align"))
            ok = alignment(p, v);
        else if (parse_is_dot(p, "ptr"))
            ok = pointer_attributes(p, v);
        else if (parse_is_dot(p, "attribute"))
            ok = parse_attribute(p, &v->attribute);
        else if (parse_is_dot(p, "v2") || parse_is_dot(p, "v4"))
            v->width = p->tok.start[1] - '0', ok = parse_advance(p);
        else if (v->type == PTX_NO_TYPE && !v->opaque && (v->type = type_at(p)) != PTX_NO_TYPE)
            ok = parse_advance(p);
        else if (v->type == PTX_NO_TYPE && !v->opaque && (v->opaque = opaque_at(p)))
            ok = parse_advance(p);
        else
            return parse_expected(p, v->type ? "a name" : "a type");
        if (!ok)
            return false;
    }
    if (v->type == PTX_NO_TYPE && !v->opaque)
        return parse_expected(p, "a type");
    if (v->type == PTX_pred && v->space != PTX_SPACE_reg)
        return parse_expected(p, "a register, since predicates have no memory; there is the name of a variable");
    return true;
}

static bool size_of(parser *p, ptx_var *v)
{
    bool is_open = false;
    v->bytes = v->opaque ? 8 : (uint64_t)ptx_type_bytes(v->type) * (uint64_t)v->width;
    for (uint32_t i = 0; i < v->dims; i++) {
        is_open = is_open || v->dim[i] == 0;
        if (!checked_mul(v->bytes, v->dim[i] ? v->dim[i] : 1, &v->bytes) || v->bytes > INT64_MAX)
            return parse_fail(p, v->at, "%s is larger than any memory", v->name);
    }
    if (is_open)
        v->bytes = 0;
    return true;
}

/* name[2][3] */
static bool parse_declarator(parser *p, ptx_var *v)
{
    uint64_t dim[PARSE_MAX_DIMS];
    uint32_t name;
    v->dims = 0;
    if (!parse_name(p, "a name", &name, &v->at))
        return false;
    v->name = p->atoms.at[name].text;
    while (parse_is_sign(p, '[')) {
        if (v->dims == PARSE_MAX_DIMS)
            return parse_fail(p, p->tok.at, "an array has at most %d dimensions", PARSE_MAX_DIMS);
        if (!parse_advance(p))
            return false;
        bool open = parse_is_sign(p, ']');
        if (open && v->dims)
            return parse_expected(p, "a size: only the first may be left out");
        dim[v->dims] = 0;
        if (!open && !parse_integer(p, "the size of an array", v->dims ? 1 : 0, INT64_MAX, &dim[v->dims]))
            return false;
        v->dims++;
        if (!parse_sign(p, ']'))
            return false;
    }
    v->dim = v->dims ? (uint64_t *)parse_copy(p, dim, v->dims, sizeof *dim) : NULL;
    return (!v->dims || v->dim) && size_of(p, v);
}

bool parse_vars(parser *p, ptx_var *first, bool (*add)(parser *p, ptx_var *v))
{
    bool has_more, initialized;
    if (!parse_var_type(p, first))
        return false;
    do {
        ptx_var *v = arena_copy(p->memory, first, sizeof *first);
        if (!v)
            return parse_memory(p);
        if (!parse_declarator(p, v) || !parse_if_sign(p, '=', &initialized))
            return false;
        if (initialized && (!parse_initializer(p, v) || !size_of(p, v)))
            return false;
        if (!add(p, v) || !parse_if_sign(p, ',', &has_more))
            return false;
    } while (has_more);
    return parse_sign(p, ';');
}

bool parse_add_register(parser *p, const char *name, size_t size, ptx_type type, int width, ptx_place at)
{
    symbol s = {.kind = SYMBOL_REGISTER, .number = (uint32_t)p->registers.count, .at = at};
    if (p->registers.count >= PARSE_MAX_REGISTERS)
        return parse_fail(p, at, "more than %d registers in a function", PARSE_MAX_REGISTERS);
    if (++p->all_registers > PARSE_MAX_ALL_REGISTERS)
        return parse_fail(p, at, "more than %d registers in a module", PARSE_MAX_ALL_REGISTERS);
    if (!parse_atom(p, name, size, &s.atom))
        return false;
    ptx_register r = {.name = p->atoms.at[s.atom].text, .type = type, .width = width};
    return (vec_push(&p->registers, r) || parse_memory(p)) && parse_declare(p, s);
}

/* %r<100>: %r0 to %r99 */
static bool register_range(parser *p, ptx_item *item, const ptx_var *v)
{
    char name[300];
    uint64_t count;
    ptx_place at = p->tok.at;
    size_t prefix = strlen(item->name);
    if (prefix > 256)
        return parse_fail(p, item->at, "the name of registers has more than 256 letters");
    if (!parse_advance(p))
        return false;
    if (p->tok.kind != TOKEN_INT)
        return parse_expected(p, "how many registers there are");
    count = p->tok.bits;
    if (count > PARSE_MAX_REGISTERS)
        return parse_fail(p, at, "more than %d registers in a function", PARSE_MAX_REGISTERS);
    if (!parse_advance(p) || !parse_sign(p, '>'))
        return false;
    memcpy(name, item->name, prefix);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = (size_t)(text_digits(name + prefix, i) - name);
        if (!parse_add_register(p, name, size, v->type, v->width, item->at))
            return false;
    }
    item->range = true;
    item->reg_count = (uint32_t)count;
    return true;
}

bool parse_registers(parser *p)
{
    ptx_var v = {.space = PTX_SPACE_reg};
    bool has_more;
    if (!parse_var_type(p, &v))
        return false;
    do {
        ptx_item item = {.kind = PTX_ITEM_REGS, .first_reg = (uint32_t)p->registers.count, .reg_count = 1};
        uint32_t name;
        if (!parse_name(p, "the name of a register", &name, &item.at))
            return false;
        item.name = p->atoms.at[name].text;
        if (parse_is_sign(p, '<') ? !register_range(p, &item, &v)
                                  : !parse_add_register(p, item.name, strlen(item.name), v.type, v.width, item.at))
            return false;
        if ((item.reg_count && !parse_add_item(p, item)) || !parse_if_sign(p, ',', &has_more))
            return false;
    } while (has_more);
    return parse_sign(p, ';');
}

/* The head of a function has results, a name, parameters and directives. */

static bool param(parser *p, ptx_var *v)
{
    *v = (ptx_var){.space = parse_is_dot(p, "reg") ? PTX_SPACE_reg : PTX_SPACE_param, .at = p->tok.at};
    if (!parse_is_dot(p, "param") && !parse_is_dot(p, "reg"))
        return parse_expected(p, "a parameter: .param or .reg");
    return parse_advance(p) && parse_var_type(p, v) && parse_declarator(p, v);
}

/* (.param .u32 a, ...) */
static bool parameters(parser *p, uint32_t *count, ptx_var **out)
{
    VEC(ptx_var) vars = {0};
    bool ok = parse_sign(p, '('), has_more = !parse_is_sign(p, ')');
    while (ok && has_more) {
        ptx_var v;
        ok = param(p, &v) && (vec_push(&vars, v) || parse_memory(p)) && parse_if_sign(p, ',', &has_more);
    }
    if (ok) {
        *count = (uint32_t)vars.count;
        *out = (ptx_var *)parse_copy(p, vars.at, vars.count, sizeof **out);
        ok = *out && parse_sign(p, ')');
    }
    vec_free(&vars);
    return ok;
}

/* .maxntid 256, 1, 1: one to three numbers, each at least one */
static bool threads(parser *p, uint32_t *out)
{
    bool has_more = true;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; has_more; i++) {
        if (i == 3 || p->tok.kind != TOKEN_INT || p->tok.bits == 0 || p->tok.bits > INT32_MAX)
            return parse_expected(p, "one to three numbers of threads");
        out[i] = (uint32_t)p->tok.bits;
        if (!parse_keep(p))
            return false;
        has_more = parse_is_sign(p, ',');
        if (has_more && !parse_keep(p))
            return false;
    }
    return true;
}

/* Directives between the parameters and the body. A .pragma has a semicolon of its own. */
static bool directives(parser *p, ptx_function *f)
{
    while (!parse_is_sign(p, '{') && !parse_is_sign(p, ';')) {
        bool is_max = parse_is_dot(p, "maxntid"), is_required = parse_is_dot(p, "reqntid");
        bool is_pragma = parse_is_dot(p, "pragma");
        if (p->tok.kind != TOKEN_DOT || !lex_is_letter(*p->tok.start))
            return parse_expected(p, "a directive, `{` or `;`");
        if (!parse_keep(p) || ((is_max || is_required) && !threads(p, is_max ? f->max_threads : f->required_threads)))
            return false;
        while (p->tok.kind == TOKEN_INT || p->tok.kind == TOKEN_STRING || p->tok.kind == TOKEN_NAME ||
               parse_is_sign(p, ',') || parse_is_sign(p, '(') || parse_is_sign(p, ')'))
            if (!parse_keep(p))
                return false;
        if (is_pragma && parse_is_sign(p, ';') && !parse_keep(p))
            return false;
    }
    return parse_kept(p, &f->directives);
}

bool parse_head(parser *p, ptx_function *f, uint32_t *name)
{
    f->is_entry = parse_is_dot(p, "entry");
    if (!parse_advance(p))
        return false;
    if (parse_is_dot(p, "attribute") && !parse_attribute(p, &f->attribute))
        return false;
    if (!f->is_entry && parse_is_sign(p, '(') && !parameters(p, &f->returns, &f->ret))
        return false;
    if (!parse_name(p, "the name of a function", name, &f->at))
        return false;
    f->name = p->atoms.at[*name].text;
    return (!parse_is_sign(p, '(') || parameters(p, &f->params, &f->param)) && directives(p, f);
}

/* (.param .b32 _) _ (.param .b32 _) .noreturn; */
bool parse_prototype(parser *p, ptx_function **out)
{
    ptx_function *f = *out = arena_alloc(p->memory, sizeof *f);
    uint32_t name;
    if (!f)
        return parse_memory(p);
    if (parse_is_sign(p, '(') && !parameters(p, &f->returns, &f->ret))
        return false;
    if (!parse_name(p, "the prototype's name, `_`", &name, &f->at))
        return false;
    f->name = p->atoms.at[name].text;
    return (!parse_is_sign(p, '(') || parameters(p, &f->params, &f->param)) && directives(p, f) && parse_sign(p, ';');
}

/* Declarations: variables with their types, sizes and alignment; registers one
 * by one and in ranges (%r<100>). */
#include "ptx/grammar/declaration.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "ptx/parse/expression.h"
#include "ptx/parse/initializer.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"
#include "ptx/type.h"

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

/* .attribute(.managed, .unified(1, 2)) */
bool parse_attribute(parser *p, const char **out)
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

bool parse_var_type(parser *p, ptx_var *v)
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
    bool open = false;
    v->bytes = v->opaque ? 8 : (uint64_t)ptx_type_bytes(v->type) * (uint64_t)v->width;
    for (uint32_t i = 0; i < v->dims; i++) {
        open = open || v->dim[i] == 0;
        if (!checked_mul(v->bytes, v->dim[i] ? v->dim[i] : 1, &v->bytes) || v->bytes > INT64_MAX)
            return parse_fail(p, v->at, "%s is larger than any memory", v->name);
    }
    if (open)
        v->bytes = 0;
    return true;
}

bool parse_declarator(parser *p, ptx_var *v)
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

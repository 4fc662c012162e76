/* Kernels, functions and aliases. */
#include "ptx/grammar/function.h"

#include <string.h>

#include "ptx/grammar/declaration.h"
#include "ptx/grammar/function_head.h"
#include "ptx/grammar/statement.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"

static bool declare_params(parser *p, ptx_var *vars, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ptx_var *v = &vars[i];
        symbol s = {.kind = SYMBOL_VAR, .var = v, .at = v->at};
        if (v->space == PTX_SPACE_reg) {
            if (!parse_add_register(p, v->name, strlen(v->name), v->type, v->width, v->at))
                return false;
        } else if (!parse_atom(p, v->name, strlen(v->name), &s.atom) || !parse_declare(p, s)) {
            return false;
        }
    }
    return true;
}

/* A name may be declared several times, always as the same kind, and defined once. */
static bool declare_function(parser *p, ptx_function *f, uint32_t name)
{
    symbol *s = parse_lookup(p, name);
    if (!s)
        return parse_declare(p, (symbol){.kind = SYMBOL_FUNCTION, .atom = name, .function = f, .at = f->at});
    if (s->kind != SYMBOL_FUNCTION || s->function->is_entry != f->is_entry)
        return parse_fail(p, f->at, "%s is declared as something else in line %d", f->name, s->at.line);
    if (f->has_body && s->function->has_body)
        return parse_fail(p, f->at, "%s has a body already, in line %d", f->name, s->function->at.line);
    if (f->has_body || !s->function->has_body)
        s->function = f;
    return true;
}

bool parse_function(parser *p, ptx_link link)
{
    uint32_t name;
    ptx_function *f = arena_alloc(p->memory, sizeof *f);
    if (!f)
        return parse_memory(p);
    f->link = link;
    if (!parse_head(p, f, &name))
        return false;
    f->has_body = parse_is_sign(p, '{');
    if (!declare_function(p, f, name))
        return false;
    if (!vec_push(&p->functions, f) || !vec_push(&p->order, ~(int32_t)(p->functions.count - 1)))
        return parse_memory(p);
    p->function = f;
    p->items.count = p->registers.count = 0;
    if (!parse_scope_open(p, 0) || !declare_params(p, f->ret, f->returns) || !declare_params(p, f->param, f->params))
        return false;
    return (f->has_body ? parse_body(p) : parse_sign(p, ';')) && parse_scope_close(p);
}

static bool function_name(parser *p, symbol **out)
{
    uint32_t name;
    ptx_place at;
    if (!parse_name(p, "the name of a function", &name, &at))
        return false;
    *out = parse_lookup(p, name);
    if (!*out || (*out)->kind != SYMBOL_FUNCTION || (*out)->function->is_entry)
        return parse_fail(p, at, "%s is no function that is declared", p->atoms.at[name].text);
    return true;
}

/* .alias name, function; the name is declared, the function has a body. */
bool parse_alias(parser *p)
{
    symbol *name, *target;
    ptx_place at = p->tok.at;
    if (!function_name(p, &name) || !parse_sign(p, ','))
        return false;
    if (name->function->has_body || name->function->alias)
        return parse_fail(p, at, "%s has a body or is an alias already", name->function->name);
    at = p->tok.at;
    if (!function_name(p, &target))
        return false;
    if (!target->function->has_body)
        return parse_fail(p, at, "%s has no body", target->function->name);
    name->function->alias = target->function->name;
    name->function = target->function;
    return parse_sign(p, ';');
}

/* Kernels and functions: their heads, and prototypes of indirect calls. */
#include <string.h>

#include "ptx/parse/parse.h"

static bool param(parser *p, ptx_var *v)
{
    *v = (ptx_var){.space = parse_is_dot(p, "reg") ? PTX_SPACE_reg : PTX_SPACE_param, .at = p->tok.at};
    if (!parse_is_dot(p, "param") && !parse_is_dot(p, "reg"))
        return parse_expected(p, "a parameter: .param or .reg");
    return parse_advance(p) && parse_var_type(p, v) && parse_declarator(p, v);
}

bool parse_params(parser *p, uint32_t *count, ptx_var **out)
{
    VEC(ptx_var) vars = {0};
    bool ok = parse_sign(p, '('), again = !parse_is_sign(p, ')');
    while (ok && again) {
        ptx_var v;
        ok = param(p, &v) && (vec_push(&vars, v) || parse_memory(p)) && parse_if_sign(p, ',', &again);
    }
    if (ok) {
        *count = (uint32_t)vars.count;
        *out = (ptx_var *)parse_copy(p, vars.at, vars.count, sizeof **out);
        ok = *out && parse_sign(p, ')');
    }
    vec_free(&vars);
    return ok;
}

/* .maxntid 256, 1, 1: up to three numbers of at least one */
static bool threads(parser *p, uint32_t *out)
{
    bool again = true;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; again; i++) {
        if (i == 3 || p->tok.kind != TOKEN_INT || p->tok.bits == 0 || p->tok.bits > INT32_MAX)
            return parse_expected(p, "one to three numbers of threads");
        out[i] = (uint32_t)p->tok.bits;
        if (!parse_keep(p))
            return false;
        again = parse_is_sign(p, ',');
        if (again && !parse_keep(p))
            return false;
    }
    return true;
}

/* What stands between the parameters and the body. A .pragma has a ; of its own. */
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

/* A name may be declared often, as the same kind of thing, and defined once. */
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

static bool head(parser *p, ptx_function *f, uint32_t *name)
{
    f->is_entry = parse_is_dot(p, "entry");
    if (!parse_advance(p))
        return false;
    if (parse_is_dot(p, "attribute") && !parse_attribute(p, &f->attribute))
        return false;
    if (!f->is_entry && parse_is_sign(p, '(') && !parse_params(p, &f->returns, &f->ret))
        return false;
    if (!parse_name(p, "the name of a function", name, &f->at))
        return false;
    f->name = p->atoms.at[*name].text;
    return (!parse_is_sign(p, '(') || parse_params(p, &f->params, &f->param)) && directives(p, f);
}

bool parse_function(parser *p, ptx_link link)
{
    uint32_t name;
    ptx_function *f = arena_alloc(p->memory, sizeof *f);
    if (!f)
        return parse_memory(p);
    f->link = link;
    if (!head(p, f, &name))
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

/* (.param .b32 _) _ (.param .b32 _) .noreturn; */
bool parse_prototype(parser *p, ptx_function **out)
{
    ptx_function *f = *out = arena_alloc(p->memory, sizeof *f);
    uint32_t name;
    if (!f)
        return parse_memory(p);
    if (parse_is_sign(p, '(') && !parse_params(p, &f->returns, &f->ret))
        return false;
    if (!parse_name(p, "the prototype's name, `_`", &name, &f->at))
        return false;
    f->name = p->atoms.at[name].text;
    return (!parse_is_sign(p, '(') || parse_params(p, &f->params, &f->param)) && directives(p, f) && parse_sign(p, ';');
}

#include "ptx/grammar/function_head.h"

#include "ptx/grammar/declaration.h"
#include "ptx/letters.h"
#include "ptx/parse/parser.h"
#include "ptx/parse/scopes.h"

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

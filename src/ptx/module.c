/* Parses modules: version, target and address size, then variables, kernels, functions, aliases, files and debug
 * sections in any order. */
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/declaration.h"
#include "ptx/letters.h"
#include "ptx/lex.h"
#include "ptx/parser.h"
#include "ptx/ptx.h"
#include "ptx/statement.h"

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

/* A kernel or function, from .entry or .func on. */
static bool parse_function(parser *p, ptx_link link)
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

/* .alias name, function; the name is only declared, and the function has a body. */
static bool parse_alias(parser *p)
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

/* .version 8.4 */
static bool version(parser *p)
{
    const token *t = &p->tok;
    if (!parse_is_dot(p, "version"))
        return parse_expected(p, ".version");
    if (!parse_advance(p))
        return false;
    if (t->kind != TOKEN_F64 || t->size != 3 || !lex_is_digit(t->start[0]) || !lex_is_digit(t->start[2]))
        return parse_expected(p, "a version such as 8.0");
    int major = t->start[0] - '0', minor = t->start[2] - '0';
    if (major < 6)
        return parse_fail(p, t->at, "PTX version %d.%d is not supported: 6.0 to 9.9 are", major, minor);
    p->m->version_major = major;
    p->m->version_minor = minor;
    return parse_advance(p);
}

/* .target sm_90a, debug */
static bool target(parser *p)
{
    bool has_more = true;
    if (!parse_is_dot(p, "target"))
        return parse_expected(p, ".target");
    if (!parse_advance(p))
        return false;
    while (has_more) {
        if (p->tok.kind != TOKEN_NAME)
            return parse_expected(p, "a target such as sm_90");
        if (p->tok.size > 3 && memcmp(p->tok.start, "sm_", 3) == 0 && !p->m->sm)
            for (size_t i = 3; i < p->tok.size && i < 8 && lex_is_digit(p->tok.start[i]); i++)
                p->m->sm = 10 * p->m->sm + (p->tok.start[i] - '0');
        if (!parse_keep(p))
            return false;
        has_more = parse_is_sign(p, ',');
        if (has_more && !parse_keep(p))
            return false;
    }
    return parse_kept(p, &p->m->target);
}

/* .file 1 "a.cu", 1700000000, 1234 */
static bool file(parser *p)
{
    ptx_file f = {0};
    if (p->tok.kind != TOKEN_INT || p->tok.bits > INT32_MAX)
        return parse_expected(p, "the number of a file");
    f.index = (uint32_t)p->tok.bits;
    if (!parse_advance(p))
        return false;
    if (p->tok.kind != TOKEN_STRING)
        return parse_expected(p, "the name of a file");
    char *name = arena_alloc(p->memory, p->tok.size + 1);
    if (!name)
        return parse_memory(p);
    f.name = memcpy(name, p->tok.start, p->tok.size);
    if (!parse_advance(p))
        return false;
    while (parse_is_sign(p, ',')) {
        if (!parse_advance(p))
            return false;
        if (p->tok.kind != TOKEN_INT)
            return parse_expected(p, "the time or size of a file");
        if (p->buffer.used)
            text_char(&p->buffer, ',');
        if (!parse_keep(p))
            return false;
    }
    return parse_kept(p, &f.rest) && (vec_push(&p->files, f) || parse_memory(p));
}

/* .section .debug_info { ... } is skipped. */
static bool section(parser *p)
{
    int depth = 0;
    while (!parse_is_sign(p, '{')) {
        if (p->tok.kind != TOKEN_DOT && p->tok.kind != TOKEN_NAME)
            return parse_expected(p, "the name of a section and `{`");
        if (!parse_advance(p))
            return false;
    }
    do {
        depth += parse_is_sign(p, '{') - parse_is_sign(p, '}');
        if (p->tok.kind == TOKEN_END)
            return parse_expected(p, "`}`");
        if (!parse_advance(p))
            return false;
    } while (depth);
    return true;
}

static bool add_var(parser *p, ptx_var *v)
{
    symbol s = {.kind = SYMBOL_VAR, .var = v, .at = v->at};
    if (!parse_atom(p, v->name, strlen(v->name), &s.atom))
        return false;
    symbol *before = parse_lookup(p, s.atom);
    if (before && before->kind == SYMBOL_VAR && (before->var->link == PTX_EXTERN || v->link == PTX_EXTERN)) {
        if (before->var->link == PTX_EXTERN)
            before->var = v;
    } else if (!parse_declare(p, s)) {
        return false;
    }
    if (!vec_push(&p->vars, v) || !vec_push(&p->order, (int32_t)(p->vars.count - 1)))
        return parse_memory(p);
    return true;
}

static bool linking(parser *p, ptx_link *link)
{
    static const struct {
        const char *word;
        ptx_link link;
    } words[] = {{"visible", PTX_VISIBLE}, {"extern", PTX_EXTERN}, {"weak", PTX_WEAK}, {"common", PTX_COMMON}};
    *link = PTX_LOCAL_LINK;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parse_is_dot(p, words[i].word)) {
            *link = words[i].link;
            return parse_advance(p);
        }
    return true;
}

static bool element(parser *p)
{
    static const ptx_space spaces[] = {PTX_SPACE_global, PTX_SPACE_const, PTX_SPACE_shared, PTX_SPACE_tex};
    ptx_link link;
    if (parse_is_dot(p, "file"))
        return parse_advance(p) && file(p);
    if (parse_is_dot(p, "section"))
        return parse_advance(p) && section(p);
    if (parse_is_dot(p, "alias"))
        return parse_advance(p) && parse_alias(p);
    if (!linking(p, &link))
        return false;
    if (parse_is_dot(p, "entry") || parse_is_dot(p, "func"))
        return parse_function(p, link);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parse_is_dot(p, ptx_space_name(spaces[i])))
            return parse_advance(p) && parse_vars(p, &(ptx_var){.space = spaces[i], .link = link}, add_var);
    return parse_expected(p, "a variable, .entry, .func, .file or .section");
}

static bool module(parser *p)
{
    if (!parse_advance(p) || !version(p) || !target(p))
        return false;
    p->m->address_bits = 64;
    if (parse_is_dot(p, "address_size")) {
        if (!parse_advance(p))
            return false;
        if (p->tok.kind != TOKEN_INT || (p->tok.bits != 32 && p->tok.bits != 64))
            return parse_expected(p, "an address size of 32 or 64");
        p->m->address_bits = (int)p->tok.bits;
        if (!parse_advance(p))
            return false;
    }
    while (p->tok.kind != TOKEN_END)
        if (!element(p))
            return false;
    return true;
}

/* Resolves operands whose function or variable was defined after its use. */
static bool resolve_declared(parser *p)
{
    for (size_t i = 0; i < p->declared.count; i++) {
        ptx_operand *o = p->declared.at[i];
        uint32_t name;
        if (!parse_atom(p, o->name, strlen(o->name), &name))
            return false;
        const symbol *s = parse_lookup(p, name);
        o->function = s->function;
        o->var = s->var;
    }
    return true;
}

static bool collect(parser *p)
{
    ptx_module *m = p->m;
    m->vars = (uint32_t)p->vars.count;
    m->functions = (uint32_t)p->functions.count;
    m->files = (uint32_t)p->files.count;
    m->order_count = (uint32_t)p->order.count;
    m->var = (ptx_var **)parse_copy(p, p->vars.at, p->vars.count, sizeof *m->var);
    m->function = (ptx_function **)parse_copy(p, p->functions.at, p->functions.count, sizeof *m->function);
    m->file = (ptx_file *)parse_copy(p, p->files.at, p->files.count, sizeof *m->file);
    m->order = (int32_t *)parse_copy(p, p->order.at, p->order.count, sizeof *m->order);
    return m->var && m->function && m->file && m->order;
}

static void close_parser(parser *p)
{
    index_free(&p->atom_index);
    vec_free(&p->atoms);
    vec_free(&p->symbols);
    vec_free(&p->scopes);
    vec_free(&p->pendings);
    vec_free(&p->declared);
    vec_free(&p->items);
    vec_free(&p->registers);
    vec_free(&p->operands);
    vec_free(&p->words);
    vec_free(&p->values);
    vec_free(&p->vars);
    vec_free(&p->functions);
    vec_free(&p->files);
    vec_free(&p->order);
    free(p->buffer.data);
}

gcast_status ptx_parse(const char *source, size_t size, ptx_module **out, gcast_error *err)
{
    *out = NULL;
    if (size > INT32_MAX)
        return gcast_error_set(err, GCAST_INPUT, NULL, "PTX of more than 2 GiB");
    while (size && source[size - 1] == '\0')
        size--;
    parser p = {.err = err, .m = calloc(1, sizeof(ptx_module))};
    if (!p.m)
        return gcast_error_set_memory(err);
    p.memory = &p.m->memory;
    text_open(&p.buffer, NULL, NULL);
    lex_open(&p.lex, source, size);
    if (module(&p) && collect(&p) && resolve_declared(&p))
        *out = p.m;
    else
        ptx_free(p.m);
    close_parser(&p);
    return p.status;
}

void ptx_free(ptx_module *m)
{
    if (!m)
        return;
    arena memory = m->memory;
    arena_free(&memory);
    free(m);
}

/* Errors and tokens of the parser, text that is kept as written, and names by scope. */
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/lex.h"

bool parse_fail(parser *p, ptx_place at, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->status = gcast_error_set(p->err, GCAST_INPUT, NULL, "%s", message);
    if (p->err) {
        p->err->line = at.line;
        p->err->column = at.column;
    }
    return false;
}

bool parse_memory(parser *p)
{
    p->status = gcast_error_set_memory(p->err);
    return false;
}

bool parse_advance(parser *p)
{
    lex_next(&p->lex, &p->tok);
    return p->tok.kind != TOKEN_BAD || parse_fail(p, p->tok.at, "%s", p->tok.problem);
}

bool parse_expected(parser *p, const char *expected)
{
    const token *t = &p->tok;
    int size = t->size > 40 ? 40 : (int)t->size;
    if (t->kind == TOKEN_END)
        return parse_fail(p, t->at, "expected %s, but the text ends", expected);
    return parse_fail(p, t->at, "expected %s, not `%s%.*s`", expected, t->kind == TOKEN_DOT ? "." : "", size, t->start);
}

bool parse_is_sign(const parser *p, int sign)
{
    return p->tok.kind == TOKEN_SIGN && p->tok.sign == sign;
}

static bool is_text(const token *t, const char *word)
{
    return strlen(word) == t->size && memcmp(t->start, word, t->size) == 0;
}

bool parse_is_dot(const parser *p, const char *word)
{
    return p->tok.kind == TOKEN_DOT && is_text(&p->tok, word);
}

bool parse_is_name(const parser *p, const char *word)
{
    return p->tok.kind == TOKEN_NAME && is_text(&p->tok, word);
}

bool parse_sign(parser *p, char sign)
{
    if (parse_is_sign(p, sign))
        return parse_advance(p);
    return parse_expected(p, (char[]){'`', sign, '`', '\0'});
}

bool parse_if_sign(parser *p, int sign, bool *found)
{
    *found = parse_is_sign(p, sign);
    return !*found || parse_advance(p);
}

bool parse_keep(parser *p)
{
    const token *t = &p->tok;
    text *b = &p->buffer;
    bool no_space = t->kind == TOKEN_SIGN && strchr(",;)(", t->sign);
    if (t->kind == TOKEN_DOT && t->start[0] >= '0' && t->start[0] <= '9')
        return parse_expected(p, "a directive"); /* with a space before it, it would be a number */
    if (b->used && !no_space && b->data[b->used - 1] != '(')
        text_char(b, ' ');
    if (t->kind == TOKEN_DOT)
        text_char(b, '.');
    if (t->kind == TOKEN_STRING)
        text_char(b, '"');
    text_bytes(b, t->start, t->size);
    if (t->kind == TOKEN_STRING)
        text_char(b, '"');
    return b->failed ? parse_memory(p) : parse_advance(p);
}

bool parse_kept(parser *p, const char **out)
{
    *out = NULL;
    if (p->buffer.used) {
        text_char(&p->buffer, '\0');
        if (p->buffer.failed || !(*out = arena_copy(p->memory, p->buffer.data, p->buffer.used)))
            return parse_memory(p);
    }
    p->buffer.used = 0;
    return true;
}

const void *parse_copy(parser *p, const void *data, size_t count, size_t size)
{
    void *copy = arena_alloc_array(p->memory, count, size);
    if (!copy)
        parse_memory(p);
    else if (count)
        memcpy(copy, data, count * size);
    return copy;
}

bool parse_add_item(parser *p, ptx_item item)
{
    return vec_push(&p->items, item) || parse_memory(p);
}

/* Every word is kept once, with its meaning in the innermost scope; the end of a scope removes the symbols that it
 * declared. A label may be used before it is declared; the end of the scope that declares it resolves the use. */

bool parse_atom(parser *p, const char *word, size_t size, uint32_t *out)
{
    uint64_t hash = index_hash(word, size);
    for (index_probe probe = index_start(&p->atom_index, hash); index_next(&p->atom_index, &probe);) {
        const atom *a = &p->atoms.at[probe.value];
        if (a->size == size && memcmp(a->text, word, size) == 0) {
            *out = probe.value;
            return true;
        }
    }
    char *copy = arena_alloc(p->memory, size + 1);
    if (!copy)
        return parse_memory(p);
    memcpy(copy, word, size);
    *out = (uint32_t)p->atoms.count;
    if (!vec_push(&p->atoms, ((atom){.text = copy, .size = (uint32_t)size})) || !index_add(&p->atom_index, hash, *out))
        return parse_memory(p);
    return true;
}

bool parse_name(parser *p, const char *expected, uint32_t *name, ptx_place *at)
{
    *at = p->tok.at;
    if (p->tok.kind != TOKEN_NAME)
        return parse_expected(p, expected);
    return parse_atom(p, p->tok.start, p->tok.size, name) && parse_advance(p);
}

symbol *parse_lookup(parser *p, uint32_t name)
{
    uint32_t meaning = p->atoms.at[name].meaning;
    return meaning ? &p->symbols.at[meaning - 1] : NULL;
}

static size_t innermost(const parser *p)
{
    return p->scopes.count ? p->scopes.at[p->scopes.count - 1].first_symbol : 0;
}

bool parse_declare(parser *p, symbol s)
{
    atom *a = &p->atoms.at[s.atom];
    if (strcmp(a->text, "_") == 0)
        return true;
    if (a->meaning > innermost(p)) {
        ptx_place first = p->symbols.at[a->meaning - 1].at;
        return parse_fail(p, s.at, "%s is declared twice; first in line %d", a->text, first.line);
    }
    s.outer = a->meaning;
    if (!vec_push(&p->symbols, s))
        return parse_memory(p);
    a->meaning = (uint32_t)p->symbols.count;
    return true;
}

bool parse_scope_open(parser *p, uint32_t open_item)
{
    if (p->scopes.count >= PARSE_MAX_DEPTH)
        return parse_fail(p, p->tok.at, "more than %d scopes inside each other", PARSE_MAX_DEPTH);
    scope s = {.first_symbol = p->symbols.count, .first_pending = p->pendings.count, .open_item = open_item};
    return vec_push(&p->scopes, s) || parse_memory(p);
}

bool parse_pending_label(parser *p, ptx_operand *operand, uint32_t name)
{
    return vec_push(&p->pendings, ((pending){operand, name})) || parse_memory(p);
}

/* The label or branch table that this scope declares under the name; NULL: none. */
static const symbol *label_of(const parser *p, const scope *s, const atom *a)
{
    if (a->meaning <= s->first_symbol)
        return NULL;
    const symbol *x = &p->symbols.at[a->meaning - 1];
    return x->kind == SYMBOL_LABEL || x->kind == SYMBOL_TABLE ? x : NULL;
}

bool parse_scope_close(parser *p)
{
    scope s = p->scopes.at[p->scopes.count - 1];
    size_t left = s.first_pending;
    for (size_t i = s.first_pending; i < p->pendings.count; i++) {
        pending *use = &p->pendings.at[i];
        const atom *a = &p->atoms.at[use->atom];
        const symbol *found = label_of(p, &s, a);
        if (found) {
            use->operand->kind = found->kind == SYMBOL_LABEL ? PTX_OP_LABEL : PTX_OP_TABLE;
            use->operand->target = found->number;
        } else if (p->scopes.count == 1) {
            return parse_fail(p, use->operand->at, "%s is not declared", a->text);
        } else {
            p->pendings.at[left++] = *use;
        }
    }
    p->pendings.count = left;
    while (p->symbols.count > s.first_symbol) {
        symbol *last = &p->symbols.at[--p->symbols.count];
        p->atoms.at[last->atom].meaning = last->outer;
    }
    p->scopes.count--;
    return true;
}

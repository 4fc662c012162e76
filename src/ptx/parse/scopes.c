/* Names and their meaning by scope. Every word is kept once, with its meaning
 * in the innermost scope; the end of a scope removes what was declared there.
 * Labels may be used before they are declared, so which label is meant is known
 * at the end of a scope: that of the innermost scope that declares it. */
#include "ptx/parse/scopes.h"

#include <string.h>

#include "ptx/parse/parser.h"

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

/* The label or branch table that the name means in this scope; NULL: none. */
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
        pending *l = &p->pendings.at[i];
        const atom *a = &p->atoms.at[l->atom];
        const symbol *found = label_of(p, &s, a);
        if (found) {
            l->operand->kind = found->kind == SYMBOL_LABEL ? PTX_OP_LABEL : PTX_OP_TABLE;
            l->operand->target = found->number;
        } else if (p->scopes.count == 1) {
            return parse_fail(p, l->operand->at, "%s is not declared", a->text);
        } else {
            p->pendings.at[left++] = *l;
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

/* A search for the functions that a kernel can reach, and for variables that hold their addresses. */
#include "ptx/reachable.h"

#include <string.h>

#include "base/index.h"
#include "base/vec.h"
#include "ptx/ptx.h"

typedef struct search {
    const ptx_module *module;
    ptx_reached *out;
    VEC(const ptx_var *) vars; /* reached variables that hold addresses */
    hash_index seen;           /* by variable: its number in `vars` */
    bool failed;               /* memory ran out */
} search;

static void add_function(search *s, const ptx_function *f)
{
    ptx_reached *r = s->out;
    if (!f->has_body) {
        r->heap |= strcmp(f->name, "malloc") == 0 || strcmp(f->name, "free") == 0;
        return;
    }
    for (uint32_t i = 0; i < r->functions; i++)
        if (r->function[i] == f)
            return;
    r->function[r->functions++] = f;
}

static bool has_addresses(const ptx_var *v)
{
    for (uint32_t i = 0; i < v->values; i++)
        if (v->value[i].kind == PTX_VALUE_SYMBOL)
            return true;
    return false;
}

static void add_variable(search *s, const ptx_var *v)
{
    uint64_t hash = index_hash(&v, sizeof v);
    if (!has_addresses(v))
        return;
    if (!vec_reserve(&s->vars, s->vars.count + 1)) {
        s->failed = true;
        return;
    }
    for (index_probe i = index_start(&s->seen, hash); index_next(&s->seen, &i);)
        if (s->vars.at[i.value] == v)
            return;
    if (!vec_push(&s->vars, v) || !index_add(&s->seen, hash, (uint32_t)(s->vars.count - 1)))
        s->failed = true;
}

static void add_values(search *s, const ptx_var *v)
{
    const ptx_module *m = s->module;
    for (uint32_t k = 0; k < v->values; k++) {
        const char *name = v->value[k].symbol;
        if (v->value[k].kind != PTX_VALUE_SYMBOL)
            continue;
        const ptx_function *f = ptx_find_function(m, name);
        if (f)
            add_function(s, f);
        for (uint32_t i = 0; !f && i < m->vars; i++)
            if (strcmp(m->var[i]->name, name) == 0)
                add_variable(s, m->var[i]);
    }
}

static void add_operand(search *s, const ptx_operand *x)
{
    const ptx_function *f = x->kind == PTX_OP_FUNCTION ? ptx_find_function(s->module, x->function->name) : NULL;
    if (f)
        add_function(s, f);
    if (x->kind == PTX_OP_VAR)
        add_variable(s, x->var);
    if (x->kind == PTX_OP_SPECIAL && (strcmp(x->name, "%envreg1") == 0 || strcmp(x->name, "%envreg2") == 0))
        s->out->grid = true;
    if (x->kind == PTX_OP_SPECIAL && strncmp(x->name, "%reserved_smem", 14) == 0)
        s->out->reserved = true;
    for (uint32_t i = 0; i < x->items; i++)
        add_operand(s, &x->item[i]);
}

bool ptx_reach(const ptx_module *m, const ptx_function *kernel, arena *memory, ptx_reached *out)
{
    search s = {.module = m, .out = out};
    size_t vars = 0;
    *out = (ptx_reached){.function = arena_alloc_array(memory, (size_t)m->functions + 1, sizeof *out->function)};
    if (!out->function)
        return false;
    add_function(&s, kernel);
    for (uint32_t i = 0; i < out->functions && !s.failed; i++) {
        const ptx_function *f = out->function[i];
        for (uint32_t k = 0; k < f->items; k++)
            if (f->item[k].kind == PTX_ITEM_INSTRUCTION)
                for (uint32_t n = 0; n < f->item[k].instruction->operands; n++)
                    add_operand(&s, &f->item[k].instruction->operand[n]);
        while (vars < s.vars.count)
            add_values(&s, s.vars.at[vars++]);
    }
    vec_free(&s.vars);
    index_free(&s.seen);
    return !s.failed;
}

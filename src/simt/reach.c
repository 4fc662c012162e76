/* What a kernel can come to: the functions that it calls or takes the address
 * of, and those in variables that it uses, such as tables of virtual functions.
 * What only other kernels use may be anything. Also what it needs of the
 * system: a heap, a workspace of the grid, reserved shared memory. */
#include <string.h>

#include "simt/decode.h"

#define RESERVED_BYTES 1024 /* of shared memory, as CUDA reserves in a block since Ampere */

typedef struct search {
    program *program;
    VEC(const ptx_var *) vars; /* that hold addresses and were seen */
    hash_index seen;
    bool failed; /* no memory */
} search;

static void add_function(search *s, const ptx_function *f)
{
    program *p = s->program;
    if (!f->has_body) {
        p->heap |= strcmp(f->name, "malloc") == 0 || strcmp(f->name, "free") == 0;
        return;
    }
    for (uint32_t i = 0; i < p->functions; i++)
        if (p->function[i].source == f)
            return;
    p->function[p->functions++] = (function_code){.source = f};
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
    for (index_probe i = index_start(&s->seen, hash); index_next(&s->seen, &i);)
        if (s->vars.at[i.value] == v)
            return;
    if (has_addresses(v) && (!vec_push(&s->vars, v) || !index_add(&s->seen, hash, (uint32_t)(s->vars.count - 1))))
        s->failed = true;
}

static void add_values(search *s, const ptx_var *v)
{
    const ptx_module *m = s->program->module;
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
    const ptx_function *f =
        x->kind == PTX_OP_FUNCTION ? ptx_find_function(s->program->module, x->function->name) : NULL;
    if (f)
        add_function(s, f);
    if (x->kind == PTX_OP_VAR)
        add_variable(s, x->var);
    if (x->kind == PTX_OP_SPECIAL && strncmp(x->name, "%envreg", 7) == 0)
        s->program->workspace = 1;
    if (x->kind == PTX_OP_SPECIAL && strncmp(x->name, "%reserved_smem", 14) == 0)
        s->program->reserved_shared = RESERVED_BYTES;
    for (uint32_t i = 0; i < x->items; i++)
        add_operand(s, &x->item[i]);
}

gcast_status reach_functions(program *p, const ptx_function *kernel, gcast_error *err)
{
    search s = {.program = p};
    size_t vars = 0;
    p->function = arena_alloc_array(&p->memory, (size_t)p->module->functions + 1, sizeof *p->function);
    if (!p->function)
        return gcast_fail_memory(err);
    add_function(&s, kernel);
    for (uint32_t i = 0; i < p->functions && !s.failed; i++) {
        const ptx_function *f = p->function[i].source;
        for (uint32_t k = 0; k < f->items; k++)
            if (f->item[k].kind == PTX_ITEM_INSTRUCTION)
                for (uint32_t n = 0; n < f->item[k].instruction->operands; n++)
                    add_operand(&s, &f->item[k].instruction->operand[n]);
        while (vars < s.vars.count)
            add_values(&s, s.vars.at[vars++]);
    }
    vec_free(&s.vars);
    index_free(&s.seen);
    return s.failed ? gcast_fail_memory(err) : GCAST_OK;
}

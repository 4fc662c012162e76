/* Which PTX registers need a register of the GPU. */
#include "simt/registers/needs.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/type.h"
#include "ptx/words.h"
#include "simt/contract/kinds.h"

typedef struct view_builder {
    register_view *v; /* that is made */
    uint32_t *writes; /* by register: how often it is written */
    bool all_free;    /* of the operands that were visited */
} view_builder;

static void count_write(void *data, uint32_t reg, bool part)
{
    uint32_t *writes = data;
    writes[reg] += part ? 2 : 1;
}

static void ask_free(void *data, uint32_t reg, bool part)
{
    (void)part;
    view_builder *m = data;
    m->all_free = m->all_free && m->v->stands_for[reg] == REGISTER_FREE;
}

/* Special registers that are the same for a whole block are read again where they are needed. */
static bool differs_by_thread(const char *special)
{
    return strncmp(special, "%tid", 4) == 0 || strncmp(special, "%lane", 5) == 0;
}

/* The original of a register that only `in` writes: see register_view.stands_for. */
static uint32_t original_of(view_builder *m, const ptx_instruction *in, uint32_t reg)
{
    static const char *const uniform[] = {"add", "sub", "mul", "mad", "shl", "shr", "cvt", "and", "or",
                                          "xor", "not", "neg", "min", "max", "abs", "bfe", "lop3"};
    const ptx_operand *x = in->operands > 1 ? &in->operand[1] : NULL;
    const bool copies = ptx_is(in, "mov") || ptx_is(in, "cvta");
    if (!x || in->operand[0].kind != PTX_OP_REG)
        return reg;
    if (copies && x->kind == PTX_OP_REG && !x->component)
        return m->v->stands_for[x->reg];
    if (copies && x->kind == PTX_OP_SPECIAL)
        return differs_by_thread(x->name) ? reg : REGISTER_FREE;
    if (copies)
        return x->kind == PTX_OP_VECTOR || x->kind == PTX_OP_REG ? reg : REGISTER_FREE;
    if (contract_is_constant_load(in, m->v->graph->fn->is_entry))
        return REGISTER_FREE;
    if (!PTX_IS_ANY(in, uniform) || ptx_has(in, "cc"))
        return reg;
    m->all_free = true;
    ptx_each_read(in, ask_free, m);
    return m->all_free ? REGISTER_FREE : reg;
}

bool registers_view_make(register_view *v, const ptx_graph *g)
{
    const ptx_function *fn = g->fn;
    size_t registers = (size_t)fn->registers + 1;
    *v = (register_view){.graph = g};
    v->stands_for = malloc(registers * sizeof *v->stands_for);
    v->words = calloc(registers, sizeof *v->words);
    v->local = calloc(registers, sizeof *v->local);
    v->numbered_turn = calloc(registers, sizeof *v->numbered_turn);
    view_builder m = {.v = v, .writes = calloc(registers, sizeof *m.writes)};
    bool ok = v->stands_for && v->words && v->local && v->numbered_turn && m.writes;
    for (uint32_t r = 0; ok && r < fn->registers; r++) {
        int bytes = ptx_type_bytes(fn->reg[r].type) * (fn->reg[r].width > 1 ? fn->reg[r].width : 1);
        v->stands_for[r] = r;
        v->words[r] = (uint8_t)((bytes + 3) / 4);
    }
    for (uint32_t i = 0; ok && i < g->count; i++)
        ptx_each_write(g->in[i], count_write, m.writes);
    for (uint32_t i = 0; ok && i < g->count; i++) {
        const ptx_instruction *in = g->in[i];
        uint32_t reg = in->operands && in->operand[0].kind == PTX_OP_REG ? in->operand[0].reg : REGISTER_FREE;
        if (reg != REGISTER_FREE && in->guard < 0 && m.writes[reg] == 1 && v->words[reg] && !ptx_has_effect(in))
            v->stands_for[reg] = original_of(&m, in, reg);
    }
    free(m.writes);
    if (!ok)
        registers_view_free(v);
    return ok;
}

void registers_view_free(register_view *v)
{
    free(v->stands_for);
    free(v->words);
    free(v->local);
    free(v->numbered_turn);
    *v = (register_view){0};
}

/* Copies and free values need no instruction. */
static bool needs_nothing(const register_view *v, const ptx_instruction *in)
{
    const ptx_operand *d = in->operands ? &in->operand[0] : NULL;
    return d && d->kind == PTX_OP_REG && !ptx_has_effect(in) && v->stands_for[d->reg] != d->reg;
}

typedef struct resolver {
    const register_view *v; /* what registers stand for */
    ptx_visit *visit;       /* called for what a register stands for */
    void *data;             /* its first argument */
} resolver;

static void resolve(void *data, uint32_t reg, bool part)
{
    const resolver *r = data;
    uint32_t original = r->v->stands_for[reg];
    if (original != REGISTER_FREE)
        r->visit(r->data, original, part);
}

static void reads(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    const register_view *v = data;
    resolver r = {v, visit, visit_data};
    if (!needs_nothing(v, v->graph->in[instruction]))
        ptx_each_read(v->graph->in[instruction], resolve, &r);
}

static void writes(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    const register_view *v = data;
    if (!needs_nothing(v, v->graph->in[instruction]))
        ptx_each_write(v->graph->in[instruction], visit, visit_data);
}

static bool effect(const void *data, uint32_t instruction)
{
    const register_view *v = data;
    return ptx_has_effect(v->graph->in[instruction]);
}

ptx_roles registers_roles(const register_view *v)
{
    return (ptx_roles){reads, writes, effect, v};
}

/* Finds the effects of each op: the strength and scope of accesses, fences, and loads that a loop waits for. */
#include "simt/races/op_effects.h"

#include <stdlib.h>

#include "ptx/instruction.h"
#include "simt/races/vector_clock.h"

static race_op classify(const op *o)
{
    const ptx_instruction *in = o->source;
    race_op r = {.scope = SCOPE_GPU};
    if (!in)
        return r;
    if (ptx_has(in, "cta") || ptx_has(in, "cluster"))
        r.scope = SCOPE_BLOCK;
    r.is_fence =
        ptx_is(in, "membar") || (ptx_is(in, "fence") && !ptx_has(in, "proxy") && !ptx_has(in, "mbarrier_init"));
    r.ends_copies = ptx_is(in, "cp") && ptx_has(in, "mbarrier");
    if (o->kind != OP_MEMORY)
        return r;
    if (r.ends_copies || ptx_is(in, "mbarrier")) {
        r.writes = true;
        r.strength = ptx_has(in, "init") || ptx_has(in, "inval") ? ACCESS_WEAK : ACCESS_STRONG;
        return r;
    }
    r.acquires = ptx_has(in, "acquire") || ptx_has(in, "acq_rel");
    r.releases = ptx_has(in, "release") || ptx_has(in, "acq_rel");
    bool atomic = ptx_is(in, "atom") || ptx_is(in, "red");
    bool ordered = r.acquires || r.releases || ptx_has(in, "relaxed") || ptx_has(in, "mmio");
    r.strength = atomic || ordered ? ACCESS_STRONG : ptx_has(in, "volatile") ? ACCESS_VOLATILE : ACCESS_WEAK;
    r.plain_atomic = atomic && !ordered;
    r.is_cas = atomic && ptx_has(in, "cas");
    r.asynchronous = ptx_is(in, "cp");
    r.writes = atomic || ptx_is(in, "st") || (r.asynchronous && o->space == PTX_SPACE_shared);
    return r;
}

/* A set of registers. */
typedef struct register_set {
    bool *reg;    /* by register: it is in the set */
    bool changed; /* a register was added */
} register_set;

static bool reads_member(const register_set *t, const ptx_operand *x)
{
    if (x->kind == PTX_OP_REG && t->reg[x->reg])
        return true;
    for (uint32_t i = 0; i < x->items; i++)
        if (reads_member(t, &x->item[i]))
            return true;
    return false;
}

static void add_operand(register_set *t, const ptx_operand *x)
{
    if (x->kind == PTX_OP_REG && !t->reg[x->reg]) {
        t->reg[x->reg] = true;
        t->changed = true;
    }
    for (uint32_t i = 0; x->kind != PTX_OP_ADDRESS && i < x->items; i++)
        add_operand(t, &x->item[i]);
}

/* Adds all registers that depend on the value of a load, except through memory; copies: only copies of the value. */
static void add_dependents(register_set *t, const op *ops, uint32_t first, uint32_t end, const ptx_instruction *load,
                           bool copies)
{
    add_operand(t, &load->operand[0]);
    do {
        t->changed = false;
        for (uint32_t n = first; n < end; n++) {
            const ptx_instruction *in = ops[n].source;
            bool depends = in && in->guard >= 0 && t->reg[in->guard];
            for (uint32_t i = 1; in && i < in->operands; i++)
                depends |= reads_member(t, &in->operand[i]);
            if (depends && in->operands && ops[n].kind != OP_BRANCH && ops[n].kind != OP_MEMORY &&
                (!copies || ptx_is(in, "mov")))
                add_operand(t, &in->operand[0]);
        }
    } while (t->changed);
}

/* Does the value that op n loads decide when its loop ends? Assumes that loops are contiguous in the code. */
static bool decides_loop(const register_set *t, const op *ops, uint32_t first, uint32_t end, uint32_t n)
{
    uint32_t first_op = NO_PC, last_op = 0;
    for (uint32_t i = n; i < end; i++)
        if (ops[i].kind == OP_BRANCH && ops[i].target >= first && ops[i].target <= n &&
            (first_op == NO_PC || i - ops[i].target < last_op - first_op)) {
            first_op = ops[i].target;
            last_op = i;
        }
    for (uint32_t i = first_op; first_op != NO_PC && i <= last_op; i++) {
        const ptx_instruction *in = ops[i].source;
        if (ops[i].kind == OP_BRANCH && in && in->guard >= 0 && t->reg[in->guard])
            return true;
    }
    return false;
}

/* Does an atom.cas expect the value? */
static bool feeds_cas(const register_set *t, const op *ops, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++) {
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind == OP_MEMORY && in && ptx_is(in, "atom") && ptx_has(in, "cas") && in->operands > 2 &&
            reads_member(t, &in->operand[2]))
            return true;
    }
    return false;
}

/* Finds the uses of loaded values. */
static bool find_uses(const program *p, const function_code *f, race_op *effects)
{
    const op *ops = p->op;
    uint32_t first = f->first, end = f->first + f->count;
    bool has_cas = false;
    for (uint32_t n = first; n < end; n++)
        has_cas |= ops[n].kind == OP_MEMORY && ops[n].source && ptx_has(ops[n].source, "cas");
    for (uint32_t n = first; n < end; n++) {
        race_op *r = &effects[n];
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind != OP_MEMORY || !in || !ptx_is(in, "ld") || ops[n].space == PTX_SPACE_local)
            continue;
        if (r->strength == ACCESS_WEAK && !has_cas)
            continue;
        register_set t = {.reg = calloc((size_t)f->source->registers + 1, sizeof *t.reg)};
        if (!t.reg)
            return false;
        bool plain = r->strength == ACCESS_WEAK;
        add_dependents(&t, ops, first, end, in, plain);
        if (plain)
            r->feeds_cas = feeds_cas(&t, ops, first, end);
        else
            r->spins = decides_loop(&t, ops, first, end, n);
        free(t.reg);
    }
    return true;
}

race_op *race_ops_make(const program *p)
{
    race_op *effects = calloc((size_t)p->ops + 1, sizeof *effects);
    bool ok = effects != NULL;
    for (uint32_t n = 0; ok && n < p->ops; n++)
        effects[n] = classify(&p->op[n]);
    for (uint32_t i = 0; ok && i < p->functions; i++)
        ok = find_uses(p, &p->function[i], effects);
    if (ok)
        return effects;
    free(effects);
    return NULL;
}

/* What each op means for the order of threads: how strong an access is and for
 * whom (its scope), what is a fence, and which loads a loop waits for. */
#include <stdlib.h>
#include <string.h>

#include "simt/memory/memory.h"
#include "simt/races/state.h"

static bool has(const ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->mods; i++)
        if (strcmp(in->mod[i], word) == 0)
            return true;
    return false;
}

static bool is(const ptx_instruction *in, const char *opcode)
{
    return strcmp(in->opcode, opcode) == 0;
}

static race_op classify(const op *o)
{
    const ptx_instruction *in = o->source;
    race_op r = {.scope = SCOPE_GPU};
    if (!in)
        return r;
    if (has(in, "cta") || has(in, "cluster"))
        r.scope = SCOPE_BLOCK;
    r.is_fence = is(in, "membar") || (is(in, "fence") && !has(in, "proxy") && !has(in, "mbarrier_init"));
    r.ends_copies = is(in, "cp") && has(in, "mbarrier");
    if (o->kind != OP_MEMORY)
        return r;
    if (r.ends_copies || is(in, "mbarrier")) {
        r.writes = true;
        r.strength = has(in, "init") || has(in, "inval") ? ACCESS_WEAK : ACCESS_STRONG;
        return r;
    }
    r.acquires = has(in, "acquire") || has(in, "acq_rel");
    r.releases = has(in, "release") || has(in, "acq_rel");
    bool atomic = is(in, "atom") || is(in, "red");
    bool ordered = r.acquires || r.releases || has(in, "relaxed") || has(in, "mmio");
    r.strength = atomic || ordered ? ACCESS_STRONG : has(in, "volatile") ? ACCESS_VOLATILE : ACCESS_WEAK;
    r.plain_atomic = atomic && !ordered;
    r.is_cas = atomic && has(in, "cas");
    r.asynchronous = is(in, "cp");
    r.writes = atomic || is(in, "st") || (r.asynchronous && o->space == PTX_SPACE_shared);
    return r;
}

/* Registers as sets. */
typedef struct taint {
    bool *reg;
    bool changed;
} taint;

static bool reads_tainted(const taint *t, const ptx_operand *x)
{
    if (x->kind == PTX_OP_REG && t->reg[x->reg])
        return true;
    for (uint32_t i = 0; i < x->items; i++)
        if (reads_tainted(t, &x->item[i]))
            return true;
    return false;
}

static void mark(taint *t, const ptx_operand *x)
{
    if (x->kind == PTX_OP_REG && !t->reg[x->reg]) {
        t->reg[x->reg] = true;
        t->changed = true;
    }
    for (uint32_t i = 0; x->kind != PTX_OP_ADDRESS && i < x->items; i++)
        mark(t, &x->item[i]);
}

/* All registers that follow from what this load gives, but not through memory; or only copies of it. */
static void follow(taint *t, const op *ops, uint32_t first, uint32_t end, const ptx_instruction *load, bool copies)
{
    mark(t, &load->operand[0]);
    do {
        t->changed = false;
        for (uint32_t n = first; n < end; n++) {
            const ptx_instruction *in = ops[n].source;
            bool tainted = in && in->guard >= 0 && t->reg[in->guard];
            for (uint32_t i = 1; in && i < in->operands; i++)
                tainted |= reads_tainted(t, &in->operand[i]);
            if (tainted && in->operands && ops[n].kind != OP_BRANCH && ops[n].kind != OP_MEMORY &&
                (!copies || is(in, "mov")))
                mark(t, &in->operand[0]);
        }
    } while (t->changed);
}

/* Is op n in a loop that what it loads decides about? Loops are taken to lie in one piece. */
static bool decides_loop(const taint *t, const op *ops, uint32_t first, uint32_t end, uint32_t n)
{
    uint32_t from = NO_PC, to = 0;
    for (uint32_t i = n; i < end; i++)
        if (ops[i].kind == OP_BRANCH && ops[i].target >= first && ops[i].target <= n &&
            (from == NO_PC || i - ops[i].target < to - from)) {
            from = ops[i].target;
            to = i;
        }
    for (uint32_t i = from; from != NO_PC && i <= to; i++) {
        const ptx_instruction *in = ops[i].source;
        if (ops[i].kind == OP_BRANCH && in && in->guard >= 0 && t->reg[in->guard])
            return true;
    }
    return false;
}

/* Does what it loads become what an atom.cas expects? */
static bool feeds_cas(const taint *t, const op *ops, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++) {
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind == OP_MEMORY && in && is(in, "atom") && has(in, "cas") && in->operands > 2 &&
            reads_tainted(t, &in->operand[2]))
            return true;
    }
    return false;
}

/* What becomes of what loads give. */
static bool find_uses(race_checker *k, const function_code *f)
{
    const op *ops = k->machine->program->op;
    uint32_t first = f->first, end = f->first + f->count;
    bool has_cas = false;
    for (uint32_t n = first; n < end; n++)
        has_cas |= ops[n].kind == OP_MEMORY && ops[n].source && has(ops[n].source, "cas");
    for (uint32_t n = first; n < end; n++) {
        race_op *r = &k->op[n];
        const ptx_instruction *in = ops[n].source;
        if (ops[n].kind != OP_MEMORY || !in || !is(in, "ld") || ops[n].space == PTX_SPACE_local)
            continue;
        if (r->strength == ACCESS_WEAK && !has_cas)
            continue;
        taint t = {.reg = calloc((size_t)f->source->registers + 1, sizeof *t.reg)};
        if (!t.reg)
            return false;
        bool plain = r->strength == ACCESS_WEAK;
        follow(&t, ops, first, end, in, plain);
        if (plain)
            r->feeds_cas = feeds_cas(&t, ops, first, end);
        else
            r->spins = decides_loop(&t, ops, first, end, n);
        free(t.reg);
    }
    return true;
}

bool race_ops_make(race_checker *k)
{
    const program *p = k->machine->program;
    k->op = calloc((size_t)p->ops + 1, sizeof *k->op); /* the last one says nothing, as a plain load does */
    if (!k->op)
        return false;
    for (uint32_t n = 0; n < p->ops; n++)
        k->op[n] = classify(&p->op[n]);
    for (uint32_t i = 0; i < p->functions; i++)
        if (!find_uses(k, &p->function[i]))
            return false;
    return true;
}

/* The walk through a function: which register holds which product, what uses
 * it, and which sums could absorb it. A chain is a sequence of blocks, each the
 * only successor of the block before, which is its only predecessor. Runs are
 * counted within a chain. */
#include "simt/contract/walk.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/type.h"
#include "ptx/words.h"
#include "simt/contract/kinds.h"

static const value unknown = {.product = NONE};

static value register_value(const finder *f, uint32_t reg)
{
    return f->current_chain[reg] == f->chain + 1 ? f->current[reg] : f->always[reg];
}

static value operand_value(const finder *f, const ptx_operand *x, ptx_type t)
{
    value v = unknown;
    if (x->kind == PTX_OP_REG && !x->component)
        return register_value(f, x->reg);
    v.constant = v.known = contract_number(x, t, &v.bits);
    return v;
}

static void count_use(finder *f, value v)
{
    if (v.product != NONE) {
        f->products.at[v.product].needed = true;
        f->products.at[v.product].uses++;
    }
}

static void use_register(void *data, uint32_t reg, bool part)
{
    (void)part;
    count_use(data, register_value(data, reg));
}

static void set_value(finder *f, uint32_t reg, value v)
{
    f->current[reg] = v;
    f->current_chain[reg] = f->chain + 1;
    f->written[reg] = f->at + 1;
    if (v.product != NONE && !vec_push(&f->held, reg))
        f->failed = true;
}

/* A guarded write keeps the previous value in some threads, so that is a use. */
static void write_register(void *data, uint32_t reg, bool part)
{
    finder *f = data;
    if (f->g->in[f->at]->guard >= 0 || part)
        count_use(f, register_value(f, reg));
    set_value(f, reg, unknown);
}

/* 1 or -1 where the value is that number; else 0. */
static int unit_sign(value v, ptx_type t)
{
    uint64_t one_bits = t == PTX_f32 ? 0x3f800000 : UINT64_C(0x3ff0000000000000);
    uint64_t sign = t == PTX_f32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    if (!v.known || (t != PTX_f32 && t != PTX_f64))
        return 0;
    return v.bits == one_bits ? 1 : v.bits == (one_bits | sign) ? -1 : 0;
}

static value negated(value v)
{
    v.negative = !v.negative;
    v.known = false;
    return v;
}

/* Moves, negations and products with 1 or -1 copy a value: *v, if it is one. */
static bool is_copy(const finder *f, const ptx_instruction *in, value *v)
{
    ptx_type t = ptx_last_type(in);
    if (in->guard >= 0 || in->operands < 2 || in->operand[0].kind != PTX_OP_REG || in->operand[0].component)
        return false;
    *v = operand_value(f, &in->operand[1], t);
    if (ptx_is(in, "mov"))
        return in->operand[1].kind == PTX_OP_REG ? !in->operand[1].component : v->constant;
    if (ptx_type_kind(t) != 'f' || ptx_has(in, "sat"))
        return false;
    if (ptx_is(in, "mul") && in->operands == 3) {
        value b = operand_value(f, &in->operand[2], t), factor = unit_sign(b, t) ? *v : b;
        int sign = unit_sign(b, t) ? unit_sign(b, t) : unit_sign(*v, t);
        if (!sign)
            return false;
        *v = sign > 0 ? factor : negated(factor);
    } else if (ptx_is(in, "neg")) {
        *v = negated(*v);
    } else if (!ptx_is(in, "cvt") || ptx_first_type(in) != t || ptx_has(in, "rni") || ptx_has(in, "rzi") ||
               ptx_has(in, "rmi") || ptx_has(in, "rpi")) {
        return false;
    }
    bool flushes = ptx_has(in, "ftz") && (v->product == NONE || !f->products.at[v->product].ftz);
    return !flushes;
}

static bool may_absorb(const finder *f, const ptx_instruction *in, value v)
{
    const product *p = &f->products.at[v.product];
    return (p->run == f->run || p->crosses_runs) && p->type == ptx_last_type(in) && p->ftz == ptx_has(in, "ftz");
}

/* Was a factor of the product written after it? In another chain that is not known, so it counts as written. */
static bool is_stale(const finder *f, const product *p)
{
    const ptx_instruction *in = f->g->in[p->at];
    if (p->run < f->first || p->run > f->run)
        return true;
    for (uint32_t i = 1; i < in->operands; i++) {
        const ptx_operand *x = &in->operand[i];
        if (x->kind == PTX_OP_REG && f->current_chain[x->reg] == f->chain + 1 && f->written[x->reg] > p->at)
            return true;
    }
    return false;
}

static void add_sum(finder *f, const ptx_instruction *in)
{
    sum s = {.at = f->at, .absorbed = -1};
    for (int k = 0; k < 2; k++)
        s.operand[k] = operand_value(f, &in->operand[k + 1], ptx_last_type(in));
    bool same = s.operand[0].product != NONE && s.operand[0].product == s.operand[1].product;
    for (int k = 0; k < 2; k++) {
        value *v = &s.operand[k];
        if (v->product == NONE)
            continue;
        if (same || !may_absorb(f, in, *v)) {
            count_use(f, *v);
            v->product = NONE;
        } else {
            f->products.at[v->product].uses++;
            s.stale[k] = is_stale(f, &f->products.at[v->product]);
        }
    }
    if ((s.operand[0].product != NONE || s.operand[1].product != NONE) && !vec_push(&f->sums, s))
        f->failed = true;
}

/* The product of an instruction. One that find_always has found is there already. */
static value product_of(finder *f, const ptx_instruction *in)
{
    ptx_type t = ptx_last_type(in);
    value v = f->always[in->operand[0].reg], a = operand_value(f, &in->operand[1], t), b = unknown;
    if (v.product != NONE && f->products.at[v.product].at == f->at) {
        f->products.at[v.product].run = f->run;
        return v;
    }
    if (in->operands > 2)
        b = operand_value(f, &in->operand[2], t);
    v = (value){.product = (uint32_t)f->products.count};
    product p = {
        .at = f->at, .run = f->run, .type = t, .ftz = ptx_has(in, "ftz"), .crosses_runs = a.constant || b.constant};
    if ((a.known && b.known) || ptx_is(in, "rcp"))
        p.crosses_runs = false;
    f->failed = !vec_push(&f->products, p) || f->failed;
    return f->failed || (a.known && b.known) ? unknown : v;
}

static void visit(finder *f, const ptx_instruction *in)
{
    value v;
    if (is_copy(f, in, &v)) {
        set_value(f, in->operand[0].reg, v);
        return;
    }
    if (contract_is_sum(in))
        add_sum(f, in);
    else
        ptx_each_read(in, use_register, f);
    if (contract_is_product(in))
        set_value(f, in->operand[0].reg, product_of(f, in));
    else
        ptx_each_write(in, write_register, f);
    if (contract_is_constant_load(in, f->g->fn->is_entry))
        f->current[in->operand[0].reg].constant = true;
}

/* The block after b in its chain; NONE: b is the last. */
static uint32_t next_in_chain(const ptx_graph *g, uint32_t b)
{
    const ptx_graph_block *x = &g->block[b];
    uint32_t next = x->edges == 1 ? g->edge[x->edge] : NONE;
    return next != NONE && g->block[next].predecessors == 1 ? next : NONE;
}

static void visit_chain(finder *f, uint32_t b)
{
    uint32_t last = b;
    f->held.count = 0;
    f->first = ++f->run;
    for (; b != NONE; b = next_in_chain(f->g, b)) {
        const ptx_graph_block *x = &f->g->block[b];
        for (f->at = x->first; f->at < x->first + x->count && !f->failed; f->at++) {
            f->run += contract_ends_run(f->g->in[f->at]); /* also by an instruction that is dead */
            if (!f->live->dead[f->at])
                visit(f, f->g->in[f->at]);
        }
        last = b;
    }
    const uint64_t *out = f->live->out + (size_t)last * f->live->stride;
    for (size_t i = 0; i < f->held.count; i++) {
        uint32_t reg = f->held.at[i];
        value v = register_value(f, reg);
        if (v.product != f->always[reg].product && ptx_live_has(f->live, out, reg))
            count_use(f, v);
    }
    f->chain++;
}

static void count_write(void *data, uint32_t reg, bool part)
{
    (void)part;
    ((uint32_t *)data)[reg]++;
}

/* Finds constants, and products with a constant, in registers that nothing else writes: all uses of the register are
 * uses of them. */
static void find_always(finder *f)
{
    const ptx_graph *g = f->g;
    for (uint32_t i = 0; i < g->count; i++)
        ptx_each_write(g->in[i], count_write, f->written);
    for (uint32_t r = 0; r < g->fn->registers; r++)
        f->always[r] = unknown;
    for (f->at = 0; f->at < g->count && !f->failed; f->at++) {
        const ptx_instruction *in = g->in[f->at];
        value v = unknown;
        if (in->operands == 0 || in->guard >= 0 || in->operand[0].kind != PTX_OP_REG || in->operand[0].component ||
            f->written[in->operand[0].reg] != 1 || f->live->dead[f->at] || !g->block[g->block_of[f->at]].reached)
            continue;
        if (contract_is_constant_load(in, g->fn->is_entry))
            v.constant = true;
        else if (contract_is_product(in) && !is_copy(f, in, &v))
            v = product_of(f, in);
        else if (!is_copy(f, in, &v))
            v = unknown;
        bool known = v.product == NONE ? v.constant : f->products.at[v.product].crosses_runs;
        f->always[in->operand[0].reg] = known ? v : unknown;
        if (v.product != NONE && (!known || f->products.at[v.product].at != f->at)) {
            f->always[in->operand[0].reg] = unknown; /* the walk through its chain finds it */
            if (f->products.at[v.product].at == f->at)
                f->products.count--;
        }
    }
    memset(f->written, 0, g->fn->registers * sizeof *f->written);
}

void contract_walk(finder *f)
{
    const ptx_graph *g = f->g;
    uint8_t *inside = calloc((size_t)g->blocks + 1, 1);
    f->failed = !inside;
    if (f->failed)
        return;
    for (uint32_t b = 0, next; b < g->blocks; b++)
        if (g->block[b].reached && (next = next_in_chain(g, b)) != NONE)
            inside[next] = 1;
    find_always(f);
    for (uint32_t b = 0; b < g->blocks && !f->failed; b++)
        if (g->block[b].reached && !inside[b])
            visit_chain(f, b);
    free(inside);
}

/* Contraction. ptxas makes a product part of sums if only sums use it, so that all of these become fma and the product
 * itself is never computed. The sums are in the same run of instructions, without a jump or a call between, unless a
 * factor is a constant or a parameter. A sum of two products absorbs the one with fewer uses, or else the first; sums
 * of products with a single use are decided first. */
#include "simt/ptxas/contract.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/instruction.h"
#include "ptx/live.h"
#include "ptx/ptx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/program/program.h"

#define NONE UINT32_MAX

/* What a register holds. */
typedef struct value {
    uint32_t product; /* number of the product; NONE: no product */
    bool negative;    /* it is the negated product */
    bool constant;    /* it is the same for all threads, and needs no instruction */
    bool known;       /* `bits` is its value */
    uint64_t bits;    /* its value */
} value;

typedef struct product {
    uint32_t at;  /* its instruction in the graph */
    uint32_t run; /* its run of instructions */
    ptx_type type;
    bool ftz;
    bool crosses_runs; /* sums in other runs may absorb it */
    bool needed;       /* it must be computed: some use is not a sum, or is a sum that absorbs another product */
    uint32_t uses;     /* number of operands that are this product */
} product;

typedef struct sum {
    uint32_t at; /* its instruction in the graph */
    value operand[2];
    bool stale[2]; /* by operand that is a product: a factor was, or may have been, written since */
    int absorbed;  /* the operand that it absorbs, 0 or 1; -1: neither */
} sum;

typedef struct finder {
    const ptx_graph *g; /* the function */
    const ptx_live *live;
    contraction *out;        /* by item: the result */
    value *current;          /* by register: its value in this chain of blocks */
    uint32_t *current_chain; /* by register: 1 + the chain that `current` belongs to */
    uint32_t *written;       /* by register: 1 + the instruction that last wrote it in this chain */
    value *always;           /* by register: the value that its only writer writes, if it is known */
    uint32_t chain;          /* number of the chain */
    uint32_t first, run;     /* the first run of the chain; the current run */
    uint32_t at;             /* the current instruction */
    VEC(uint32_t) held;      /* registers that got a product in this chain */
    VEC(product) products;   /* found so far */
    VEC(sum) sums;           /* found so far */
    bool failed;             /* memory ran out */
} finder;

/* Instructions may be products or sums, and some end a run of instructions that ptxas optimizes together. */

static bool names_rounding(const ptx_instruction *in)
{
    return ptx_has(in, "rn") || ptx_has(in, "rz") || ptx_has(in, "rm") || ptx_has(in, "rp");
}

/* An approximate quotient is a product with a reciprocal; so is a reciprocal that must be scaled. */
bool contract_is_product(const ptx_instruction *in)
{
    ptx_type t = ptx_last_type(in);
    if (in->guard >= 0 || ptx_type_kind(t) != 'f' || names_rounding(in) || ptx_has(in, "sat") || in->operands < 2 ||
        in->operand[0].kind != PTX_OP_REG || in->operand[0].component)
        return false;
    if (ptx_is(in, "mul"))
        return in->operands == 3;
    if (ptx_is(in, "rcp"))
        return t == PTX_f32 && !ptx_has(in, "ftz");
    return ptx_is(in, "div") && t == PTX_f32 && in->operands == 3;
}

bool contract_is_sum(const ptx_instruction *in)
{
    return (ptx_is(in, "add") || ptx_is(in, "sub")) && ptx_type_kind(ptx_last_type(in)) == 'f' && !names_rounding(in) &&
           in->operands == 3;
}

static bool becomes_long_code(const ptx_instruction *in)
{
    ptx_type t = ptx_last_type(in);
    if (ptx_is(in, "div") || ptx_is(in, "rem"))
        return ptx_type_kind(t) == 'f' ? names_rounding(in) : t != PTX_u32;
    if (ptx_is(in, "rcp") || ptx_is(in, "sqrt"))
        return names_rounding(in);
    if (ptx_is(in, "rsqrt"))
        return t == PTX_f64 && !ptx_has(in, "ftz");
    return ptx_is(in, "bfind") && ptx_type_bytes(t) == 8;
}

/* Does ptxas turn it into a call or branches, so that the instructions before and after it are in different runs?
 * Guarded arithmetic becomes a selection; a guarded access or exchange becomes a branch around it. */
static bool ends_run(const ptx_instruction *in)
{
    if (ptx_is(in, "bra"))
        return false; /* the graph ends the block there */
    if (in->guard >= 0 && (ptx_has_effect(in) || ptx_is(in, "ld") || ptx_is(in, "ldu")))
        return true;
    if (ptx_is(in, "fence"))
        return ptx_has(in, "acq_rel") || ptx_has(in, "sc");
    return becomes_long_code(in) || ptx_is(in, "call") || ptx_is(in, "membar") || ptx_is(in, "pmevent") ||
           ptx_is_jump(in);
}

/* The bits of a constant operand in type t; false: it is not a constant. */
static bool constant_bits(const ptx_operand *x, ptx_type t, uint64_t *bits)
{
    *bits = x->bits;
    if (x->kind == PTX_OP_INT)
        return true;
    if (x->kind != PTX_OP_F32 && x->kind != PTX_OP_F64)
        return false;
    float_type literal = x->kind == PTX_OP_F32 ? FLOAT_f32 : FLOAT_f64, type = float_type_of(t);
    if (type >= FLOAT_f16 && type < FLOAT_TYPES && type != literal)
        *bits = float_convert(type, literal, x->bits, (float_mode){0});
    return true;
}

bool contract_is_constant_load(const ptx_instruction *in, bool is_entry)
{
    if (!ptx_is(in, "ld") || in->guard >= 0 || in->operands != 2 || in->operand[0].kind != PTX_OP_REG ||
        in->operand[1].kind != PTX_OP_ADDRESS)
        return false;
    bool fixed = in->operand[1].items == 1 && in->operand[1].item[0].kind == PTX_OP_VAR;
    bool param = ptx_has(in, "param") || ptx_has(in, "param::entry");
    return fixed && ((param && is_entry) || ptx_has(in, "const"));
}

/* The walk through a function finds which register holds which product, the uses of products, and the sums that could
 * absorb them. A chain is a sequence of blocks, each the only successor of the block before, which is its only
 * predecessor. Runs are counted within a chain. */

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
    v.constant = v.known = constant_bits(x, t, &v.bits);
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

/* 1 or -1 if the value is that number, otherwise 0. */
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

/* Moves, negations and products with 1 or -1 copy a value. Is it such a copy? Then *v is the value. */
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

/* Was a factor of the product written since? For a product of another chain this is unknown, and counts as written. */
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

/* The product of an instruction, which find_always may have found already. */
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
            f->run += ends_run(f->g->in[f->at]); /* also by an instruction that is dead */
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

/* Finds constants, and products with a constant, in registers with a single writer: all uses of the register are uses
 * of that value. */
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

/* Finds the products and sums of the whole function. */
static void walk_function(finder *f)
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

static void absorb(finder *f, sum *s, int k)
{
    const product *p = &f->products.at[s->operand[k].product];
    contraction *c = &f->out[f->g->item[s->at]], *product_op = &f->out[f->g->item[p->at]];
    bool sub = ptx_is(f->g->in[s->at], "sub");
    s->absorbed = k;
    if (s->operand[1 - k].product != NONE)
        f->products.at[s->operand[1 - k].product].needed = true;
    c->product = f->g->item[p->at] + 1;
    c->operand = (uint8_t)(k + 1);
    c->negate_product = s->operand[k].negative ^ (sub && k == 1);
    c->negate_addend = sub && k == 0;
    product_op->keep = product_op->keep || s->stale[k];
}

/* Decides the sums in the order of the text; for f32 and f64 first those of products with a single use. */
static void decide_sums(finder *f)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < f->sums.count; i++) {
            sum *s = &f->sums.at[i];
            int best = -1;
            for (int k = 0; k < 2 && s->absorbed < 0; k++) {
                const product *p = s->operand[k].product == NONE ? NULL : &f->products.at[s->operand[k].product];
                bool half = p && p->type != PTX_f32 && p->type != PTX_f64;
                if (!p || p->needed || (pass == 0 && (half || p->uses > 1)))
                    continue;
                if (best < 0 || p->uses < f->products.at[s->operand[best].product].uses)
                    best = k;
            }
            if (best >= 0)
                absorb(f, s, best);
        }
}

static void note_absorbed(finder *f)
{
    for (size_t i = 0; i < f->products.count; i++)
        f->out[f->g->item[f->products.at[i].at]].absorbed = f->products.at[i].uses && !f->products.at[i].needed;
}

gcast_status contract_function(const ptx_function *fn, contraction *out, gcast_error *err)
{
    size_t registers = (size_t)fn->registers + 1;
    ptx_graph g;
    ptx_live live = {0};
    finder f = {.g = &g, .live = &live, .out = out};
    gcast_status status = ptx_graph_make(fn, &g, err);
    if (status == GCAST_OK)
        status = ptx_live_find(&g, NULL, &live, err);
    if (status == GCAST_OK) {
        f.current = calloc(registers, sizeof *f.current);
        f.current_chain = calloc(registers, sizeof *f.current_chain);
        f.written = calloc(registers, sizeof *f.written);
        f.always = calloc(registers, sizeof *f.always);
        f.failed = !f.current || !f.current_chain || !f.written || !f.always;
        if (!f.failed)
            walk_function(&f);
        if (!f.failed) {
            decide_sums(&f);
            note_absorbed(&f);
        }
        if (f.failed)
            status = gcast_error_set_memory(err);
        free(f.current);
        free(f.current_chain);
        free(f.written);
        free(f.always);
        vec_free(&f.held);
        vec_free(&f.products);
        vec_free(&f.sums);
    }
    ptx_live_free(&live);
    ptx_graph_free(&g);
    return status;
}

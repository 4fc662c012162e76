/* Sums with a product that ptxas makes one instruction (contract.c): fma of the
 * product's factors and the other operand, rounded once. */
#include <math.h>

#include "ptx/graph/graph.h"
#include "simt/decode/decode.h"
#include "simt/float/soft.h"
#include "simt/isa/float_lanes.h"

enum { NEGATE_PRODUCT = 256, NEGATE_ADDEND = 512 };         /* beside the modes in op.imm */
enum { OF_MUL, OF_DIV_APPROX, OF_DIV_FULL, OF_RCP_APPROX }; /* op.note: what the product is */

/* A NaN stays as it is. */
static uint64_t negate_if(bool negate, float_type t, uint64_t x)
{
    return negate && !soft_is_nan(t, x) ? x ^ soft_sign_bit(t) : x;
}

static uint64_t fused(const op *o, uint64_t a, uint64_t b, uint64_t c)
{
    float_type t = (float_type)o->what;
    float_mode m = mode_of(o);
    if (o->note == OF_RCP_APPROX)
        float_rcp_factors(&a, &b);
    else if (o->note != OF_MUL)
        float_div_factors(o->note == OF_DIV_FULL, &a, &b, m.ftz);
    return float_fma(t, negate_if(o->imm & NEGATE_PRODUCT, t, a), b, negate_if(o->imm & NEGATE_ADDEND, t, c), m);
}

static void lanes_fused(const op *o, const rows *r, uint32_t mask)
{
    bool wide = o->what == FLOAT_f64;
    EACH_SET(i, mask)
    put(r, o->d, i, wide, fused(o, get(r, o->a, i, wide), get(r, o->b, i, wide), get(r, o->c, i, wide)));
}

static void pairs_fused(const op *o, const rows *r, uint32_t mask)
{
    EACH_SET(i, mask)
    {
        uint64_t a = get(r, o->a, i, false), b = get(r, o->b, i, false), c = get(r, o->c, i, false);
        put(r, o->d, i, false,
            fused(o, a & 0xffff, b & 0xffff, c & 0xffff) |
                fused(o, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16);
    }
}

#define TABLE(X)                                                                                                       \
    X(fused_f32, "", "", f32, f32, f32, f32, canonical(fmaf(a, b, c)))                                                 \
    X(fused_less_f32, "", "", f32, f32, f32, f32, canonical(fmaf(-a, b, c)))                                           \
    X(fused_minus_f32, "", "", f32, f32, f32, f32, canonical(fmaf(a, b, -c)))                                          \
    X(fused_neither_f32, "", "", f32, f32, f32, f32, canonical(fmaf(-a, b, -c)))
TABLE(LANES_3)
HOT_F64(fused_f64, lanes_fused, fma(a, b, c))
HOT_F64(fused_less_f64, lanes_fused, fma(-a, b, c))
HOT_F64(fused_minus_f64, lanes_fused, fma(a, b, -c))
HOT_F64(fused_neither_f64, lanes_fused, fma(-a, b, -c))

static lane_function *find_hot(const op *o, ptx_type t)
{
    static lane_function *const hot[2][4] = {{fused_f32, fused_less_f32, fused_minus_f32, fused_neither_f32},
                                             {fused_f64, fused_less_f64, fused_minus_f64, fused_neither_f64}};
    int64_t signs = o->imm / NEGATE_PRODUCT;
    if (o->note != OF_MUL || o->imm % NEGATE_PRODUCT != FLOAT_RN || (t != PTX_f32 && t != PTX_f64))
        return NULL;
    return hot[t == PTX_f64][signs];
}

static uint8_t kind_of(const ptx_instruction *in)
{
    if (contract_is(in, "mul"))
        return OF_MUL;
    if (contract_is(in, "rcp"))
        return OF_RCP_APPROX;
    return ptx_has(in, "full") ? OF_DIV_FULL : OF_DIV_APPROX;
}

/* The k-th factor of a product: where it was put by, or its operand itself. Whoever needs it first makes the place. */
static bool factor(decoder *d, uint32_t product, uint32_t k, ptx_type t, slot *out)
{
    const ptx_operand *x = &d->fn->item[product].instruction->operand[k + 1];
    contraction *c = &d->contract[product];
    if (!c->keep || x->kind != PTX_OP_REG)
        return typed_source(d, x, t, out);
    if (!c->kept[k]) {
        if (!scratch(d, shape_of(t), out))
            return false;
        c->kept[k] = *out + 2;
    }
    *out = c->kept[k] - 2;
    return true;
}

bool keep_factors(decoder *d, const op *product, ptx_type t)
{
    const slot from[] = {product->a, product->b};
    for (uint32_t k = 0; k + 1 < d->in->operands; k++) {
        op o = new_op(d, OP_LANES, GCAST_SIMT_move);
        if (!factor(d, d->item, k, t, &o.d))
            return false;
        if (d->in->operand[k + 1].kind != PTX_OP_REG)
            continue;
        o.hidden = true;
        o.a = o.b = o.c = from[k];
        o.run.lanes = t == PTX_f64 ? lanes_copy_64 : lanes_copy_32;
        if (!emit(d, &o))
            return false;
    }
    return true;
}

bool decode_contracted(decoder *d, op *o, ptx_type t)
{
    const contraction *c = &d->contract[d->item];
    uint32_t product = c->product - 1;
    const ptx_instruction *in = d->fn->item[product].instruction;
    slot addend = c->operand == 1 ? o->b : o->a;
    o->note = kind_of(in);
    o->imm |= (c->negate_product ? NEGATE_PRODUCT : 0) | (c->negate_addend ? NEGATE_ADDEND : 0);
    if (!factor(d, product, 0, t, &o->a))
        return false;
    o->b = o->a;
    if (in->operands > 2 && !factor(d, product, 1, t, &o->b))
        return false;
    o->c = addend;
    lane_function *quick = find_hot(o, t);
    o->run.lanes = quick ? quick : t == PTX_f16x2 || t == PTX_bf16x2 ? pairs_fused : lanes_fused;
    return emit(d, o);
}

/* Sums that absorb a product: fma of the factors and the other operand, with
 * one rounding. */
#include "simt/isa/contracted.h"

#include <math.h>

#include "ptx/words.h"
#include "simt/decode/basic_lanes.h"
#include "simt/decode/emit.h"
#include "simt/decode/operands.h"
#include "simt/decode/rows.h"
#include "simt/float/approx.h"
#include "simt/float/arith.h"
#include "simt/float/soft.h"
#include "simt/isa/float_lanes.h"
#include "simt/isa/lane_forms.h"
#include "simt/program/value_types.h"

enum { NEGATE_PRODUCT = 256, NEGATE_ADDEND = 512 }; /* flags in op.imm, beside the modifiers of float_lanes.h */
enum { PRODUCT_MUL, PRODUCT_DIV_APPROX, PRODUCT_DIV_FULL, PRODUCT_RCP_APPROX }; /* op.product_kind */

/* A NaN keeps its sign. */
static uint64_t negate_if(bool negate, float_type t, uint64_t x)
{
    return negate && !soft_is_nan(t, x) ? x ^ soft_sign_bit(t) : x;
}

static uint64_t fused(const op *o, uint64_t a, uint64_t b, uint64_t c)
{
    float_type t = (float_type)o->variant;
    float_mode m = mode_of(o);
    if (o->product_kind == PRODUCT_RCP_APPROX)
        float_rcp_factors(&a, &b);
    else if (o->product_kind != PRODUCT_MUL)
        float_div_factors(o->product_kind == PRODUCT_DIV_FULL, &a, &b, m.ftz);
    return float_fma(t, negate_if(o->imm & NEGATE_PRODUCT, t, a), b, negate_if(o->imm & NEGATE_ADDEND, t, c), m);
}

static void lanes_fused(const op *o, const rows *r, uint32_t mask)
{
    bool wide = o->variant == FLOAT_f64;
    EACH_SET(i, mask)
    lane_write(r, o->d, i, wide,
               fused(o, lane_read(r, o->a, i, wide), lane_read(r, o->b, i, wide), lane_read(r, o->c, i, wide)));
}

static void pairs_fused(const op *o, const rows *r, uint32_t mask)
{
    EACH_SET(i, mask)
    {
        uint64_t a = lane_read(r, o->a, i, false), b = lane_read(r, o->b, i, false), c = lane_read(r, o->c, i, false);
        lane_write(r, o->d, i, false,
                   fused(o, a & 0xffff, b & 0xffff, c & 0xffff) |
                       fused(o, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16);
    }
}

#define TABLE(X)                                                                                                       \
    X(fused_f32, "", "", f32, f32, f32, f32, canonical(fmaf(a, b, c)))                                                 \
    X(fused_minus_product_f32, "", "", f32, f32, f32, f32, canonical(fmaf(-a, b, c)))                                  \
    X(fused_minus_addend_f32, "", "", f32, f32, f32, f32, canonical(fmaf(a, b, -c)))                                   \
    X(fused_minus_both_f32, "", "", f32, f32, f32, f32, canonical(fmaf(-a, b, -c)))
TABLE(LANES_3)
FAST_F64(fused_f64, lanes_fused, fma(a, b, c))
FAST_F64(fused_minus_product_f64, lanes_fused, fma(-a, b, c))
FAST_F64(fused_minus_addend_f64, lanes_fused, fma(a, b, -c))
FAST_F64(fused_minus_both_f64, lanes_fused, fma(-a, b, -c))

static lane_function *find_fast(const op *o, ptx_type t)
{
    static lane_function *const fast[2][4] = {
        {fused_f32, fused_minus_product_f32, fused_minus_addend_f32, fused_minus_both_f32},
        {fused_f64, fused_minus_product_f64, fused_minus_addend_f64, fused_minus_both_f64}};
    int64_t signs = o->imm / NEGATE_PRODUCT;
    if (o->product_kind != PRODUCT_MUL || o->imm % NEGATE_PRODUCT != FLOAT_RN || (t != PTX_f32 && t != PTX_f64))
        return NULL;
    return fast[t == PTX_f64][signs];
}

static uint8_t product_kind_of(const ptx_instruction *in)
{
    if (ptx_is(in, "mul"))
        return PRODUCT_MUL;
    if (ptx_is(in, "rcp"))
        return PRODUCT_RCP_APPROX;
    return ptx_has(in, "full") ? PRODUCT_DIV_FULL : PRODUCT_DIV_APPROX;
}

/* The k-th factor of a product: the row of its copy, which is made when it is first needed, or its operand itself. */
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
    const slot factors[] = {product->a, product->b};
    for (uint32_t k = 0; k < 2 && k + 1 < d->in->operands; k++) {
        op o = new_op(d, OP_LANES, GCAST_SIMT_move);
        if (!factor(d, d->item, k, t, &o.d))
            return false;
        if (d->in->operand[k + 1].kind != PTX_OP_REG)
            continue;
        o.hidden = true;
        o.a = o.b = o.c = factors[k];
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
    o->product_kind = product_kind_of(in);
    o->imm |= (c->negate_product ? NEGATE_PRODUCT : 0) | (c->negate_addend ? NEGATE_ADDEND : 0);
    if (!factor(d, product, 0, t, &o->a))
        return false;
    o->b = o->a;
    if (in->operands > 2 && !factor(d, product, 1, t, &o->b))
        return false;
    o->c = addend;
    lane_function *fast = find_fast(o, t);
    o->run.lanes = fast ? fast : t == PTX_f16x2 || t == PTX_bf16x2 ? pairs_fused : lanes_fused;
    return emit(d, o);
}

/* Floating point over the lanes of a warp. add, sub, mul and fma with .rn use the IEEE 754 arithmetic of this computer,
 * with the NaN of GPUs; all other instructions are computed lane by lane by the functions of simt/float. Modifiers are
 * in op.imm. */
#include <math.h>
#include <string.h>

#include "ptx/instruction.h"
#include "ptx/ptx.h"
#include "simt/float/approx.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/float/soft.h"
#include "simt/isa/decoder.h"
#include "simt/isa/lane_forms.h"
#include "simt/isa/operands.h"
#include "simt/program/op.h"
#include "simt/program/program.h"
#include "simt/ptxas/contract.h"

enum { MODE_FTZ = 8, MODE_SAT = 16, MODE_RELU = 32, MODE_NAN = 64, MODE_XORSIGN = 128 };

static inline float_mode mode_of(const op *o)
{
    return (float_mode){
        .round = (float_round)(o->imm & 7),
        .ftz = o->imm & MODE_FTZ,
        .sat = o->imm & MODE_SAT,
        .relu = o->imm & MODE_RELU,
        .nan = o->imm & MODE_NAN,
        .xorsign = o->imm & MODE_XORSIGN,
    };
}

static inline float canonical(float x)
{
    union {
        uint32_t bits;
        float value;
    } nan = {0x7fffffff};
    return x == x ? x : nan.value;
}

/* Doubles keep the bits of a NaN, so if the result of a lane is NaN, `exact` computes all lanes again. */
#define FAST_F64(name, exact, expr)                                                                                    \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        f64 x[LANES], *d = row(r, o->d);                                                                               \
        const f64 *pa = row(r, o->a), *pb = row(r, o->b), *pc = row(r, o->c);                                          \
        int nans = 0;                                                                                                  \
        EACH_LANE                                                                                                      \
        {                                                                                                              \
            double a = pa[i], b = pb[i], c = pc[i];                                                                    \
            (void)c;                                                                                                   \
            x[i] = expr;                                                                                               \
            nans |= x[i] != x[i];                                                                                      \
        }                                                                                                              \
        if (nans) {                                                                                                    \
            exact(o, r, m);                                                                                            \
            return;                                                                                                    \
        }                                                                                                              \
        if (m == ALL_LANES)                                                                                            \
            memcpy(d, x, sizeof x);                                                                                    \
        else                                                                                                           \
            EACH_SET(i, m) d[i] = x[i];                                                                                \
    }

/* A sum that absorbs a product (ptxas/contract.h) becomes an fma of the product's factors and the other operand, with
 * one rounding. */

enum { NEGATE_PRODUCT = 256, NEGATE_ADDEND = 512 }; /* flags in op.imm, beside the modifiers */
enum { PRODUCT_MUL, PRODUCT_DIV_APPROX, PRODUCT_DIV_FULL, PRODUCT_RCP_APPROX }; /* op.product_kind */

/* The sign of a NaN is kept. */
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

static lane_function *find_fast_fused(const op *o, ptx_type t)
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

/* The k-th factor of a product: the row of its copy, which is allocated at the first use, or the operand itself. */
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

/* Emits copies of a product's factors, which may change before the sums are computed. */
static bool keep_factors(decoder *d, const op *product, ptx_type t)
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

/* Emits the fma of a sum that absorbs a product. The operands of the sum are in o->a and o->b. */
static bool decode_contracted(decoder *d, op *o, ptx_type t)
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
    lane_function *fast = find_fast_fused(o, t);
    o->run.lanes = fast ? fast : t == PTX_f16x2 || t == PTX_bf16x2 ? pairs_fused : lanes_fused;
    return emit(d, o);
}

/* Masks of types. */
enum { F32 = 1, F64 = 2, HALF = 4, ALL_TYPES = F32 | F64 | HALF };

/* name, opcode with .approx or .full, operands, types, value */
#define FLOAT_TABLE(X)                                                                                                 \
    X(add, "add", 2, ALL_TYPES, float_add(t, a, b, m))                                                                 \
    X(sub, "sub", 2, ALL_TYPES, float_sub(t, a, b, m))                                                                 \
    X(mul, "mul", 2, ALL_TYPES, float_mul(t, a, b, m))                                                                 \
    X(fma, "fma", 3, ALL_TYPES, float_fma(t, a, b, c, m))                                                              \
    X(mad, "mad", 3, F32 | F64, float_fma(t, a, b, c, m))                                                              \
    X(div, "div", 2, F32 | F64, float_div(t, a, b, m))                                                                 \
    X(div_approx, "div.approx", 2, F32, float_div_approx(a, b, m.ftz))                                                 \
    X(div_full, "div.full", 2, F32, float_div_full(a, b, m.ftz))                                                       \
    X(rcp, "rcp", 1, F32 | F64, float_rcp(t, a, m))                                                                    \
    X(rcp_approx, "rcp.approx", 1, F32 | F64, float_rcp_approx(t, a, m.ftz))                                           \
    X(sqrt, "sqrt", 1, F32 | F64, float_sqrt(t, a, m))                                                                 \
    X(sqrt_approx, "sqrt.approx", 1, F32, float_sqrt_approx(a, m.ftz))                                                 \
    X(rsqrt, "rsqrt.approx", 1, F32 | F64, float_rsqrt_approx(t, a, m.ftz))                                            \
    X(sin, "sin.approx", 1, F32, float_sin_approx(a, m.ftz))                                                           \
    X(cos, "cos.approx", 1, F32, float_cos_approx(a, m.ftz))                                                           \
    X(lg2, "lg2.approx", 1, F32, float_lg2_approx(a, m.ftz))                                                           \
    X(ex2, "ex2.approx", 1, F32 | HALF, float_ex2_approx(t, a, m.ftz))                                                 \
    X(tanh, "tanh.approx", 1, F32 | HALF, float_tanh_approx(t, a))                                                     \
    X(abs, "abs", 1, ALL_TYPES, float_abs(t, a, m))                                                                    \
    X(neg, "neg", 1, ALL_TYPES, float_neg(t, a, m))                                                                    \
    X(min, "min", 2, ALL_TYPES, float_min(t, a, b, m))                                                                 \
    X(max, "max", 2, ALL_TYPES, float_max(t, a, b, m))                                                                 \
    X(copysign, "copysign", 2, F32 | F64, float_copysign(t, a, b))

/* Each instruction has a function of one value, of the lanes of a row, and of both halves of each lane. */
#define X(name, words, count, types, value)                                                                            \
    static uint64_t one_##name(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)                         \
    {                                                                                                                  \
        (void)t, (void)b, (void)c, (void)m;                                                                            \
        return value;                                                                                                  \
    }                                                                                                                  \
    static void lanes_##name(const op *o, const rows *r, uint32_t mask)                                                \
    {                                                                                                                  \
        float_mode m = mode_of(o);                                                                                     \
        float_type t = (float_type)o->variant;                                                                         \
        bool wide = t == FLOAT_f64;                                                                                    \
        EACH_SET(i, mask)                                                                                              \
        lane_write(                                                                                                    \
            r, o->d, i, wide,                                                                                          \
            one_##name(t, lane_read(r, o->a, i, wide), lane_read(r, o->b, i, wide), lane_read(r, o->c, i, wide), m));  \
    }                                                                                                                  \
    static void pairs_##name(const op *o, const rows *r, uint32_t mask)                                                \
    {                                                                                                                  \
        float_mode m = mode_of(o);                                                                                     \
        EACH_SET(i, mask)                                                                                              \
        lane_write(r, o->d, i, false,                                                                                  \
                   float_halves(one_##name, (float_type)o->variant, lane_read(r, o->a, i, false),                      \
                                lane_read(r, o->b, i, false), lane_read(r, o->c, i, false), m));                       \
    }
FLOAT_TABLE(X)
#undef X

static const struct float_form {
    const char *words;            /* opcode with .approx or .full */
    uint32_t operands;            /* besides the result */
    int types;                    /* mask of allowed types */
    lane_function *lanes, *pairs; /* of rows; of both halves of each lane */
} forms[] = {
#define X(name, words, count, types, value) {words, count, types, lanes_##name, pairs_##name},
    FLOAT_TABLE(X)
#undef X
};

#define TABLE_2(X)                                                                                                     \
    X(fast_add_f32, "add", "", f32, f32, f32, canonical(a + b))                                                        \
    X(fast_sub_f32, "sub", "", f32, f32, f32, canonical(a - b))                                                        \
    X(fast_mul_f32, "mul", "", f32, f32, f32, canonical(a *b))

#define TABLE_3(X) X(fast_fma_f32, "fma", "", f32, f32, f32, f32, canonical(fmaf(a, b, c)))

TABLE_2(LANES_2)
TABLE_3(LANES_3)

FAST_F64(fast_add_f64, lanes_add, a + b)
FAST_F64(fast_sub_f64, lanes_sub, a - b)
FAST_F64(fast_mul_f64, lanes_mul, a *b)
FAST_F64(fast_fma_f64, lanes_fma, fma(a, b, c))

static const struct {
    const char *opcode;
    lane_function *f32, *f64;
} fast_forms[] = {
    {"add", fast_add_f32, fast_add_f64},
    {"sub", fast_sub_f32, fast_sub_f64},
    {"mul", fast_mul_f32, fast_mul_f64},
    {"fma", fast_fma_f32, fast_fma_f64},
};

static lane_function *find_fast(const char *opcode, ptx_type t)
{
    for (size_t i = 0; i < sizeof fast_forms / sizeof *fast_forms; i++)
        if (strcmp(fast_forms[i].opcode, opcode) == 0)
            return t == PTX_f32 ? fast_forms[i].f32 : t == PTX_f64 ? fast_forms[i].f64 : NULL;
    return NULL;
}

static int64_t take_mode(decoder *d)
{
    static const char *const rounds[] = {"rn", "rz", "rm", "rp"};
    int round = take_any_of(d, rounds, 4);
    int64_t mode = round < 0 ? FLOAT_RN : (int64_t[]){FLOAT_RN, FLOAT_RZ, FLOAT_RM, FLOAT_RP}[round];
    mode |= take(d, "ftz") ? MODE_FTZ : 0;
    mode |= take(d, "sat") ? MODE_SAT : 0;
    mode |= take(d, "relu") ? MODE_RELU : 0;
    mode |= take(d, "NaN") ? MODE_NAN : 0;
    if (take(d, "xorsign"))
        mode |= take(d, "abs") ? MODE_XORSIGN : 0;
    return mode;
}

static const struct float_form *find_form(const char *opcode, const char *variant)
{
    size_t size = strlen(opcode);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *words = forms[i].words;
        if (strncmp(words, opcode, size) == 0 && strcmp(words + size, variant) == 0)
            return &forms[i];
    }
    return NULL;
}

bool decode_float(decoder *d, op *o)
{
    const char *variant = take(d, "approx") ? ".approx" : take(d, "full") ? ".full" : "";
    o->imm = take_mode(d);
    ptx_type t = take_type(d);
    if (ptx_type_kind(t) != 'f')
        return decode_fail(d, "%.40s with such a type is not supported", d->in->opcode);
    const struct float_form *f = find_form(d->in->opcode, variant);
    int type = t == PTX_f32 ? F32 : t == PTX_f64 ? F64 : HALF;
    if (!f || !(f->types & type))
        return decode_fail(d, "%.40s%s.%s is not supported", d->in->opcode, variant, ptx_type_name(t));
    if (!all_taken(d) || !has_operands(d, f->operands + 1, f->operands + 1))
        return false;
    if (!destination(d, &d->in->operand[0], shape_of(t), &o->d))
        return false;
    slot *const sources[] = {&o->a, &o->b, &o->c};
    for (uint32_t i = 0; i < f->operands && i < 3; i++)
        if (!typed_source(d, &d->in->operand[i + 1], t, sources[i]))
            return false;
    if (f->operands < 2)
        o->b = o->a;
    if (f->operands < 3)
        o->c = o->a;
    o->variant = (uint8_t)float_type_of(t);
    if (t == PTX_f64)
        o->mix = GCAST_SIMT_float64;
    else if (*variant)
        o->mix = GCAST_SIMT_special;
    else if (o->mix == GCAST_SIMT_integer) /* the table of instructions does not know the type */
        o->mix = GCAST_SIMT_float32;
    o->fused = d->contract[d->item].product != 0;
    if (d->program->contract == GCAST_SIMT_CONTRACT_PTXAS) {
        if (o->fused)
            return decode_contracted(d, o, t);
        if (d->contract[d->item].keep && !keep_factors(d, o, t))
            return false;
    }
    bool packed = t == PTX_f16x2 || t == PTX_bf16x2;
    lane_function *lanes = o->imm == FLOAT_RN ? find_fast(d->in->opcode, t) : NULL;
    o->run.lanes = lanes ? lanes : packed ? f->pairs : f->lanes;
    return emit(d, o);
}

/* Floating point over the lanes of a warp. add, sub, mul and fma with .rn use
 * the IEEE 754 arithmetic of this computer, with the NaN of GPUs; everything
 * else is computed lane by lane by the functions of float.h. */
#include <math.h>
#include <string.h>

#include "ptx/type.h"
#include "simt/contract/state.h"
#include "simt/decode/emit.h"
#include "simt/decode/modifiers.h"
#include "simt/decode/operands.h"
#include "simt/decode/state.h"
#include "simt/float/approx.h"
#include "simt/float/arith.h"
#include "simt/float/compare.h"
#include "simt/float/float.h"
#include "simt/isa/contracted.h"
#include "simt/isa/float_lanes.h"
#include "simt/isa/isa_instructions.h"
#include "simt/isa/lane_forms.h"
#include "simt/program/value_types.h"

/* Types that an instruction may have. */
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

/* For each instruction its function of one value, of the lanes of a row, and of both halves of each lane. */
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
    int types;                    /* that it may have */
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
} fast[] = {
    {"add", fast_add_f32, fast_add_f64},
    {"sub", fast_sub_f32, fast_sub_f64},
    {"mul", fast_mul_f32, fast_mul_f64},
    {"fma", fast_fma_f32, fast_fma_f64},
};

static lane_function *find_fast(const char *opcode, ptx_type t)
{
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        if (strcmp(fast[i].opcode, opcode) == 0)
            return t == PTX_f32 ? fast[i].f32 : t == PTX_f64 ? fast[i].f64 : NULL;
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

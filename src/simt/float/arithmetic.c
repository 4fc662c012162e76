/* Exact operations on floats. For f32 and f64 the operators of C round to nearest; everything else is computed with
 * integers (soft.h). */
#include "simt/float/arithmetic.h"

#include <math.h>
#include <string.h>

#include "simt/float/native.h"
#include "simt/float/soft.h"

float_relation float_compare(float_type t, uint64_t a, uint64_t b, bool ftz)
{
    if (soft_is_nan(t, a) || soft_is_nan(t, b))
        return FLOAT_UNORDERED;
    if (ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
    }
    const uint64_t sign = soft_sign_bit(t);
    if (a == b || !((a | b) & (sign - 1)))
        return FLOAT_EQUAL;
    if ((a ^ b) & sign)
        return a & sign ? FLOAT_LESS : FLOAT_GREATER;
    return (a < b) != !!(a & sign) ? FLOAT_LESS : FLOAT_GREATER;
}

typedef struct named_mask {
    const char *name;
    int mask;
} named_mask;

static int mask_of(const named_mask *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(table[i].name, name))
            return table[i].mask;
    return 0;
}

#define X(name, mask) {#name, mask},
static const named_mask comparisons[] = {FLOAT_COMPARISON_TABLE(X)};
static const named_mask tests[] = {FLOAT_TEST_TABLE(X)};
#undef X

int float_comparison(const char *name)
{
    return mask_of(comparisons, sizeof comparisons / sizeof comparisons[0], name);
}

int float_test(const char *name)
{
    return mask_of(tests, sizeof tests / sizeof tests[0], name);
}

/* abs and neg change a NaN as an addition does. */
uint64_t float_abs(float_type t, uint64_t a, float_mode m)
{
    if (soft_is_nan(t, a))
        return soft_nan_of(t, a, 0, 0);
    return (m.ftz ? soft_flush(t, a) : a) & ~soft_sign_bit(t);
}

uint64_t float_neg(float_type t, uint64_t a, float_mode m)
{
    if (soft_is_nan(t, a))
        return soft_nan_of(t, a, 0, 0);
    return (m.ftz ? soft_flush(t, a) : a) ^ soft_sign_bit(t);
}

uint64_t float_copysign(float_type t, uint64_t sign, uint64_t magnitude)
{
    return (sign & soft_sign_bit(t)) | (magnitude & ~soft_sign_bit(t));
}

/* Is a below b, where -0 is below +0? */
static bool is_below(float_type t, uint64_t a, uint64_t b)
{
    float_relation r = float_compare(t, a, b, false);
    return r == FLOAT_LESS || (r == FLOAT_EQUAL && (a & soft_sign_bit(t)));
}

static uint64_t extreme(float_type t, uint64_t a, uint64_t b, float_mode m, bool greatest)
{
    const uint64_t sign = soft_sign_bit(t), signs = (a ^ b) & sign;
    const bool nan_a = soft_is_nan(t, a), nan_b = soft_is_nan(t, b);
    if (m.ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
    }
    if (m.xorsign) {
        a &= ~sign;
        b &= ~sign;
    }
    if ((nan_a && nan_b) || (m.nan && (nan_a || nan_b)))
        return soft_nan_of(t, a, b, 0);
    uint64_t r = nan_a || (!nan_b && is_below(t, a, b) == greatest) ? b : a;
    return m.xorsign ? r | signs : r;
}

uint64_t float_min(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return extreme(t, a, b, m, false);
}

uint64_t float_max(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return extreme(t, a, b, m, true);
}

/* cvt works between any two types. Conversions from floats to integers always saturate, as PTX says; conversions
 * between integers saturate only with .sat, and otherwise cut bits off. */

static const struct {
    int bits;
    bool is_signed, is_float;
} types[FLOAT_TYPES] = {
    [FLOAT_u8] = {8, false, false},   [FLOAT_u16] = {16, false, false}, [FLOAT_u32] = {32, false, false},
    [FLOAT_u64] = {64, false, false}, [FLOAT_s8] = {8, true, false},    [FLOAT_s16] = {16, true, false},
    [FLOAT_s32] = {32, true, false},  [FLOAT_s64] = {64, true, false},  [FLOAT_f16] = {16, true, true},
    [FLOAT_bf16] = {16, true, true},  [FLOAT_tf32] = {32, true, true},  [FLOAT_f32] = {32, true, true},
    [FLOAT_f64] = {64, true, true},
};

static uint64_t low_bits(int bits)
{
    return ~UINT64_C(0) >> (64 - bits);
}

static soft unpack_integer(float_type stype, uint64_t a)
{
    const int bits = types[stype].bits;
    a &= low_bits(bits);
    bool sign = types[stype].is_signed && a >> (bits - 1);
    uint64_t magnitude = (sign ? 0 - a : a) & low_bits(bits);
    return (soft){magnitude ? FLOAT_NORMAL : FLOAT_ZERO, sign, 0, magnitude};
}

/* An integral value, limited to the range of an integer type. */
static uint64_t saturated(float_type dtype, soft x)
{
    const int bits = types[dtype].bits;
    const uint64_t highest = low_bits(bits) >> types[dtype].is_signed,
                   lowest = types[dtype].is_signed ? highest + 1 : 0;
    const uint64_t limit = x.sign ? lowest : highest; /* as a magnitude */
    if (x.class == FLOAT_ZERO)
        return 0;
    uint64_t magnitude = limit;
    if (x.class == FLOAT_NORMAL && x.exponent < 64) {
        soft_bits value = x.significand << x.exponent; /* at most 64 + 63 bits */
        magnitude = value > limit ? limit : (uint64_t)value;
    }
    return (x.sign ? 0 - magnitude : magnitude) & low_bits(bits);
}

/* A NaN as an integer: zero if neither type has 64 bits, otherwise only the highest bit, as PTX says. */
static uint64_t nan_as_integer(float_type dtype, float_type stype)
{
    if (stype != FLOAT_f64 && types[dtype].bits < 64)
        return 0;
    return UINT64_C(1) << (types[dtype].bits - 1);
}

static uint64_t to_integer(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (!types[stype].is_float) {
        if (m.sat)
            return saturated(dtype, unpack_integer(stype, a));
        soft x = unpack_integer(stype, a);
        uint64_t value = (uint64_t)x.significand;
        return (x.sign ? 0 - value : value) & low_bits(types[dtype].bits);
    }
    soft x = soft_unpack(stype, a, m.ftz && stype == FLOAT_f32);
    return x.class == FLOAT_NAN ? nan_as_integer(dtype, stype) : saturated(dtype, soft_integral(x, m.round));
}

/* A NaN as a float, as recorded on hardware: f64 keeps the payload and quiets it; bf16 is the upper half of an f32;
 * tf32 with .rna keeps the payload, too; a conversion to the same type without rounding is a move. In all other cases
 * it is the canonical NaN. */
static uint64_t nan_as_float(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (dtype == stype && dtype >= FLOAT_f32 && !m.integral && !m.ftz)
        return a;
    if (m.ftz && stype == FLOAT_f32)
        a = soft_nan(stype);
    if (dtype == FLOAT_f32 && stype == FLOAT_bf16 && !m.ftz)
        return a << 16;
    if (dtype == FLOAT_tf32 && m.round == FLOAT_RNA)
        return a & ~UINT64_C(0x1fff);
    if (dtype != FLOAT_f64 && stype != FLOAT_f64)
        return soft_nan(dtype);
    const int shift = soft_format_of(dtype).fraction - soft_format_of(stype).fraction;
    const uint64_t payload = a & ((UINT64_C(1) << soft_format_of(stype).fraction) - 1);
    const uint64_t quiet = UINT64_C(1) << (soft_format_of(dtype).fraction - 1);
    return (a & soft_sign_bit(stype) ? soft_sign_bit(dtype) : 0) | soft_infinity(dtype) | quiet |
           (shift < 0 ? payload >> -shift : payload << shift);
}

uint64_t float_convert(float_type dtype, float_type stype, uint64_t a, float_mode m)
{
    if (!types[dtype].is_float)
        return to_integer(dtype, stype, a, m);
    /* the hardware ignores .ftz in conversions to f16 */
    const bool ftz = m.ftz && stype == FLOAT_f32 && dtype != FLOAT_f16;
    soft x = types[stype].is_float ? soft_unpack(stype, a, ftz) : unpack_integer(stype, a);
    if (x.class == FLOAT_NAN)
        return float_finish(dtype, nan_as_float(dtype, stype, a, m), m);
    if (m.integral)
        x = soft_integral(x, m.round);
    return float_finish(dtype, soft_pack(dtype, x, m.round, m.ftz && dtype == FLOAT_f32), m);
}

/* Here begin add, sub, mul, fma, div, rcp and sqrt in every rounding mode. */

#ifdef __FAST_MATH__
#error "floating point that must be exact cannot be built with -ffast-math"
#endif

typedef enum { ADD, MUL, FMA, DIV, SQRT } operation;

static float native_f32(operation op, float a, float b, float c)
{
    switch (op) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case FMA:
        return fmaf(a, b, c);
    case DIV:
        return a / b;
    default:
        return sqrtf(a);
    }
}

static double native_f64(operation op, double a, double b, double c)
{
    switch (op) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case FMA:
        return fma(a, b, c);
    case DIV:
        return a / b;
    default:
        return sqrt(a);
    }
}

/* Operands are flushed already. */
static uint64_t with_integers(operation op, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    soft x = soft_unpack(t, a, false), y = soft_unpack(t, b, false), r;
    switch (op) {
    case ADD:
        r = soft_add(x, y, m.round);
        break;
    case MUL:
        r = soft_mul(x, y);
        break;
    case FMA:
        r = soft_add(soft_mul(x, y), soft_unpack(t, c, false), m.round);
        break;
    case DIV:
        r = soft_div(x, y);
        break;
    default:
        r = soft_sqrt(x);
    }
    return soft_pack(t, r, m.round, m.ftz);
}

static uint64_t compute(operation op, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    if (m.ftz) {
        a = soft_flush(t, a);
        b = soft_flush(t, b);
        c = soft_flush(t, c);
    }
    if (soft_is_nan(t, a) || soft_is_nan(t, b) || soft_is_nan(t, c))
        return float_finish(t, op == DIV ? soft_nan_of(t, b, a, 0) : soft_nan_of(t, a, b, c), m);
    bool native = m.round == FLOAT_RN && t >= FLOAT_f32;
    uint64_t r = 0;
    if (native) {
        r = t == FLOAT_f32 ? bits_of_f32(native_f32(op, f32_of(a), f32_of(b), f32_of(c)))
                           : bits_of_f64(native_f64(op, f64_of(a), f64_of(b), f64_of(c)));
        /* the smallest normal number may be the result of rounding up a number below it, which ftz may have to flush */
        native = !m.ftz || (r & ~soft_sign_bit(t)) > UINT64_C(1) << soft_format_of(t).fraction;
    }
    if (!native)
        r = with_integers(op, t, a, b, c, m);
    return float_finish(t, soft_is_nan(t, r) ? soft_nan(t) : r, m);
}

uint64_t float_add(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(ADD, t, a, b, 0, m);
}

uint64_t float_sub(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(ADD, t, a, soft_is_nan(t, b) ? b : b ^ soft_sign_bit(t), 0, m);
}

uint64_t float_mul(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(MUL, t, a, b, 0, m);
}

uint64_t float_fma(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    return compute(FMA, t, a, b, c, m);
}

uint64_t float_div(float_type t, uint64_t a, uint64_t b, float_mode m)
{
    return compute(DIV, t, a, b, 0, m);
}

uint64_t float_rcp(float_type t, uint64_t a, float_mode m)
{
    return compute(DIV, t, soft_one(t), a, 0, m);
}

uint64_t float_sqrt(float_type t, uint64_t a, float_mode m)
{
    return compute(SQRT, t, a, 0, 0, m);
}

uint64_t float_halves(float_function *f, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m)
{
    return f(t, a & 0xffff, b & 0xffff, c & 0xffff, m) | f(t, a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff, m)
                                                             << 16;
}

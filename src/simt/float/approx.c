/* The approximate instructions of PTX as ptxas lowers them for sm_90: operands
 * that the special function unit would flush, or that are out of its range, are
 * scaled before and after. */
#include "simt/float/approx.h"

#include "simt/float/arith.h"
#include "simt/float/compare.h"
#include "simt/float/finish.h"
#include "simt/float/mufu.h"
#include "simt/float/soft.h"

static const uint64_t min_normal = 0x00800000, two_to_126 = 0x7e800000, two_to_24 = 0x4b800000, two_to_12 = 0x45800000,
                      two_to_minus_12 = 0x39800000, quarter = 0x3e800000, half = 0x3f000000, minus_24 = 0xc1c00000,
                      minus_126 = 0xc2fc0000, one_over_two_pi = 0x3e22f983;

static uint64_t times(uint64_t a, uint64_t b, bool ftz)
{
    return float_mul(FLOAT_f32, a, b, (float_mode){.ftz = ftz});
}

static uint64_t magnitude(uint64_t a)
{
    return a & (soft_sign_bit(FLOAT_f32) - 1);
}

static bool is_tiny(uint64_t a)
{
    return magnitude(a) < min_normal;
}

static bool is_huge(uint64_t a)
{
    return magnitude(a) > two_to_126 && !soft_is_nan(FLOAT_f32, a);
}

void float_div_factors(bool any_divisor, uint64_t *a, uint64_t *b, bool ftz)
{
    uint64_t scale = any_divisor && is_huge(*b) ? quarter : !ftz && is_tiny(*b) ? two_to_24 : 0;
    if (scale) {
        *a = times(*a, scale, ftz);
        *b = times(*b, scale, ftz);
    }
    *b = mufu_rcp(*b);
}

uint64_t float_div_approx(uint64_t a, uint64_t b, bool ftz)
{
    float_div_factors(false, &a, &b, ftz);
    return times(a, b, ftz);
}

uint64_t float_div_full(uint64_t a, uint64_t b, bool ftz)
{
    float_div_factors(true, &a, &b, ftz);
    return times(a, b, ftz);
}

void float_rcp_factors(uint64_t *a, uint64_t *b)
{
    uint64_t scale = is_huge(*a) ? quarter : is_tiny(*a) ? two_to_24 : soft_one(FLOAT_f32);
    *b = mufu_rcp(times(*a, scale, false));
    *a = scale;
}

uint64_t float_rcp_approx(float_type t, uint64_t a, bool ftz)
{
    uint64_t b;
    if (t == FLOAT_f64)
        return mufu_rcp64h(a >> 32) << 32;
    if (ftz)
        return mufu_rcp(a);
    float_rcp_factors(&a, &b);
    return times(a, b, false);
}

uint64_t float_sqrt_approx(uint64_t a, bool ftz)
{
    if (ftz || !is_tiny(a))
        return mufu_sqrt(a);
    return times(mufu_sqrt(times(a, two_to_24, false)), two_to_minus_12, false);
}

/* rsqrt of f64: an estimate of 20 bits, one step of Newton's method and a correction of second order. */
static uint64_t rsqrt_f64(uint64_t a)
{
    const uint64_t three_eighths = UINT64_C(0x3fd8000000000000), a_half = UINT64_C(0x3fe0000000000000);
    const float_mode rn = {0};
    uint64_t estimate = mufu_rsq64h(a >> 32) << 32, square = float_mul(FLOAT_f64, estimate, estimate, rn);
    uint64_t error = float_fma(FLOAT_f64, a, square ^ soft_sign_bit(FLOAT_f64), soft_one(FLOAT_f64), rn);
    uint64_t factor = float_fma(FLOAT_f64, error, three_eighths, a_half, rn);
    return float_fma(FLOAT_f64, factor, float_mul(FLOAT_f64, estimate, error, rn), estimate, rn);
}

uint64_t float_rsqrt_approx(float_type t, uint64_t a, bool ftz)
{
    if (t == FLOAT_f32) {
        if (ftz || !is_tiny(a))
            return mufu_rsq(a);
        return times(mufu_rsq(times(a, two_to_24, false)), two_to_12, false);
    }
    if (ftz)
        return mufu_rsq64h(a >> 32) << 32;
    const uint64_t two_to_54 = UINT64_C(0x4350000000000000), two_to_27 = UINT64_C(0x41a0000000000000);
    switch (float_class_of(t, a)) {
    case FLOAT_NAN:
        return soft_nan_of(t, a, 0, 0);
    case FLOAT_ZERO:
        return a | soft_infinity(t);
    default:
        if (a & soft_sign_bit(t))
            return soft_nan(t);
        if (a == soft_infinity(t))
            return 0;
    }
    if (float_class_of(t, a) == FLOAT_NORMAL)
        return rsqrt_f64(a);
    a = float_mul(t, a, two_to_54, (float_mode){0});
    return float_mul(t, rsqrt_f64(a), two_to_27, (float_mode){0});
}

/* The angle in turns, rounded toward zero; subnormals are kept even with .ftz. */
static uint64_t turns_of(uint64_t a)
{
    return float_mul(FLOAT_f32, a, one_over_two_pi, (float_mode){.round = FLOAT_RZ});
}

uint64_t float_sin_approx(uint64_t a, bool ftz)
{
    (void)ftz;
    return mufu_sin(turns_of(a));
}

uint64_t float_cos_approx(uint64_t a, bool ftz)
{
    (void)ftz;
    return mufu_cos(turns_of(a));
}

uint64_t float_lg2_approx(uint64_t a, bool ftz)
{
    if (ftz || !is_tiny(a))
        return mufu_lg2(a);
    return float_add(FLOAT_f32, mufu_lg2(times(a, two_to_24, false)), minus_24, (float_mode){0});
}

uint64_t float_ex2_approx(float_type t, uint64_t a, bool ftz)
{
    if (t != FLOAT_f32 || ftz || float_compare(t, a, minus_126, false) != FLOAT_LESS)
        return mufu_ex2(t, a);
    uint64_t root = mufu_ex2(t, times(a, half, false));
    return times(root, root, false);
}

uint64_t float_tanh_approx(float_type t, uint64_t a)
{
    return mufu_tanh(t, a);
}

/* Approximate functions: the special function unit, and the instructions of PTX that ptxas lowers to it. */
#include "simt/float/approx.h"

#include <math.h>

#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/float/native.h"
#include "simt/float/soft.h"

/* The special function unit (mufu_...) interpolates in tables. Here its functions are series in f64 with one rounding,
 * within the errors that PTX documents. Of libm they use only exact functions (frexp, trunc), so they are the same on
 * every machine. Operands and results are f32 unless a type is given; subnormal f32 are zeros. */

static double widened(float_type t, uint64_t a)
{
    return f64_of(float_convert(FLOAT_f64, t, a, (float_mode){0}));
}

/* Converts a result to f32 without subnormals. A shorter type has its upper bits, except beyond the range. */
static uint64_t narrowed(float_type t, double x)
{
    const uint64_t r = float_convert(FLOAT_f32, FLOAT_f64, bits_of_f64(x), (float_mode){.ftz = true});
    if (t == FLOAT_f32)
        return r;
    const uint64_t beyond_f16 = 0x47800000;
    if (t == FLOAT_f16 && r >= beyond_f16 && !(r & soft_sign_bit(FLOAT_f32)))
        return soft_infinity(t);
    return float_convert(t, FLOAT_f32, r, (float_mode){.round = FLOAT_RZ});
}

/* sum of coefficient[i] * x^i */
static double polynomial(const double *coefficient, int count, double x)
{
    double sum = 0;
    for (int i = count - 1; i >= 0; i--)
        sum = sum * x + coefficient[i];
    return sum;
}

/* 2^x for |x| < 1000: Taylor's series of e^y, |y| <= ln(2) / 2, times a power of two. */
static double power_of_two(double x)
{
    static const double inverse_factorial[] = {
        1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600,
    };
    const double ln2 = 0x1.62e42fefa39efp-1;
    const int integer = (int)(x < 0 ? x - 0.5 : x + 0.5);
    const double y = (x - integer) * ln2;
    return polynomial(inverse_factorial, 13, y) * f64_of((uint64_t)(integer + 1023) << 52);
}

/* log2 of a positive finite x: 2 artanh((m - 1) / (m + 1)) / ln(2), m from sqrt(1/2) to sqrt(2), plus the exponent. */
static double logarithm(double x)
{
    static const double odd[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const double two_over_ln2 = 0x1.71547652b82fep+1, root_half = 0x1.6a09e667f3bcdp-1;
    int exponent;
    double m = frexp(x, &exponent);
    if (m < root_half) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1);
    return exponent + s * polynomial(odd, 11, s * s) * two_over_ln2;
}

/* sin of a number of turns from -1/4 to 1/4, by Taylor's series. */
static double sine_of_turns(double turns)
{
    static const double series[] = {
        1.0,
        -1.0 / 6,
        1.0 / 120,
        -1.0 / 5040,
        1.0 / 362880,
        -1.0 / 39916800,
        1.0 / 6227020800,
        -1.0 / 1307674368000,
        1.0 / 355687428096000,
    };
    const double x = turns * 0x1.921fb54442d18p+2;
    return x * polynomial(series, 9, x * x);
}

/* sin of |a| + `offset` turns. The hardware keeps 25 bits of the fraction of a turn, and the result is negative in the
 * second half of a turn even where it is zero. */
static uint64_t sine(uint64_t a, double offset)
{
    double x = widened(FLOAT_f32, a & ~soft_sign_bit(FLOAT_f32));
    x = trunc((x - trunc(x)) * 0x1p25) * 0x1p-25 + offset;
    x -= trunc(x);
    const bool negative = x >= 0.5;
    x -= negative ? 0.5 : 0;
    return narrowed(FLOAT_f32, sine_of_turns(x < 0.25 ? x : 0.5 - x)) | (negative ? soft_sign_bit(FLOAT_f32) : 0);
}

static uint64_t mufu_sin(uint64_t a)
{
    if (float_class_of(FLOAT_f32, a) >= FLOAT_INFINITE)
        return soft_nan(FLOAT_f32);
    return sine(a, 0) ^ (a & soft_sign_bit(FLOAT_f32));
}

static uint64_t mufu_cos(uint64_t a)
{
    return float_class_of(FLOAT_f32, a) >= FLOAT_INFINITE ? soft_nan(FLOAT_f32) : sine(a, 0.25);
}

static uint64_t mufu_lg2(uint64_t a)
{
    soft x = soft_unpack(FLOAT_f32, a, true);
    if (x.class == FLOAT_ZERO)
        return soft_sign_bit(FLOAT_f32) | soft_infinity(FLOAT_f32);
    if (x.class == FLOAT_NAN || x.sign)
        return soft_nan(FLOAT_f32);
    return x.class == FLOAT_INFINITE ? a : narrowed(FLOAT_f32, logarithm(widened(FLOAT_f32, a)));
}

static uint64_t mufu_ex2(float_type t, uint64_t a)
{
    if (soft_is_nan(t, a))
        return soft_nan(t);
    const double x = widened(t, a);
    if (x > 200)
        return soft_infinity(t);
    return x < -200 ? 0 : narrowed(t, power_of_two(x));
}

static uint64_t mufu_tanh(float_type t, uint64_t a)
{
    if (soft_is_nan(t, a))
        return soft_nan(t);
    const double x = widened(t, a);
    if (x > 20 || x < -20)
        return soft_one(t) | (a & soft_sign_bit(t));
    if (x > -0x1p-12 && x < 0x1p-12)
        return a;
    const double two_over_ln2 = 0x1.71547652b82fep+1, e = power_of_two(x * two_over_ln2);
    return narrowed(t, (e - 1) / (e + 1));
}

static uint64_t mufu_rcp(uint64_t a)
{
    return float_rcp(FLOAT_f32, a, (float_mode){.ftz = true});
}

static uint64_t mufu_sqrt(uint64_t a)
{
    return float_sqrt(FLOAT_f32, a, (float_mode){.ftz = true});
}

static const soft one = {FLOAT_NORMAL, false, 0, 1};

static uint64_t mufu_rsq(uint64_t a)
{
    if (soft_is_nan(FLOAT_f32, a))
        return soft_nan(FLOAT_f32);
    soft root = soft_sqrt(soft_unpack(FLOAT_f32, a, true));
    return soft_pack(FLOAT_f32, root.class == FLOAT_NAN ? root : soft_div(one, root), FLOAT_RN, true);
}

/* The upper 32 bits of an f64. */
static uint64_t upper_word(soft x)
{
    const uint64_t nan = 0x7fffffff;
    return x.class == FLOAT_NAN ? nan : soft_pack(FLOAT_f64, x, FLOAT_RZ, true) >> 32;
}

/* Both take the upper 32 bits of an f64, and return the upper 32 bits of the result. */
static uint64_t mufu_rcp64h(uint64_t upper)
{
    soft x = soft_unpack(FLOAT_f64, upper << 32, true);
    return upper_word(x.class == FLOAT_NAN ? x : soft_div(one, x));
}

static uint64_t mufu_rsq64h(uint64_t upper)
{
    soft x = soft_unpack(FLOAT_f64, upper << 32, true);
    soft root = x.class == FLOAT_NAN ? x : soft_sqrt(x);
    return upper_word(root.class == FLOAT_NAN ? root : soft_div(one, root));
}

/* The approximate instructions of PTX follow as ptxas lowers them for sm_90: operands that the special function unit
 * would flush, or that are out of its range, are scaled before and after. */

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

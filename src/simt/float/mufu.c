#include "simt/float/mufu.h"

#include <math.h>

#include "simt/float/arith.h"
#include "simt/float/convert.h"
#include "simt/float/native.h"
#include "simt/float/soft.h"

static double widened(float_type t, uint64_t a)
{
    return f64_of(float_convert(FLOAT_f64, t, a, (float_mode){0}));
}

/* A result: f32 without subnormals. Shorter types are its upper bits, except beyond their range. */
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

/* sin of a number of turns, without its sign, plus `offset` turns. The hardware keeps 25 bits of the fraction of a
 * turn, and the result is negative in the second half of a turn even where it is zero. */
static uint64_t sine(uint64_t a, double offset)
{
    double x = widened(FLOAT_f32, a & ~soft_sign_bit(FLOAT_f32));
    x = trunc((x - trunc(x)) * 0x1p25) * 0x1p-25 + offset;
    x -= trunc(x);
    const bool negative = x >= 0.5;
    x -= negative ? 0.5 : 0;
    return narrowed(FLOAT_f32, sine_of_turns(x < 0.25 ? x : 0.5 - x)) | (negative ? soft_sign_bit(FLOAT_f32) : 0);
}

uint64_t mufu_sin(uint64_t a)
{
    if (float_class_of(FLOAT_f32, a) >= FLOAT_INFINITE)
        return soft_nan(FLOAT_f32);
    return sine(a, 0) ^ (a & soft_sign_bit(FLOAT_f32));
}

uint64_t mufu_cos(uint64_t a)
{
    return float_class_of(FLOAT_f32, a) >= FLOAT_INFINITE ? soft_nan(FLOAT_f32) : sine(a, 0.25);
}

uint64_t mufu_lg2(uint64_t a)
{
    soft x = soft_unpack(FLOAT_f32, a, true);
    if (x.class == FLOAT_ZERO)
        return soft_sign_bit(FLOAT_f32) | soft_infinity(FLOAT_f32);
    if (x.class == FLOAT_NAN || x.sign)
        return soft_nan(FLOAT_f32);
    return x.class == FLOAT_INFINITE ? a : narrowed(FLOAT_f32, logarithm(widened(FLOAT_f32, a)));
}

uint64_t mufu_ex2(float_type t, uint64_t a)
{
    if (soft_is_nan(t, a))
        return soft_nan(t);
    const double x = widened(t, a);
    if (x > 200)
        return soft_infinity(t);
    return x < -200 ? 0 : narrowed(t, power_of_two(x));
}

uint64_t mufu_tanh(float_type t, uint64_t a)
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

uint64_t mufu_rcp(uint64_t a)
{
    return float_rcp(FLOAT_f32, a, (float_mode){.ftz = true});
}

uint64_t mufu_sqrt(uint64_t a)
{
    return float_sqrt(FLOAT_f32, a, (float_mode){.ftz = true});
}

static const soft one = {FLOAT_NORMAL, false, 0, 1};

uint64_t mufu_rsq(uint64_t a)
{
    if (soft_is_nan(FLOAT_f32, a))
        return soft_nan(FLOAT_f32);
    soft root = soft_sqrt(soft_unpack(FLOAT_f32, a, true));
    return soft_pack(FLOAT_f32, root.class == FLOAT_NAN ? root : soft_div(one, root), FLOAT_RN, true);
}

/* The upper word of an f64 whose lower word is not known. */
static uint64_t upper_word(soft x)
{
    const uint64_t nan = 0x7fffffff;
    return x.class == FLOAT_NAN ? nan : soft_pack(FLOAT_f64, x, FLOAT_RZ, true) >> 32;
}

uint64_t mufu_rcp64h(uint64_t upper)
{
    soft x = soft_unpack(FLOAT_f64, upper << 32, true);
    return upper_word(x.class == FLOAT_NAN ? x : soft_div(one, x));
}

uint64_t mufu_rsq64h(uint64_t upper)
{
    soft x = soft_unpack(FLOAT_f64, upper << 32, true);
    soft root = x.class == FLOAT_NAN ? x : soft_sqrt(x);
    return upper_word(root.class == FLOAT_NAN ? root : soft_div(one, root));
}

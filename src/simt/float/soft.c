/* Arithmetic on floats with integers, and rounding. */
#include "simt/float/soft.h"

static const soft_format formats[FLOAT_TYPES] = {
    [FLOAT_f16] = {10, 5, 0}, [FLOAT_bf16] = {7, 8, 0},  [FLOAT_tf32] = {10, 8, 13},
    [FLOAT_f32] = {23, 8, 0}, [FLOAT_f64] = {52, 11, 0},
};

soft_format soft_format_of(float_type t)
{
    return formats[t];
}

uint64_t soft_sign_bit(float_type t)
{
    return UINT64_C(1) << (formats[t].fraction + formats[t].exponent + formats[t].unused);
}

uint64_t soft_infinity(float_type t)
{
    return ((UINT64_C(1) << formats[t].exponent) - 1) << (formats[t].fraction + formats[t].unused);
}

uint64_t soft_one(float_type t)
{
    return ((UINT64_C(1) << (formats[t].exponent - 1)) - 1) << (formats[t].fraction + formats[t].unused);
}

uint64_t soft_nan(float_type t)
{
    if (t == FLOAT_f64)
        return UINT64_C(0xfff8000000000000);
    return (soft_sign_bit(t) - 1) >> formats[t].unused << formats[t].unused;
}

bool soft_is_nan(float_type t, uint64_t a)
{
    return (a & (soft_sign_bit(t) - 1)) > soft_infinity(t);
}

uint64_t soft_flush(float_type t, uint64_t a)
{
    return a & soft_infinity(t) ? a : a & soft_sign_bit(t);
}

float_class float_class_of(float_type t, uint64_t a)
{
    uint64_t infinity = soft_infinity(t), magnitude = a & (soft_sign_bit(t) - 1);
    if (magnitude >= infinity)
        return magnitude == infinity ? FLOAT_INFINITE : FLOAT_NAN;
    if (magnitude & infinity)
        return FLOAT_NORMAL;
    return magnitude ? FLOAT_SUBNORMAL : FLOAT_ZERO;
}

static int bias_of(soft_format f)
{
    return (1 << (f.exponent - 1)) - 1;
}

soft soft_unpack(float_type t, uint64_t a, bool ftz)
{
    const soft_format f = formats[t];
    soft x = {float_class_of(t, a), a & soft_sign_bit(t), 0, 0};
    if (x.class == FLOAT_SUBNORMAL)
        x.class = ftz ? FLOAT_ZERO : FLOAT_NORMAL;
    if (x.class == FLOAT_NORMAL) {
        int field = (int)(a >> (f.fraction + f.unused)) & ((1 << f.exponent) - 1);
        x.significand = (a >> f.unused) & ((UINT64_C(1) << f.fraction) - 1);
        if (field)
            x.significand |= UINT64_C(1) << f.fraction;
        x.exponent = (field ? field : 1) - bias_of(f) - f.fraction;
    }
    return x;
}

/* The position of the highest bit of x, which is not zero. */
static int top_bit(soft_bits x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

/* significand / 2^shift as an integer, rounded; shift >= 0. */
static soft_bits soft_shift_round(soft_bits significand, int shift, bool sign, float_round round)
{
    if (shift == 0)
        return significand;
    /* further down all bits round alike, and C has no larger shifts */
    if (shift > 127) {
        significand = significand != 0;
        shift = 2;
    }
    soft_bits kept = significand >> shift, half = (soft_bits)1 << (shift - 1), remainder = significand & (2 * half - 1);
    bool up = false;
    switch (round) {
    case FLOAT_RN:
        up = remainder > half || (remainder == half && (kept & 1));
        break;
    case FLOAT_RNA:
        up = remainder >= half;
        break;
    case FLOAT_RM:
        up = sign && remainder;
        break;
    case FLOAT_RP:
        up = !sign && remainder;
        break;
    case FLOAT_RZ:
        break;
    }
    return kept + up;
}

static bool overflows_to_infinity(bool sign, float_round round)
{
    return round == FLOAT_RN || round == FLOAT_RNA || round == (sign ? FLOAT_RM : FLOAT_RP);
}

/* ftz flushes results that are subnormal after rounding to full precision. Does x, whose highest bit has exponent
 * `high`, round up to the smallest normal number? */
static bool rounds_up_to_normal(soft_format f, soft x, int high, int min_exponent, float_round round)
{
    const int shift = high - f.fraction - x.exponent;
    return high == min_exponent - 1 && shift > 0 &&
           soft_shift_round(x.significand, shift, x.sign, round) >> (f.fraction + 1);
}

static uint64_t pack_finite(float_type t, soft x, float_round round, bool ftz)
{
    const soft_format f = formats[t];
    const int bias = bias_of(f), min_exponent = 1 - bias;
    const int high = x.exponent + top_bit(x.significand);
    if (ftz && high < min_exponent && !rounds_up_to_normal(f, x, high, min_exponent, round))
        return 0;
    int exponent = high < min_exponent ? min_exponent : high, shift = exponent - f.fraction - x.exponent;
    uint64_t kept =
        (uint64_t)(shift < 0 ? x.significand << -shift : soft_shift_round(x.significand, shift, x.sign, round));
    if (exponent > bias)
        kept = soft_infinity(t) >> f.unused; /* beyond the largest number in any rounding mode */
    else
        kept += (uint64_t)(exponent - min_exponent) << f.fraction;
    if (kept << f.unused >= soft_infinity(t))
        return overflows_to_infinity(x.sign, round) ? soft_infinity(t) : soft_infinity(t) - (UINT64_C(1) << f.unused);
    return kept << f.unused;
}

uint64_t soft_pack(float_type t, soft x, float_round round, bool ftz)
{
    uint64_t sign = x.sign ? soft_sign_bit(t) : 0;
    switch (x.class) {
    case FLOAT_NAN:
        return soft_nan(t);
    case FLOAT_INFINITE:
        return sign | soft_infinity(t);
    case FLOAT_ZERO:
        return sign;
    default:
        return sign | pack_finite(t, x, round, ftz);
    }
}

soft soft_integral(soft x, float_round round)
{
    if (x.class != FLOAT_NORMAL || x.exponent >= 0)
        return x;
    x.significand = soft_shift_round(x.significand, -x.exponent, x.sign, round);
    x.exponent = 0;
    if (!x.significand)
        x.class = FLOAT_ZERO;
    return x;
}

/* Moves the highest bit to position 125: one bit is left for a carry, and a product of 106 bits has zeros below. */
static soft normalize(soft x)
{
    int shift = 125 - top_bit(x.significand);
    x.significand <<= shift;
    x.exponent -= shift;
    return x;
}

static soft_bits shift_sticky(soft_bits x, int shift)
{
    if (shift > 127)
        return x != 0;
    return x >> shift | ((x & (((soft_bits)1 << shift) - 1)) != 0);
}

/* If the exponents are far apart, one bit stands for the smaller operand; that is enough to round correctly. */
static soft add_finite(soft a, soft b, float_round round)
{
    a = normalize(a);
    b = normalize(b);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        soft swap = a;
        a = b;
        b = swap;
    }
    b.significand = shift_sticky(b.significand, a.exponent - b.exponent);
    if (a.sign == b.sign)
        a.significand += b.significand;
    else
        a.significand -= b.significand;
    if (!a.significand)
        a = (soft){FLOAT_ZERO, round == FLOAT_RM, 0, 0};
    return a;
}

soft soft_add(soft a, soft b, float_round round)
{
    if (a.class == FLOAT_NAN || b.class == FLOAT_NAN)
        return (soft){.class = FLOAT_NAN};
    if (a.class == FLOAT_INFINITE && b.class == FLOAT_INFINITE && a.sign != b.sign)
        return (soft){.class = FLOAT_NAN};
    if (a.class == FLOAT_INFINITE || b.class == FLOAT_INFINITE)
        return a.class == FLOAT_INFINITE ? a : b;
    if (a.class == FLOAT_ZERO && b.class == FLOAT_ZERO) {
        if (a.sign != b.sign)
            a.sign = round == FLOAT_RM;
        return a;
    }
    if (a.class == FLOAT_ZERO || b.class == FLOAT_ZERO)
        return a.class == FLOAT_ZERO ? b : a;
    return add_finite(a, b, round);
}

soft soft_mul(soft a, soft b)
{
    bool sign = a.sign != b.sign, infinite = a.class == FLOAT_INFINITE || b.class == FLOAT_INFINITE;
    bool zero = a.class == FLOAT_ZERO || b.class == FLOAT_ZERO;
    if (infinite)
        return (soft){.class = zero ? FLOAT_NAN : FLOAT_INFINITE, .sign = sign};
    if (zero)
        return (soft){.class = FLOAT_ZERO, .sign = sign};
    return (soft){FLOAT_NORMAL, sign, a.exponent + b.exponent, a.significand * b.significand};
}

soft soft_div(soft a, soft b)
{
    bool sign = a.sign != b.sign;
    if (a.class == b.class && a.class != FLOAT_NORMAL)
        return (soft){.class = FLOAT_NAN};
    if (a.class == FLOAT_INFINITE || b.class == FLOAT_ZERO)
        return (soft){.class = FLOAT_INFINITE, .sign = sign};
    if (a.class == FLOAT_ZERO || b.class == FLOAT_INFINITE)
        return (soft){.class = FLOAT_ZERO, .sign = sign};
    a = normalize(a);
    soft_bits quotient = a.significand / b.significand, remainder = a.significand % b.significand;
    return (soft){FLOAT_NORMAL, sign, a.exponent - b.exponent, quotient | (remainder != 0)};
}

soft soft_sqrt(soft a)
{
    if (a.class == FLOAT_ZERO || (a.class == FLOAT_INFINITE && !a.sign))
        return a;
    if (a.sign)
        return (soft){.class = FLOAT_NAN};
    a = normalize(a);
    if (a.exponent & 1) {
        a.significand <<= 1;
        a.exponent--;
    }
    /* bit by bit: `root` is the root so far, `remainder` is significand - root^2 */
    soft_bits root = 0, remainder = a.significand;
    for (soft_bits bit = (soft_bits)1 << 126; bit; bit >>= 2) {
        bool take = remainder >= root + bit;
        if (take)
            remainder -= root + bit;
        root = (root >> 1) + (take ? bit : 0);
    }
    return (soft){FLOAT_NORMAL, false, a.exponent / 2, root | (remainder != 0)};
}

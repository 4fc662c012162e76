/* Floats as an integer times a power of two, and the one place that rounds them. Exact results stay exact. Where a
 * quotient, a root or a sum is not exact, its lowest bit is set (sticky); that bit is far enough below the last bit
 * that is kept to round correctly in every mode. */
#ifndef SIMT_FLOAT_SOFT_H
#define SIMT_FLOAT_SOFT_H

#include "simt/float/float.h"

typedef unsigned __int128 soft_bits;

typedef struct soft {
    float_class class;     /* FLOAT_ZERO, FLOAT_NORMAL for all other finite numbers, FLOAT_INFINITE or FLOAT_NAN */
    bool sign;             /* negative */
    int exponent;          /* of two */
    soft_bits significand; /* the value is significand * 2^exponent */
} soft;

/* The layout of a float: bits of the fraction and of the exponent, and unused bits below them. */
typedef struct soft_format {
    int fraction, exponent, unused;
} soft_format;
soft_format soft_format_of(float_type t);

uint64_t soft_sign_bit(float_type t);
uint64_t soft_infinity(float_type t);
uint64_t soft_one(float_type t);
uint64_t soft_nan(float_type t); /* the NaN that invalid operations return */
bool soft_is_nan(float_type t, uint64_t a);
float_class float_class_of(float_type t, uint64_t a);

uint64_t soft_flush(float_type t, uint64_t a); /* a subnormal becomes the zero of its sign */
soft soft_unpack(float_type t, uint64_t a, bool ftz);
/* Rounded and, with ftz, flushed; the caller applies the other modifiers. */
uint64_t soft_pack(float_type t, soft x, float_round round, bool ftz);

/* Rounded to an integer. */
soft soft_integral(soft x, float_round round);

/* Operands are not NaN, except in soft_add; an undefined result is NaN. */
soft soft_add(soft a, soft b, float_round round); /* round: decides the sign of an exact zero */
soft soft_mul(soft a, soft b);
soft soft_div(soft a, soft b);
soft soft_sqrt(soft a);

/* Applies .sat and .relu to a result. */
static inline uint64_t float_finish(float_type t, uint64_t r, float_mode m)
{
    if (m.sat) {
        if (soft_is_nan(t, r) || (r & soft_sign_bit(t)))
            return 0;
        return r > soft_one(t) ? soft_one(t) : r;
    }
    if (m.relu && !soft_is_nan(t, r) && (r & soft_sign_bit(t)))
        return 0;
    return r;
}

/* The NaN of an operation with a NaN operand: f64 keeps the payload of one of them. */
static inline uint64_t soft_nan_of(float_type t, uint64_t a, uint64_t b, uint64_t c)
{
    if (t != FLOAT_f64)
        return soft_nan(t);
    const uint64_t quiet = UINT64_C(1) << 51;
    return (soft_is_nan(t, b) ? b : soft_is_nan(t, c) ? c : a) | quiet;
}

#endif

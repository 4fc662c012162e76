/* Floats as an integer times a power of two, and the one place that rounds
 * them. Exact results stay exact. A quotient, a root or a much smaller addend
 * sets the lowest bit (sticky), which is far enough below the last bit that is
 * kept to round correctly in every mode. */
#ifndef SIMT_FLOAT_SOFT_H
#define SIMT_FLOAT_SOFT_H

#include "simt/float/float.h"

typedef unsigned __int128 soft_bits;

typedef struct soft {
    float_class class;     /* FLOAT_ZERO, FLOAT_NORMAL for all other finite numbers, FLOAT_INFINITE or FLOAT_NAN */
    bool sign;             /* it is negative */
    int exponent;          /* of two */
    soft_bits significand; /* the value is significand * 2^exponent */
} soft;

/* The layout of a float: bits of the fraction and of the exponent, and unused bits below them. */
typedef struct soft_format {
    int fraction, exponent, unused; /* in bits */
} soft_format;
soft_format soft_format_of(float_type t);

uint64_t soft_sign_bit(float_type t);
uint64_t soft_infinity(float_type t);
uint64_t soft_one(float_type t);
uint64_t soft_nan(float_type t); /* the NaN that operations result in */
bool soft_is_nan(float_type t, uint64_t a);
float_class float_class_of(float_type t, uint64_t a);

uint64_t soft_flush(float_type t, uint64_t a); /* a subnormal becomes the zero of its sign */
soft soft_unpack(float_type t, uint64_t a, bool ftz);
/* Rounded and, with ftz, flushed; the caller applies the other modifiers. */
uint64_t soft_pack(float_type t, soft x, float_round round, bool ftz);
/* significand / 2^shift as an integer, rounded; shift >= 0. */
soft_bits soft_shift_round(soft_bits significand, int shift, bool sign, float_round round);
/* Rounded to an integer. */
soft soft_integral(soft x, float_round round);

/* Operands are no NaN; a result that does not exist is one. */
soft soft_add(soft a, soft b, float_round round); /* round: decides the sign of an exact zero */
soft soft_mul(soft a, soft b);
soft soft_div(soft a, soft b);
soft soft_sqrt(soft a);

#endif

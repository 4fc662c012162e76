/* Floats taken apart: numbers as integers times powers of two, and the one
 * place that rounds them. What is exact stays exact; a quotient, a root or a
 * far smaller addend leaves its lowest bit set (it is jammed), which is far
 * enough below the last bit kept to round right in every mode. */
#ifndef SIMT_FLOAT_SOFT_H
#define SIMT_FLOAT_SOFT_H

#include "simt/float/float.h"

typedef unsigned __int128 soft_bits;

typedef struct soft {
    float_class class; /* FLOAT_ZERO, FLOAT_NORMAL for all that is finite, FLOAT_INFINITE or FLOAT_NAN */
    bool sign;
    int exponent;
    soft_bits significand; /* the value is significand * 2^exponent */
} soft;

/* The layout of a float: bits of the fraction and of the exponent; `unused` bits are below. */
typedef struct soft_format {
    int fraction, exponent, unused;
} soft_format;
soft_format soft_format_of(float_type t);

uint64_t soft_sign_bit(float_type t);
uint64_t soft_infinity(float_type t);
uint64_t soft_one(float_type t);
uint64_t soft_nan(float_type t); /* the one that operations make */
bool soft_is_nan(float_type t, uint64_t a);

uint64_t soft_flush(float_type t, uint64_t a); /* a subnormal becomes the zero of its sign */
soft soft_unpack(float_type t, uint64_t a, bool ftz);
/* Rounded; all of the mode but the rounding and ftz is left to the caller. */
uint64_t soft_pack(float_type t, soft x, float_round round, bool ftz);
soft_bits soft_shift_round(soft_bits significand, int shift, bool sign, float_round round);
soft soft_integral(soft x, float_round round);

/* Operands are no NaN; what has no value is one. */
soft soft_add(soft a, soft b, float_round round); /* round: for the sign of an exact zero */
soft soft_mul(soft a, soft b);
soft soft_div(soft a, soft b);
soft soft_sqrt(soft a);

#endif

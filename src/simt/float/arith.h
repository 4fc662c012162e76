/* Arithmetic in every rounding mode; type t is a float. */
#ifndef SIMT_FLOAT_ARITH_H
#define SIMT_FLOAT_ARITH_H

#include "simt/float/float.h"

uint64_t float_add(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_sub(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_mul(float_type t, uint64_t a, uint64_t b, float_mode m);
uint64_t float_fma(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_div(float_type t, uint64_t a, uint64_t b, float_mode m); /* div, rcp and sqrt: f32 and f64 */
uint64_t float_rcp(float_type t, uint64_t a, float_mode m);
uint64_t float_sqrt(float_type t, uint64_t a, float_mode m);

/* Applies an operation to both halves of f16x2 or bf16x2 registers. Operands that it does not have are 0. */
typedef uint64_t float_function(float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);
uint64_t float_halves(float_function *f, float_type t, uint64_t a, uint64_t b, uint64_t c, float_mode m);

#endif

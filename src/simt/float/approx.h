/* Approximate functions. Operands are f32, or of type t where there is one. */
#ifndef SIMT_FLOAT_APPROX_H
#define SIMT_FLOAT_APPROX_H

#include "simt/float/float.h"

/* Replace *a and *b by two factors whose product is the approximate quotient (any_divisor: of .full, otherwise of
 * .approx) or the reciprocal of *a without ftz. */
void float_div_factors(bool any_divisor, uint64_t *a, uint64_t *b, bool ftz);
void float_rcp_factors(uint64_t *a, uint64_t *b);
uint64_t float_div_approx(uint64_t a, uint64_t b, bool ftz);
uint64_t float_div_full(uint64_t a, uint64_t b, bool ftz);
uint64_t float_rcp_approx(float_type t, uint64_t a, bool ftz); /* f32; f64 with ftz only */
uint64_t float_sqrt_approx(uint64_t a, bool ftz);
uint64_t float_rsqrt_approx(float_type t, uint64_t a, bool ftz); /* f32, f64 */
uint64_t float_sin_approx(uint64_t a, bool ftz); /* .ftz makes no difference on the hardware, as in cos */
uint64_t float_cos_approx(uint64_t a, bool ftz);
uint64_t float_lg2_approx(uint64_t a, bool ftz);
uint64_t float_ex2_approx(float_type t, uint64_t a, bool ftz); /* f32, f16; bf16 with ftz only */
uint64_t float_tanh_approx(float_type t, uint64_t a);          /* f32, f16, bf16 */

#endif

/* The special function unit, to which the approximate instructions of PTX are
 * lowered. The hardware interpolates in tables; here they are series in f64
 * with one rounding, within the errors that PTX documents. They use no libm, so
 * they are the same on every machine. Operands and results are f32 unless a
 * type is given; subnormal f32 are zeros. */
#ifndef SIMT_FLOAT_MUFU_H
#define SIMT_FLOAT_MUFU_H

#include "simt/float/float.h"

uint64_t mufu_rcp(uint64_t a);
uint64_t mufu_sqrt(uint64_t a);
uint64_t mufu_rsq(uint64_t a);
uint64_t mufu_lg2(uint64_t a);
uint64_t mufu_sin(uint64_t turns);
uint64_t mufu_cos(uint64_t turns);
uint64_t mufu_ex2(float_type t, uint64_t a);
uint64_t mufu_tanh(float_type t, uint64_t a);

/* From the upper 32 bits of an f64 to the upper 32 bits of the result. */
uint64_t mufu_rcp64h(uint64_t upper);
uint64_t mufu_rsq64h(uint64_t upper);

#endif

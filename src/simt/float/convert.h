/* Conversions. */
#ifndef SIMT_FLOAT_CONVERT_H
#define SIMT_FLOAT_CONVERT_H

#include "simt/float/float.h"

/* cvt from any type to any type. The caller extends integers that are narrower than the destination register. A packed
 * destination (cvt.f16x2.f32 d, a, b) takes one call for each half; a is the upper one. */
uint64_t float_convert(float_type dtype, float_type stype, uint64_t a, float_mode m);

#endif

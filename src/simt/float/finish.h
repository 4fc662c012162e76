/* The last step of an operation: .sat, .relu, and the NaN that it results in. */
#ifndef SIMT_FLOAT_FINISH_H
#define SIMT_FLOAT_FINISH_H

#include "simt/float/soft.h"

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

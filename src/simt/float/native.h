/* Converts bits to floats of this computer, and back. */
#ifndef SIMT_FLOAT_NATIVE_H
#define SIMT_FLOAT_NATIVE_H

#include <stdint.h>
#include <string.h>

static inline float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

static inline uint64_t bits_of_f32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline double f64_of(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t bits_of_f64(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

#endif

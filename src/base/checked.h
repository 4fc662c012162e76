/* Integer arithmetic that detects overflow; false where the result does not fit. */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#define checked_add(a, b, out) (!__builtin_add_overflow((a), (b), (out)))
#define checked_sub(a, b, out) (!__builtin_sub_overflow((a), (b), (out)))
#define checked_mul(a, b, out) (!__builtin_mul_overflow((a), (b), (out)))

/* The greatest common divisor; that of 0 and a is a. */
static inline int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* a * b / c rounded up, for c > 0; false where it does not fit. */
static inline bool checked_mul_div_up(int64_t a, int64_t b, int64_t c, int64_t *out)
{
    unsigned __int128 x = (unsigned __int128)(uint64_t)a * (uint64_t)b + (uint64_t)(c - 1);
    x /= (uint64_t)c;
    if (x > INT64_MAX)
        return false;
    *out = (int64_t)x;
    return true;
}

#endif

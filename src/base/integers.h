/* Integer arithmetic: minimum and maximum, rounding up, the greatest common divisor, and operations that detect
 * overflow. */
#ifndef BASE_INTEGERS_H
#define BASE_INTEGERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MINMAX(type, suffix)                                                                                           \
    static inline type min_##suffix(type a, type b)                                                                    \
    {                                                                                                                  \
        return a < b ? a : b;                                                                                          \
    }                                                                                                                  \
    static inline type max_##suffix(type a, type b)                                                                    \
    {                                                                                                                  \
        return a > b ? a : b;                                                                                          \
    }
MINMAX(int, int)
MINMAX(int64_t, i64)
MINMAX(uint32_t, u32)
MINMAX(uint64_t, u64)
MINMAX(size_t, size)
#undef MINMAX

/* a / b rounded up; a >= 0, b > 0. */
static inline int64_t div_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* The smallest multiple of unit that is not below v; v >= 0, unit > 0. */
static inline int64_t round_up(int64_t v, int64_t unit)
{
    return div_up(v, unit) * unit;
}

/* False where the result does not fit. */
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

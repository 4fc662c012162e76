/* Minimum, maximum, and division and multiples rounded up. */
#ifndef BASE_MINMAX_H
#define BASE_MINMAX_H

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

#endif

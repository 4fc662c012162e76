/* 128-bit sums and products of times. They saturate at WIDE_HUGE, far above any time, and so never overflow. */
#ifndef ANALYZE_BOUND_WIDE_H
#define ANALYZE_BOUND_WIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef __int128 wide;
#define WIDE_HUGE ((wide)1 << 120)

static inline wide wide_add(wide a, wide b)
{
    return a + b < WIDE_HUGE ? a + b : WIDE_HUGE;
}

/* Number of bits of x; x >= 0. */
static inline int wide_bits(wide x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static inline wide wide_mul(wide a, wide b)
{
    /* Unsigned: the sanitizer's check of signed 128-bit products needs a runtime that not every clang has. */
    wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    bool fits = wide_bits(x) + wide_bits(y) <= 120; /* saves the division */
    if (!fits && x && y > WIDE_HUGE / x)
        return WIDE_HUGE;
    return (wide)((unsigned __int128)a * (unsigned __int128)b);
}

static inline wide wide_min(wide a, wide b)
{
    return a < b ? a : b;
}

static inline wide wide_max(wide a, wide b)
{
    return a > b ? a : b;
}

/* a / b rounded down; a >= 0, b > 0. Most operands have 64 bits; 64-bit division takes a tenth of the time. */
static inline wide wide_div(wide a, wide b)
{
    return (a | b) >> 64 ? a / b : (wide)((uint64_t)a / (uint64_t)b);
}

/* a / b rounded up; a >= 0, b > 0. */
static inline wide wide_div_up(wide a, wide b)
{
    return wide_div(a + b - 1, b);
}

/* a / b rounded down, towards minus infinity; b > 0. */
static inline wide wide_div_down(wide a, wide b)
{
    return a >= 0 ? wide_div(a, b) : -wide_div_up(-a, b);
}

#endif

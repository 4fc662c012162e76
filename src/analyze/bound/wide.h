/* Sums and products of times that cannot overflow: they stop at WIDE_HUGE, far above any time. */
#ifndef ANALYZE_BOUND_WIDE_H
#define ANALYZE_BOUND_WIDE_H

#include <stdbool.h>

typedef __int128 wide;
#define WIDE_HUGE ((wide)1 << 120)

static inline wide wide_add(wide a, wide b)
{
    return a + b < WIDE_HUGE ? a + b : WIDE_HUGE;
}

static inline wide wide_mul(wide a, wide b)
{
    /* Unsigned: checks of signed products need a runtime that not every clang has. */
    wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    bool small = x >> 60 == 0 && y >> 60 == 0; /* then the product fits, and no division is needed */
    if (!small && x && y > WIDE_HUGE / x)
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

/* a / b rounded up; a >= 0, b > 0. */
static inline wide wide_div_up(wide a, wide b)
{
    return (a + b - 1) / b;
}

/* a / b rounded down, towards minus infinity; b > 0. */
static inline wide wide_div_down(wide a, wide b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

#endif

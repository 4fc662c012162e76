#include "measure/devrt/line_fit.h"

/* A product that fits: sums of microseconds and lanes are far from the limit. (Of unsigned numbers, as clang's checks
 * of signed ones need a library.) */
static __int128 product(__int128 a, __int128 b)
{
    return (__int128)((unsigned __int128)a * (unsigned __int128)b);
}

/* numerator / denominator to the nearest multiple of `unit`, away from 0 where two are as near. */
static int64_t rounded(__int128 numerator, __int128 denominator, int64_t unit)
{
    __int128 scaled = product(denominator, unit), half = scaled / 2;
    return (int64_t)((numerator < 0 ? numerator - half : numerator + half) / scaled) * unit;
}

bool line_fit_points(const int64_t *x, const int64_t *y, size_t count, int64_t unit, line_fit *fit)
{
    __int128 n = (__int128)count, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (size_t i = 0; i < count; i++) {
        sum_x += x[i];
        sum_y += y[i];
        sum_xx += product(x[i], x[i]);
        sum_xy += product(x[i], y[i]);
    }
    __int128 denominator = product(n, sum_xx) - product(sum_x, sum_x); /* not negative */
    if (denominator == 0)
        return false;
    fit->base = rounded(product(sum_y, sum_xx) - product(sum_x, sum_xy), denominator, unit);
    fit->step = rounded(product(n, sum_xy) - product(sum_x, sum_y), denominator, unit);
    return true;
}

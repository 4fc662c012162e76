/* A line through points, by least squares. All in integers, so that the result is the same on every machine. */
#ifndef MEASURE_DEVRT_LINE_FIT_H
#define MEASURE_DEVRT_LINE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct line_fit {
    int64_t base; /* y at x = 0 */
    int64_t step; /* how much y grows with x */
} line_fit;

/* Fits y = base + step x through points of a size below 2^40, and rounds both to multiples of `unit`. False where the
 * points do not have two different x. */
bool line_fit_points(const int64_t *x, const int64_t *y, size_t count, int64_t unit, line_fit *fit);

#endif

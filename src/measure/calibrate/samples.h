/* Samples, their median, and a linear fit. All in integers, so that the result is the same on every machine. */
#ifndef MEASURE_CALIBRATE_SAMPLES_H
#define MEASURE_CALIBRATE_SAMPLES_H

#include "base/vec.h"

typedef VEC(int64_t) samples;

/* Sorts the samples. The lower median of an even number; 0 where there are none. */
int64_t samples_median(samples *s);

/* The size of a copy and the time it took. */
typedef struct copy_point {
    int64_t bytes, ns; /* its size, and how long it took */
} copy_point;

typedef struct copy_fit {
    int64_t bytes_per_s; /* the bandwidth */
    int64_t overhead_ns; /* of a copy, besides its bytes */
} copy_fit;

/* Fits ns = bytes / bandwidth + overhead: the bandwidth is the median over all pairs of points (Theil and Sen), the
 * overhead the median of the remainders. False where no pair gives a bandwidth, or without memory. */
bool samples_fit(const copy_point *points, size_t count, copy_fit *fit);
/* The time for so many bytes at this bandwidth. */
int64_t samples_bytes_ns(int64_t bytes, int64_t bytes_per_s);

#endif

/* Numbers seen, and what stands for them. All in integers, so that the same runs
 * give the same result on every machine. */
#ifndef MEASURE_CALIBRATE_SAMPLES_H
#define MEASURE_CALIBRATE_SAMPLES_H

#include "base/vec.h"

typedef VEC(int64_t) samples;

/* Sorts; of an even number the lower one in the middle; 0 of none. */
int64_t samples_median(samples *s);

typedef struct copy_point {
    int64_t bytes, ns;
} copy_point;

typedef struct copy_fit {
    int64_t bytes_per_s, overhead_ns;
} copy_fit;

/* ns = bytes over a bandwidth + an overhead: the median of what every two points of
 * different sizes say (Theil and Sen), then the median of what is left over. False
 * where no two points say anything, or without memory. */
bool samples_fit(const copy_point *points, size_t count, copy_fit *fit);
/* bytes at that bandwidth, in ns. */
int64_t samples_bytes_ns(int64_t bytes, int64_t bytes_per_s);

#endif

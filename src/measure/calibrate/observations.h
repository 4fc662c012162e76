/* What the runs of a calibration show: samples of each reading, the orders of SMs, and the reach of SMs; and how these
 * are summarized, all in integers, so that the result is the same on every machine. */
#ifndef MEASURE_CALIBRATE_OBSERVATIONS_H
#define MEASURE_CALIBRATE_OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "measure/calibration.h"

/* The reach of an SM is how much longer than on the nearest SM resources stay unused between two blocks ("Looks" in
 * docs/model.md). */

typedef struct reach_sum {
    int64_t ns;    /* of all hand-overs */
    int64_t times; /* number of hand-overs */
} reach_sum;

/* By SM, in two halves, to see whether these agree. */
typedef struct reach_sums {
    VEC(reach_sum) half[2]; /* each by SM */
} reach_sums;

/* False without memory. */
bool reach_add(reach_sums *s, int half, uint32_t sm, int64_t ns);
void reach_free(reach_sums *s);

/* Computes the reach of each of `sms` SMs in list[], rounded to 8 ns, which is about the difference of two halves.
 * *difference is the maximum by which the halves differ. False where an SM is missing in one half. */
bool reach_compute(const reach_sums *s, int sms, int *list, int *difference);

typedef VEC(int64_t) samples;

/* Sorts the samples. The lower median of an even number; 0 where there are none. */
int64_t samples_median(samples *s);

/* The size of a copy and the time it took. */
typedef struct copy_point {
    int64_t bytes, ns;
} copy_point;

typedef struct copy_fit {
    int64_t bytes_per_s; /* the bandwidth */
    int64_t overhead_ns; /* time of a copy besides its bytes */
} copy_fit;

/* Fits ns = bytes / bandwidth + overhead: the bandwidth is the median over all pairs of points (Theil and Sen), the
 * overhead the median of the remainders. False where no pair gives a bandwidth, or without memory. */
bool samples_fit(const copy_point *points, size_t count, copy_fit *fit);
/* The time of a copy's bytes at this bandwidth. */
int64_t samples_bytes_ns(int64_t bytes, int64_t bytes_per_s);

typedef struct observations {
    samples readings[GCAST_READINGS]; /* by gcast_reading_id */
    VEC(int) orders;                  /* the SM of each block, launch by launch */
    reach_sums reach;                 /* hand-overs by SM */
} observations;

/* Adds a sample of a reading. */
gcast_status observations_add(observations *o, gcast_reading_id id, int64_t v, gcast_error *err);

static inline void observations_free(observations *o)
{
    for (size_t i = 0; i < GCAST_READINGS; i++)
        vec_free(&o->readings[i]);
    vec_free(&o->orders);
    reach_free(&o->reach);
}

/* The order of SMs is that in which the blocks of a launch go to them. */

typedef struct order_summary {
    size_t launches;
    size_t distinct;      /* different orders */
    size_t most_frequent; /* the first launch with the most frequent order */
    int same_places;      /* blocks that went to the same SM in all launches */
} order_summary;

/* `orders` has `launches` orders of `sms` SMs each. */
order_summary orders_summarize(const int *orders, size_t launches, int sms);

/* A line through points, by least squares. */
typedef struct line_fit {
    int64_t base; /* y at x = 0 */
    int64_t step; /* how much y grows with x */
} line_fit;

/* Fits y = base + step x through points of a size below 2^40, and rounds both to multiples of `unit`. False where the
 * points do not have two different x. */
bool line_fit_points(const int64_t *x, const int64_t *y, size_t count, int64_t unit, line_fit *fit);

#endif

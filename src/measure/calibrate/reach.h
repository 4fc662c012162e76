/* The reach of SMs: how much longer than on the nearest SM resources stay unused between two blocks ("Looks" in
 * docs/model.md). */
#ifndef MEASURE_CALIBRATE_REACH_H
#define MEASURE_CALIBRATE_REACH_H

#include <stdbool.h>

#include "base/vec.h"

typedef struct reach_sum {
    int64_t ns;    /* of all hand-overs */
    int64_t times; /* how many there were */
} reach_sum;

/* By SM, in two halves, to see whether these agree. */
typedef struct reach_sums {
    VEC(reach_sum) half[2]; /* each by SM */
} reach_sums;

/* False without memory. */
bool reach_add(reach_sums *s, int half, uint32_t sm, int64_t ns);
void reach_free(reach_sums *s);

/* The reach of each of `sms` SMs in list[], rounded to 8 ns, which is about the difference of two halves. *difference
 * is the maximum by which the halves differ. False where an SM is missing in one half. */
bool reach_compute(const reach_sums *s, int sms, int *list, int *difference);

#endif

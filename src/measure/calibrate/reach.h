/* How long a place stays empty between two blocks, SM by SM: what an SM has more than the
 * nearest is its reach ("Looks" in docs/model.md). */
#ifndef MEASURE_CALIBRATE_REACH_H
#define MEASURE_CALIBRATE_REACH_H

#include <stdbool.h>

#include "base/vec.h"

typedef struct reach_sum {
    int64_t ns, times;
} reach_sum;

/* By SM, in two halves, to see whether they say the same. */
typedef struct reach_sums {
    VEC(reach_sum) half[2];
} reach_sums;

/* False without memory. */
bool reach_add(reach_sums *s, int half, uint32_t sm, int64_t ns);
void reach_free(reach_sums *s);

/* The reach of each of `sms` SMs in list[], to 8 ns, which is about what the halves leave open;
 * *apart: by how much they differ at most. False where some SM was not seen in both. */
bool reach_settle(const reach_sums *s, int sms, int *list, int *apart);

#endif

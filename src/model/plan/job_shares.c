#include "model/plan/job_shares.h"

#include <stdlib.h>

/* What rounding down takes from a part. */
typedef struct remainder_of_part {
    double lost;   /* jobs, below 1 */
    uint32_t part; /* its number */
} remainder_of_part;

void job_shares_even(uint32_t jobs, uint32_t n, uint32_t *count)
{
    uint64_t begin = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t end = ((uint64_t)k + 1) * jobs / n;
        count[k] = (uint32_t)(end - begin);
        begin = end;
    }
}

static int compare_lost(const void *a, const void *b)
{
    const remainder_of_part *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    return x->part < y->part ? -1 : 1;
}

/* Weights relative to the largest, so that their sum is finite. With at most 4096 parts and 2^31 jobs all rounding
 * together is below a thousandth of a job: the parts rounded down never exceed the jobs, and enough parts have a
 * remainder to take what is left. */
bool job_shares_weighted(uint32_t jobs, const double *weight, uint32_t n, uint32_t *count)
{
    remainder_of_part *remainders = malloc(n * sizeof *remainders);
    double largest = 0, sum = 0;
    uint32_t left = jobs;
    if (!remainders)
        return false;
    for (uint32_t k = 0; k < n; k++)
        largest = weight[k] > largest ? weight[k] : largest;
    for (uint32_t k = 0; k < n; k++)
        sum += weight[k] / largest;
    for (uint32_t k = 0; k < n; k++) {
        double share = jobs * (weight[k] / largest / sum);
        count[k] = (uint32_t)share;
        remainders[k] = (remainder_of_part){share - count[k], k};
        left -= count[k];
    }
    qsort(remainders, n, sizeof *remainders, compare_lost);
    for (uint32_t k = 0; k < left; k++)
        count[remainders[k].part]++;
    free(remainders);
    return true;
}

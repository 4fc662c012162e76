/* How many jobs each SM of a plan gets. */
#ifndef MODEL_PLAN_JOB_SHARES_H
#define MODEL_PLAN_JOB_SHARES_H

#include <stdbool.h>
#include <stdint.h>

/* Part k of n gets the jobs from k * jobs / n on, so that parts differ by at most one. */
void job_shares_even(uint32_t jobs, uint32_t n, uint32_t *count);
/* In proportion to weights that are finite, not negative and not all 0, by largest remainder (of equal ones, the lower
 * part): each part is its exact share rounded down or up. False without memory. */
bool job_shares_weighted(uint32_t jobs, const double *weight, uint32_t n, uint32_t *count);

#endif

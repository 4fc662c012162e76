/* Jobs that are related to those placed so far: a heap that gives the one which has most in common with the jobs of the
 * current cluster; of equal ones, the one with most in common with all placed jobs; of equal ones, the lowest number.
 */
#ifndef MODEL_PLAN_AFFINITY_FRONTIER_H
#define MODEL_PLAN_AFFINITY_FRONTIER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct frontier {
    uint32_t count;         /* jobs in it */
    uint32_t *heap;         /* the jobs; children of i are 2 * i + 1 and 2 * i + 2 */
    uint32_t *slot;         /* by job: 1 + where it is in heap; 0: it is not */
    uint64_t *cluster_gain; /* by job: sum of scores with the jobs of the current cluster */
    uint64_t *total_gain;   /* by job: sum of scores with all placed jobs */
} frontier;

/* False without memory; must be freed also then. */
bool frontier_create(frontier *f, uint32_t jobs);
void frontier_free(frontier *f);
/* Adds a score to a job, which comes in where it is not there yet. */
void frontier_raise(frontier *f, uint32_t job, uint32_t score);
/* Takes the best one out; there must be one. */
uint32_t frontier_take(frontier *f);
/* Another cluster begins. */
void frontier_next_cluster(frontier *f);

#endif

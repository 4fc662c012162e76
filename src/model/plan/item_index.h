/* Which jobs share data: an index from items to the jobs that use them, so that the jobs related to one are found
 * without looking at all others.
 *
 * Where that would take too long because many jobs use the same items, a job is compared only with those that are
 * near it in the lists of its items. Scores are exact in either case. */
#ifndef MODEL_PLAN_ITEM_INDEX_H
#define MODEL_PLAN_ITEM_INDEX_H

#include <stdbool.h>

#include "gridcast/plan.h"

#define SCORE_ONE (UINT32_C(1) << 20) /* the score of two jobs that use the same data */
#define MIN_SCORE_DIVISOR 20          /* jobs with a score below 1 / 20 are not related */

/* A job related to another. */
typedef struct related_job {
    uint32_t job;   /* its number */
    uint32_t score; /* of the two, in units of 1 / SCORE_ONE */
} related_job;

typedef struct item_index {
    const gcast_job_data *data; /* what each job uses; a use is an entry of data->item */
    uint32_t item_count;        /* of items that are used */
    uint32_t *item;             /* by use: the item, numbered without gaps in ascending order */
    uint32_t *place;            /* by use: where the job is among the users of the item */
    uint32_t *first;            /* by item: where its users begin in user */
    uint32_t *user;             /* numbers of jobs, item after item, ascending for each item */
    uint32_t window;            /* how many users before a job, and after it, it is compared with */
    bool is_windowed;           /* some item has users that are not compared */
    uint32_t *shared;           /* by job: items that it has in common with the job in question; else 0 */
    uint32_t *marked_by;        /* by item: 1 + the job in question where that uses it */
    related_job *found;         /* the jobs related to the job in question */
} item_index;

/* False without memory; must be freed also then. */
bool item_index_build(item_index *x, const gcast_job_data *data);
void item_index_free(item_index *x);
/* Finds the jobs related to one, each once, in an order that depends on nothing but the data; returns their count. */
uint32_t item_index_find(item_index *x, uint32_t job);

#endif

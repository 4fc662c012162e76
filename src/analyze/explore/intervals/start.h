/* How the blocks of a choice start. */
#ifndef ANALYZE_EXPLORE_INTERVALS_START_H
#define ANALYZE_EXPLORE_INTERVALS_START_H

#include "analyze/explore/intervals/state.h"

/* The blocks of a choice that start in one step. */
typedef struct block_start {
    const explore_job *job;        /* the job of the choice */
    const interval_choice *choice; /* the choice */
    int64_t *lo;                   /* the earliest times of the successor */
    int64_t *hi;                   /* the latest times of the successor */
    size_t first_slot;             /* the first slot of its engine */
    size_t slot_count;             /* number of slots of its engine */
    uint64_t started_min;          /* number of its blocks that started in earlier steps, at least */
    uint64_t started_max;          /* number of its blocks that started in earlier steps, at most */
    uint64_t count_min;            /* number of blocks that start now, at least, if started_max have started before */
    uint64_t count_max;            /* number of blocks that start now, at most, if started_min have started before */
    uint64_t count_certain;        /* number of blocks that start now in every execution, if the job is cut off */
    int64_t max_slot_sum;          /* the largest sum of the EE's slots afterwards */
    job_outcome outcome;           /* what is known of the job afterwards */
} block_start;

/* Makes the times of the successor, and the outcome. False: no execution has this choice. */
bool interval_start_blocks(interval_search *q, block_start *b);

#endif

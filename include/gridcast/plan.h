/* Plans: which SM runs which job of a kernel, with how many workers. A job is what a block of the original kernel
 * does; a worker is a block of the transformed launch. Every plan holds every job exactly once. */
#ifndef GRIDCAST_PLAN_H
#define GRIDCAST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"

GCAST_BEGIN_DECLS

/* How workers find their jobs. */
#define GCAST_MAPPING_TABLE(X)                                                                                         \
    X(PERSISTENT, "persistent", "one queue; workers on any SM take the next job")                                      \
    X(ONE_JOB, "one-job", "a queue per SM; a worker takes one job of its SM and ends")                                 \
    X(SEGMENTS, "segments", "a queue per SM, cut into a segment per worker")                                           \
    X(QUEUES, "queues", "a queue per SM; a worker takes the next job of its SM until there is none")

typedef enum {
#define GCAST_X(id, name, text) GCAST_MAPPING_##id,
    GCAST_MAPPING_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_MAPPINGS
} gcast_mapping;

#define GCAST_PLAN_MAX_SMS 4096
#define GCAST_PLAN_MAX_JOBS 0x7fffffff
#define GCAST_PLAN_MAX_WORKERS 0x7ffff /* per SM: those of all SMs are below 2^31 */

typedef struct gcast_plan {
    gcast_mapping mapping;
    bool steal;        /* of GCAST_MAPPING_QUEUES: a worker whose queue is empty helps other SMs */
    uint32_t grid[3];  /* of the original launch: jobs in x, y and z */
    uint32_t jobs;     /* their product */
    uint32_t sms;      /* SMs of the GPU */
    uint32_t *workers; /* by SM: workers that stay; 0: the SM is not used. Of GCAST_MAPPING_PERSISTENT: all 0 */
    uint32_t queues;   /* 1 for GCAST_MAPPING_PERSISTENT, else sms */
    uint32_t *first;   /* by queue: where its jobs begin in job; first[queues] is jobs */
    uint32_t *job;     /* numbers of jobs, queue after queue; x counts fastest, then y */
} gcast_plan;

/* What data each job uses. */
typedef struct gcast_job_data {
    uint32_t jobs;
    uint32_t *first; /* by job: where its items begin in item; first[jobs] is their count */
    uint32_t *item;  /* numbers of data items, such as cache lines or rows; ascending, each once a job */
} gcast_job_data;

typedef struct gcast_plan_options {
    size_t size; /* of the struct, as the caller was compiled */
    gcast_mapping mapping;
    bool steal;
    uint32_t grid[3];           /* each at least 1 */
    uint32_t sms;               /* SMs of the GPU */
    const uint32_t *sm;         /* the SMs to use, each once; NULL: all */
    uint32_t sm_count;          /* of these */
    uint32_t workers;           /* per SM that gets jobs or may steal some. Of GCAST_MAPPING_ONE_JOB: at most so many
                                 * jobs per SM. Of GCAST_MAPPING_PERSISTENT: must be 0, with sm and weight NULL */
    const double *weight;       /* by entry of sm, or by SM: its part of the jobs; NULL: even */
    const gcast_job_data *data; /* jobs that share data go to one SM, or in the one queue of GCAST_MAPPING_PERSISTENT
                                 * next to each other; NULL: neighbours in number do */
    bool in_turn;               /* jobs are dealt to the SMs one by one, and with GCAST_MAPPING_SEGMENTS to workers, so
                                 * that all go through the grid side by side; data must be NULL */
} gcast_plan_options;

static inline gcast_plan_options gcast_plan_options_default(void)
{
    gcast_plan_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.mapping = GCAST_MAPPING_SEGMENTS;
    return options;
}

/* Even: SM k of n gets the jobs from k * jobs / n on. By weight: its share rounded down or up, by largest remainder. */
GCAST_API gcast_status gcast_plan_make(const gcast_plan_options *options, gcast_plan **out, gcast_error *err);
/* Is every job there exactly once, every queue within the plan, every SM with jobs one with workers? */
GCAST_API gcast_status gcast_plan_check(const gcast_plan *plan, gcast_error *err);
GCAST_API void gcast_plan_free(gcast_plan *plan);

/* A file of format gridcast.plan/1. */
GCAST_API gcast_status gcast_plan_load(const char *path, gcast_plan **out, gcast_error *err);
/* The text of such a file; `file` is its name for errors. */
GCAST_API gcast_status gcast_plan_read(const char *text, size_t size, const char *file, gcast_plan **out,
                                       gcast_error *err);
/* The text of such a file, for the caller to free. A plan that gcast_plan_check refuses is refused here, too. */
GCAST_API gcast_status gcast_plan_write(const gcast_plan *plan, char **out, gcast_error *err);

GCAST_END_DECLS

#endif

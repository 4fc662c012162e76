/* All that a random system leaves open (durations, releases, latencies, orders) as numbers that can be drawn and
 * changed a few at a time: for attacks that are guided. */
#ifndef PROPERTY_CHOICES_H
#define PROPERTY_CHOICES_H

#include "property/quick_run.h"
#include "property/system.h"

#define CHOICES_MAX_OPS 64

/* One way to fix what is open. The arrays have the lengths that `choices` says, and lie in one piece of memory. */
typedef struct choice {
    gcast_durations durations; /* of blocks where a range is left */
    uint64_t seed;             /* of random durations */
    int64_t noise_ns;          /* of the simulation */
    uint64_t noise_seed;       /* of noise */
    int64_t *order;            /* by place: the op that runs once */
    int64_t *tasks;            /* by place: the task */
    int64_t *late_ns;          /* by job: how late it is released */
    int64_t *distance_ns;      /* by job of a sporadic task: what its period is longer before it */
    int64_t *latency_ns;       /* by operation: what its call takes more than it must */
    int64_t *low_ns;           /* by op: the shortest duration */
    int64_t *high_ns;          /* by op: the longest duration */
    int64_t *is_listed;        /* by op: its blocks have the durations of block_ns */
    int64_t *block_ns;         /* by block of all ops */
} choice;

/* What is open, and the last execution. An operation has the number first_operation[op] + job. */
typedef struct choices {
    const random_system *s;
    int64_t horizon_ns;
    int64_t noise_ns;                        /* that blocks may take longer as part of their range */
    size_t first_job[CHOICES_MAX_OPS];       /* by task: its job 0 */
    size_t job_count;                        /* of all tasks */
    size_t first_operation[CHOICES_MAX_OPS]; /* by op: its operation of job 0 */
    size_t operation_count;                  /* of all ops */
    size_t first_block[CHOICES_MAX_OPS];     /* by op: its block 0 in block_ns; SIZE_MAX: it is never listed */
    size_t block_count;                      /* of all ops */
    bool is_fixed;                           /* nothing is open */
    gcast_workload *ordered;                 /* the workload in the order of the last execution; NULL */
    size_t original[CHOICES_MAX_OPS];        /* by op of `ordered`: the op of the system */
    size_t original_task[CHOICES_MAX_OPS];   /* by task of `ordered`: the task of the system */
    choice last;                             /* the last execution; only its order is used */
    quick_run quick;                         /* of `ordered` */
    int64_t *releases, *latencies;           /* by operation of the run */
    gcast_simulate_options options;          /* of the last execution */
} choices;

/* False: the system has what quick runs do not cover. */
bool choices_open(choices *c, const random_system *s, support_random *r);
void choices_close(choices *c);

choice choice_make(const choices *c);
void choice_free(choice *x);
void choice_copy(const choices *c, choice *to, const choice *from);
void choice_draw(const choices *c, choice *x, support_random *r);
/* Changes a few of its values. */
void choice_change(const choices *c, choice *x, support_random *r);

/* Simulates it; the run is c->quick.ops. An order that is not valid becomes that of the system. */
void choices_execute(choices *c, choice *x);

#endif

/* A system that a method has analyzed, and its executions: the observed responses are compared with the bounds, also
 * with those of a search that merges states. */
#ifndef PROPERTY_TRIAL_H
#define PROPERTY_TRIAL_H

#include "property/generate.h"
#include "property/pool_systems.h"

enum { TRIAL_JOBS = 16 }; /* jobs of a task that have a lateness of their own; later jobs repeat them */

/* The smallest and the largest observed response of an op. */
typedef struct observed {
    int64_t best, worst;
} observed;

/* Counts over all systems of a kind. A system is tight where the bound of every op was observed. */
typedef struct tally {
    uint64_t systems, given_up, tight, by_events, by_events_tight, executions, ops, worst_equal, coarse_equal,
        best_equal, observed_sum, bound_sum;
} tally;

typedef struct trial {
    system_spec s;                               /* the system */
    gcast_analysis *a;                           /* its analysis */
    gcast_analysis *coarse;                      /* its analysis by a search that merges states from the start */
    observed observed[SYSTEM_TASKS][SYSTEM_OPS]; /* in all executions */
    observed last[SYSTEM_TASKS][SYSTEM_OPS];     /* in the last execution */
    tally *tally;                                /* where it is counted */
} trial;

/* One execution. */
typedef struct settled {
    int order[SYSTEM_TASKS];                /* in which tasks are called at one time */
    int64_t late[SYSTEM_TASKS][TRIAL_JOBS]; /* by task and job: its lateness, within the jitter */
    int64_t apart[SYSTEM_TASKS]
                 [TRIAL_JOBS]; /* by sporadic task and job: how much later than a period after the job before */
    bool by_block;             /* durations are those in `extra`, for all jobs; else see `durations` */
    system_extra extra;        /* by block: its duration above the minimum */
    gcast_durations durations; /* as in gcast_simulate_options */
    uint64_t seed;             /* of random durations and noise */
} settled;

void trial_analyze(trial *t, uint64_t max_states);
void trial_execute(trial *t, const settled *e);
/* Are all observed responses within the bounds? Counts the bounds that were observed. */
bool trial_holds(trial *t);
void trial_show(const trial *t);
void trial_free(trial *t);

settled settled_plain(void);
void settled_draw(settled *e, const system_spec *s, support_random *r);
/* Draws some of it anew. */
void settled_change(settled *e, const system_spec *s, support_random *r);

/* Makes the system of a seed and compares it with some executions, or, if it is small, with all. */
typedef bool trial_fn(trial *t, uint64_t seed, const system_kind *kind);
trial_fn trial_random, trial_all;
/* Checks the systems of `runs` seeds; fails at the first that does not hold. */
void trial_each(trial_fn *check, uint64_t runs, const char *title, const system_kind *kinds, size_t kind_count);
/* Checks the system of `PROGRAM all SEED` or `PROGRAM drawn SEED`, and shows it. */
bool trial_of_arguments(char **argv, const system_kind *small, size_t small_count, const system_kind *kinds,
                        size_t kind_count);
uint64_t trial_runs(void); /* GRIDCAST_PROPERTY_RUNS, or 300 */

void tally_print(const tally *t, const char *title, size_t kind);

#endif

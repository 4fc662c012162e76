/* The forms of a launch that are compared: the original, and transformed with a plan; and what was seen of each. */
#ifndef CLI_MEASURE_LAUNCHES_LAUNCH_FORMS_H
#define CLI_MEASURE_LAUNCHES_LAUNCH_FORMS_H

#include "base/text/text.h"
#include "cli/measure/launches/launches.h"

#define MAX_FORMS 8
#define MAX_SPANS 101 /* runs of which it is kept */

typedef struct form {
    const char *name;                  /* for the table */
    gcast_plan *plan;                  /* NULL: the original */
    uint32_t in_a_row;                 /* launches in a round */
    double round[LAUNCHES_MAX_ROUNDS]; /* mean time of a launch, by round */
    double ns;                         /* their median */
    uint64_t missing_when_timed; /* jobs that did not run in launches that were timed, where nothing is repaired */
    bool is_same;                /* results are those of the original, bit by bit */
    /* of the runs that were looked at one by one */
    uint32_t runs;                     /* how many */
    uint32_t runs_short;               /* in which an SM got fewer workers than planned */
    uint32_t runs_repaired;            /* in which jobs were missing, and were run by another launch */
    uint64_t jobs_repaired;            /* of all of these */
    uint32_t runs_as_planned;          /* in which exactly the planned workers did jobs, on the planned SMs only */
    uint32_t min_jobs, max_jobs;       /* per used SM */
    uint32_t min_workers, max_workers; /* that did jobs, per used SM */
    double predicted_ns;               /* of later runs, from how long jobs took in the first; 0: not known */
    double span_ns[MAX_SPANS];         /* of later runs: from the first job's begin to the last one's end */
    size_t spans;                      /* of these */
} form;

typedef struct forms {
    form at[MAX_FORMS]; /* the original is the first */
    size_t count;       /* of these */
    bool owns_plans;    /* they are freed with it */
} forms;

/* What became of a run. `records` NULL: it kept none. False without memory. */
bool form_add_run(form *x, const gcast_smc_outcome *outcome, const gcast_smc_record *records);
void forms_table(forms *f, const launches *l, uint32_t held, text *out);
/* gridcast.smc-measure/1 */
void forms_json(forms *f, const launches *l, uint32_t held, text *out);
void forms_free(forms *f);

#endif

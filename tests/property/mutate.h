/* Runs that break one rule, for the checker to find. */
#ifndef PROPERTY_MUTATE_H
#define PROPERTY_MUTATE_H

#include "property/generate.h"
#include "property/oracle.h"

/* A run of the oracle as the checker takes it, to be spoilt. */
typedef struct specimen {
    gcast_run run;        /* the run */
    gcast_run_op *ops;    /* run.ops */
    gcast_block **blocks; /* ops[i].blocks */
    arena memory;         /* holds all of it */
} specimen;

void specimen_take(specimen *s, const generated *g, const oracle_result *r);
void specimen_free(specimen *s);

typedef struct mutation {
    const char *name; /* of the broken invariant, and how */
    /* Changes the run so that a rule is certainly broken; false where the run offers no place for it. */
    bool (*spoil)(specimen *s);
} mutation;

/* mutate_jobs.c: of the operation i, which may have a plan. */
bool mutate_job_elsewhere(specimen *s, size_t i);
bool mutate_swapped_jobs(specimen *s, size_t i);
bool mutate_one_worker_more(specimen *s, size_t i);
bool mutate_paused_segment(specimen *s, size_t i);
bool mutate_wrong_workers(specimen *s, size_t i);
bool mutate_repaired_for_nothing(specimen *s, size_t i);

extern const mutation mutations[];
extern const size_t mutation_count;

#endif

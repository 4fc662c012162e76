/* A run with one thing wrong, for the checker to find. */
#ifndef PROPERTY_MUTATE_H
#define PROPERTY_MUTATE_H

#include "property/generate.h"
#include "property/oracle.h"

/* A run of the oracle as the checker takes it, to be spoilt. */
typedef struct specimen {
    gcast_run run;
    gcast_run_op *ops;    /* run.ops */
    gcast_block **blocks; /* ops[i].blocks */
    arena memory;
} specimen;

void specimen_take(specimen *s, const generated *g, const oracle_result *r);
void specimen_free(specimen *s);

typedef struct mutation {
    const char *name;
    /* Spoils one thing so that a rule is certainly broken; false where this run has no place for it. */
    bool (*spoil)(specimen *s);
} mutation;

extern const mutation mutations[];
extern const size_t mutation_count;

#endif

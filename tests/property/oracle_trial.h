/* A random workload, what the oracle and the simulator make of it, and where they differ. */
#ifndef PROPERTY_ORACLE_TRIAL_H
#define PROPERTY_ORACLE_TRIAL_H

#include "property/compare.h"

typedef struct oracle_trial {
    uint64_t seed;         /* of the workload */
    generated g;           /* the workload, its GPU and options */
    oracle_result oracle;  /* what the oracle says */
    gcast_run *run;        /* the last run of the simulator; NULL */
    bool no_memory;        /* a malloc asks for more than there is */
    char difference[1024]; /* the first one; "": none */
} oracle_trial;

/* Does the simulator, which records all blocks or none, say the same as the oracle, and does the checker agree? */
bool oracle_trial_alike(oracle_trial *t, bool record_blocks);
/* The same where only the blocks of some part of the time are recorded. */
bool oracle_trial_window(oracle_trial *t);
void oracle_trial_free(oracle_trial *t);

#endif

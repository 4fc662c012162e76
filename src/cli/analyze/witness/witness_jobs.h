/* The jobs of a witness. Its operations run once, with labels LABEL#JOB: this finds the tasks that they are of. */
#ifndef CLI_ANALYZE_WITNESS_WITNESS_JOBS_H
#define CLI_ANALYZE_WITNESS_WITNESS_JOBS_H

#include "base/vec.h"
#include "gridcast/report.h"

#define NO_JOB SIZE_MAX

typedef struct witness_jobs {
    VEC(gcast_report_job) jobs; /* those with a deadline, and those without as long as it is 0 */
    size_t *job_of;             /* by op of the witness: index in jobs; NO_JOB: it is of no task */
} witness_jobs;

/* `w` is what was analyzed, and `run` the simulation of its witness. False without memory. */
bool witness_jobs_make(witness_jobs *j, const gcast_workload *w, const gcast_run *run);
void witness_jobs_free(witness_jobs *j);

#endif

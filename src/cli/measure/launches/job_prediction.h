/* When a launch with a plan would be complete, by the model and by how long its jobs took. */
#ifndef CLI_MEASURE_LAUNCHES_JOB_PREDICTION_H
#define CLI_MEASURE_LAUNCHES_JOB_PREDICTION_H

#include "cli/measure/launches/launches.h"

/* How long the job of a record took: 1 ns at least. */
int64_t record_job_ns(const gcast_smc_record *record);

/* Simulates launch i with the plan, each job as long as in `records`, which has an entry per job. *ns is from the start
 * of its first worker to the end of its last. Records are without gaps between jobs, so the overhead of a job is in its
 * duration. Errors are printed. */
gcast_status predict_from_records(const launches *l, uint32_t i, const gcast_plan *plan,
                                  const gcast_smc_record *records, double *ns);

#endif

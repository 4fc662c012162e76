/* Orders the jobs of a plan so that jobs that share data are in one cluster. */
#ifndef MODEL_PLAN_AFFINITY_H
#define MODEL_PLAN_AFFINITY_H

#include "gridcast/plan.h"

/* Orders all jobs so that clusters of the given sizes, which sum up to the jobs, follow each other. The pairs of
 * related jobs within clusters score at least as much in all as with clusters in the order of job numbers, counting the
 * pairs that item_index_find finds. */
gcast_status affinity_order(const gcast_job_data *data, const uint32_t *size, uint32_t clusters, uint32_t *order,
                            gcast_error *err);

/* A file of format gridcast.job-data/1. */
gcast_status gcast_job_data_load(const char *path, gcast_job_data **out, gcast_error *err);

gcast_status gcast_job_data_read(const char *text, size_t size, const char *file, gcast_job_data **out,
                                 gcast_error *err);

void gcast_job_data_free(gcast_job_data *data);

/* |A and B| / |A or B| of what two jobs use; 0 where neither uses anything. */
double gcast_job_data_affinity(const gcast_job_data *data, uint32_t a, uint32_t b);

#endif

/* Jobs in an order in which those that share data are in one cluster. */
#ifndef MODEL_PLAN_AFFINITY_AFFINITY_H
#define MODEL_PLAN_AFFINITY_AFFINITY_H

#include "gridcast/plan.h"

/* Orders all jobs so that clusters of the given sizes, which sum up to the jobs, follow each other. The scores of the
 * pairs of related jobs within clusters sum up to at least what clusters in the order of numbers have; counted are the
 * pairs that item_index_find finds. */
gcast_status affinity_order(const gcast_job_data *data, const uint32_t *size, uint32_t clusters, uint32_t *order,
                            gcast_error *err);

#endif

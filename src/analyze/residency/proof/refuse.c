#include "analyze/residency/proof/refuse.h"

#include "model/workload/attributes/attributes.h"
#include "model/workload/policy.h"

gcast_status refuse_uncovered(const gcast_workload *w, gcast_error *err)
{
    gcast_status status = policy_refuse(w, "residency knows only kernels that the GPU schedules alone", err);
    if (status != GCAST_OK)
        return status;
    if (w->task_count)
        return gcast_error_set(err, GCAST_INPUT, "/tasks", "residency covers ops that run once, not tasks");
    int process = -1; /* of the ops so far */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        int its = op->stream < 0 ? process : w->streams[op->stream].process;
        if (process >= 0 && its != process)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "several processes share the GPU by time slices, which residency does not cover");
        process = its;
        if (op->kind == GCAST_KIND_KERNEL && attributes_cluster(op) > 1)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has clusters, which residency does not cover",
                                   op->label);
        if (op->stream >= 0 && w->streams[op->stream].id == 0)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "%.100s is in the NULL stream, which residency does not cover", op->label);
    }
    return GCAST_OK;
}

#include "simulate/check/broken.h"

#include "simulate/run_ops.h"

gcast_status check_broken(const gcast_run *run, size_t i, const char *name, const char *problem, gcast_error *err)
{
    char path[128];
    gcast_workload_op_path(run->workload, run->ops[i].op, path, sizeof path);
    return gcast_error_set(err, GCAST_INTERNAL, path, "the run breaks %s: %s (job %u): %s", name,
                           run_spec(run, i)->label, run->ops[i].job, problem);
}

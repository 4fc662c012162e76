/* gcast_gpu_exec: one launch of the caller's own PTX on the GPU. */
#include "base/api/argument_missing.h"
#include "base/api/launch_given.h"
#include "base/api/options_copy.h"
#include "measure/times/gpu_run.h"

gcast_status gcast_gpu_exec(const char *ptx, gcast_launch *launch, const gcast_gpu_exec_options *given,
                            gcast_error *err)
{
    if (!ptx || !launch || !launch->kernel)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    const gcast_gpu_exec_options *options = &own;
    gpu_run g;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err);
    if (status == GCAST_OK)
        status = launch_given(launch, err);
    if (status != GCAST_OK)
        return status;
    status = gpu_run_open(&g, ptx, launch->buffers, options->library, err);
    g.options = options;
    g.fraction = -1;
    if (status == GCAST_OK)
        status = gpu_run_find(&g, launch, err);
    if (status == GCAST_OK)
        status = gpu_run_send(&g, launch, err);
    if (status == GCAST_OK)
        status = gpu_run_launch(&g, launch, options->limit_ns, err);
    if (status == GCAST_OK)
        status = gpu_run_fetch(&g, launch, err);
    gpu_run_close(&g);
    return status;
}

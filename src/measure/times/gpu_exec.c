/* gcast_gpu_exec: one launch of the caller's own PTX, from the driver's compiler to
 * the buffers that come back. */
#include "measure/times/gpu_run.h"

gcast_gpu_exec_options gcast_gpu_exec_options_default(void)
{
    return (gcast_gpu_exec_options){.library = "libcuda.so.1", .limit_ns = GPU_RUN_LIMIT_NS};
}

gcast_status gcast_gpu_exec(const char *ptx, gcast_launch *launch, const gcast_gpu_exec_options *options,
                            gcast_error *err)
{
    gcast_gpu_exec_options defaults = gcast_gpu_exec_options_default();
    gpu_run g;
    if (!options)
        options = &defaults;
    gcast_status status = gpu_run_open(&g, ptx, launch->buffers, options->library, err);
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

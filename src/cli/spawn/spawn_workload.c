#include "cli/spawn/spawn_workload.h"

#include <stdlib.h>

#include "cli/output/output.h"
#include "cli/run/workload_args.h"

#define PAPER_GPU "gk110-sim"

gcast_status spawn_gpu_open(spawn_request *r)
{
    const char *name = args_value(r->a, "gpu");
    gcast_error err;
    int64_t sms = 0;
    gcast_status status = args_int(r->a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    if (gcast_gpu_load(name ? name : PAPER_GPU, &r->gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (sms > r->gpu->sms)
        return say(GCAST_USAGE, "--sms %lld: %s has %d SMs", (long long)sms, r->gpu->name, r->gpu->sms);
    return !sms || gcast_gpu_partition(r->gpu, (int)sms, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status read_costs(const char *path, const char *app, gcast_app_costs *costs)
{
    gcast_error err;
    char *bytes;
    size_t size;
    gcast_status status = gcast_file_read(path, &bytes, &size, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    status = gcast_app_costs_read(bytes, size, path, app, costs, &err);
    free(bytes);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status spawn_app_open(const spawn_request *r, const char *name, gcast_workload **w)
{
    gcast_app_options options = r->app;
    const char *costs = args_value(r->a, "costs");
    gcast_error err;
    *w = NULL;
    gcast_status status = costs ? read_costs(costs, name, &options.costs) : GCAST_OK;
    if (status != GCAST_OK || gcast_app_workload(name, args_value(r->a, "input"), &options, w, &err) == GCAST_OK)
        return status;
    return err.code == GCAST_USAGE ? say(GCAST_USAGE, "--app %s: %s", name, err.message) : say_error(&err);
}

gcast_status spawn_workload_open(spawn_request *r, gcast_workload **w)
{
    const char *app = args_value(r->a, "app");
    *w = NULL;
    if (!app)
        return workload_from_args(r->a, r->a->operands[0], w, &r->gpu);
    gcast_status status = spawn_gpu_open(r);
    return status == GCAST_OK ? spawn_app_open(r, app, w) : status;
}

gcast_status spawn_workload_save(const spawn_request *r, gcast_workload *w)
{
    gcast_gpu *gpu;
    gcast_error err;
    char *bytes = NULL;
    size_t size;
    if (gcast_gpu_copy(r->gpu, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    gcast_workload_set_gpu(w, gpu);
    if (gcast_workload_write_native(w, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(args_value(r->a, "save"), args_has(r->a, "force"), bytes, size);
    free(bytes);
    return status;
}

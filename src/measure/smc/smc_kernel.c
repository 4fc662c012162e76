/* gcast_smc_open and the calls that follow it: SM-centric kernels in a program of the caller's. */
#include <stdlib.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "measure/smc/launch_end.h"
#include "measure/smc/on_gpu.h"
#include "model/plan/plan.h"

struct gcast_smc_kernel {
    driver d;                             /* the calls */
    smc_on_gpu gpu;                       /* the kernel there */
    gcast_plan *plan;                     /* the one in use; NULL: none yet */
    gcast_smc_launch_arguments arguments; /* of the launch under way */
    uint32_t launched;                    /* workers of it; 0: none is under way */
    uint32_t sms;                         /* of the GPU */
};

static gcast_status count_sms(gcast_smc_kernel *k, gcast_error *err)
{
    CUdevice device;
    int sms = 0;
    gcast_status status = DRIVER_CALL(&k->d, err, cuCtxGetDevice, &device);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&k->d, err, cuDeviceGetAttribute, &sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    k->sms = (uint32_t)sms;
    return status;
}

gcast_status gcast_smc_open(CUmodule module, const char *kernel, const gcast_smc_gpu_options *given,
                            gcast_smc_kernel **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!module || !kernel || !out)
        return argument_missing(err);
    gcast_smc_gpu_options o = gcast_smc_gpu_options_default();
    gcast_status status = options_copy(&o, sizeof o, given, "gcast_smc_gpu_options", err);
    if (status != GCAST_OK)
        return status;
    gcast_smc_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return gcast_error_set_memory(err);
    status = driver_open(&k->d, o.library, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_open(&k->gpu, &k->d, module, kernel, err);
    if (status == GCAST_OK)
        status = count_sms(k, err);
    if (status == GCAST_OK)
        *out = k;
    else
        gcast_smc_close(k);
    return status;
}

void gcast_smc_close(gcast_smc_kernel *k)
{
    if (!k)
        return;
    smc_on_gpu_close(&k->gpu);
    driver_close(&k->d);
    gcast_plan_free(k->plan);
    free(k);
}

gcast_status gcast_smc_set_plan(gcast_smc_kernel *k, const gcast_plan *plan, gcast_error *err)
{
    if (!k || !plan)
        return argument_missing(err);
    gcast_plan *copy = NULL;
    if (k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch is under way: gcast_smc_finish comes first");
    gcast_status status = gcast_plan_check(plan, err);
    if (status == GCAST_OK && plan->sms != k->sms)
        status =
            gcast_error_set(err, GCAST_INPUT, "/sms", "the plan is for %u SMs, and this GPU has %u", plan->sms, k->sms);
    if (status == GCAST_OK && !(copy = plan_copy(plan)))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = smc_on_gpu_plan(&k->gpu, copy, NULL, err);
    if (status != GCAST_OK) {
        gcast_plan_free(copy);
        return status;
    }
    gcast_plan_free(k->plan);
    k->plan = copy;
    return GCAST_OK;
}

gcast_status gcast_smc_launch(gcast_smc_kernel *k, const gcast_smc_launch_arguments *a, gcast_error *err)
{
    if (!k || !a)
        return argument_missing(err);
    uint32_t held = 0;
    if (!k->gpu.plan)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no plan: gcast_smc_set_plan comes first");
    if (k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch is under way: gcast_smc_finish comes first");
    gcast_status status = smc_on_gpu_holds(&k->gpu, a->block, a->shared_bytes, &held, err);
    if (status == GCAST_OK && a->fill > GCAST_PLAN_MAX_WORKERS)
        status = gcast_error_set(err, GCAST_USAGE, "/fill", "an SM never holds %u workers", a->fill);
    if (status == GCAST_OK)
        status = smc_on_gpu_clear(&k->gpu, a->stream, err);
    uint32_t workers = (a->fill ? a->fill : held) * k->sms;
    if (status == GCAST_OK)
        status = smc_on_gpu_launch(&k->gpu, workers, a, err);
    if (status == GCAST_OK) {
        k->arguments = *a;
        k->launched = workers;
    }
    return status;
}

gcast_status gcast_smc_finish(gcast_smc_kernel *k, gcast_smc_outcome *outcome, gcast_error *err)
{
    if (!k)
        return argument_missing(err);
    if (outcome)
        *outcome = (gcast_smc_outcome){0};
    if (!k->launched)
        return gcast_error_set(err, GCAST_USAGE, NULL, "no launch is under way");
    uint32_t launched = k->launched;
    k->launched = 0;
    gcast_smc_outcome own;
    gcast_status status = smc_finish(&k->gpu, launched, &k->arguments, &own, err);
    if (outcome)
        *outcome = own;
    else
        gcast_smc_coverage_free(own.coverage);
    return status;
}

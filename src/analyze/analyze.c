/* gcast_workload_analyze: checks workload and GPU, and calls a method. So does added_method_analyze. */
#include "analyze/added_method.h"
#include "analyze/bound/bound.h"
#include "analyze/call_latency.h"
#include "analyze/exact/exact.h"
#include "base/api.h"
#include "base/clock.h"
#include "model/workload/attributes.h"
#include "model/workload/barriers.h"
#include "model/workload/workload.h"
#include "simulate/launchable.h"

typedef gcast_status method_fn(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                               const gcast_analyze_options *options, gcast_error *err);

static method_fn *const methods[GCAST_METHODS] = {
    [GCAST_METHOD_EXACT] = analyze_exact,
    [GCAST_METHOD_BOUND] = analyze_bound,
    [GCAST_METHOD_EXPLORE] = analyze_explore,
};

/* Ops of tasks whose first release is at the horizon or later are never called, whatever the method found. */
static gcast_status mark_unreleased(owned_analysis *o, const gcast_workload *w, const gcast_analyze_options *options,
                                    gcast_error *err)
{
    for (size_t i = 0; options->horizon_ns && o->a.complete && i < o->a.response_count; i++) {
        gcast_response *r = &o->responses[i];
        int task = w->ops[r->op].task;
        if (task == GCAST_ONCE || r->never_called || w->tasks[task].offset_ns < options->horizon_ns)
            continue;
        if (!analysis_never_called(o, w, r))
            return gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

static gcast_status run_method(const gcast_workload *w, gcast_gpu *gpu, gcast_analyze_options *options,
                               owned_analysis *o, gcast_error *err)
{
    gcast_status status = gcast_gpu_check(gpu, err);
    if (status == GCAST_OK && w->partition_sms)
        status = gcast_gpu_partition(gpu, w->partition_sms, err);
    if (status == GCAST_OK)
        status = gcast_workload_check(w, err);
    if (status == GCAST_OK)
        status = attributes_refuse_special(w, "gridcast can simulate such kernels, but not analyze them", err);
    if (status == GCAST_OK)
        status = launchable_check(w, gpu, err);
    if (status == GCAST_OK)
        status = barriers_check(w, &o->hosts_may_wait, err);
    if (status == GCAST_OK)
        status = call_latency_settle(&o->a, w, gpu, options, err);
    if (status == GCAST_OK)
        status = o->by ? o->by->analyze(o->by->data, o, w, gpu, options, err)
                       : methods[o->a.method](o, w, gpu, options, err);
    if (status == GCAST_OK)
        status = mark_unreleased(o, w, options, err);
    if (status == GCAST_OK && o->a.complete && workload_blocking_unknown(w) &&
        !analysis_assume(o, "streams that the workload does not call blocking do not synchronize with the NULL stream"))
        status = gcast_error_set_memory(err);
    return status == GCAST_OK && o->no_memory ? gcast_error_set_memory(err) : status;
}

/* `by` NULL: by a method of the library. */
static gcast_status analyze(const gcast_workload *w, const gcast_gpu *gpu, gcast_method method, const added_method *by,
                            const gcast_analyze_options *given, gcast_analysis **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    gcast_analyze_options own = gcast_analyze_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_analyze_options", err);
    if (status != GCAST_OK)
        return status;
    if (!by && (unsigned)method >= GCAST_METHODS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no method number %d", (int)method);
    if (own.horizon_ns < 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the horizon is below 0");
    if (!gpu)
        gpu = w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    gcast_gpu *copy;
    int64_t start_ns = clock_thread_ns();
    owned_analysis *o = gcast_gpu_copy(gpu, &copy, err) == GCAST_OK ? analysis_create(w, method) : NULL;
    if (o)
        o->by = by;
    status = o ? run_method(w, copy, &own, o, err) : gcast_error_set_memory(err);
    gcast_gpu_free(copy);
    if (o)
        o->spent_ns = clock_thread_ns() - start_ns;
    if (status == GCAST_OK)
        *out = &o->a;
    else
        gcast_analysis_free(o ? &o->a : NULL);
    return status;
}

gcast_status gcast_workload_analyze(const gcast_workload *w, const gcast_gpu *gpu, gcast_method method,
                                    const gcast_analyze_options *given, gcast_analysis **out, gcast_error *err)
{
    return analyze(w, gpu, method, NULL, given, out, err);
}

gcast_status added_method_analyze(const added_method *m, const gcast_workload *w, const gcast_gpu *gpu,
                                  const gcast_analyze_options *given, gcast_analysis **out, gcast_error *err)
{
    return analyze(w, gpu, GCAST_METHODS, m, given, out, err);
}

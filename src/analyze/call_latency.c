/* The latency of calls is what the caller gives, else what was measured on the GPU, else its usual number. */
#include "analyze/call_latency.h"

#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

/* The quantile that the maximum stands for: the first measured one that is at least as rare as asked for. */
static int64_t covered_one_in(const gcast_latency *l, int64_t one_in)
{
    for (int i = 0; one_in > 0 && i < l->count; i++)
        if (l->quantile[i].one_in >= one_in)
            return l->quantile[i].one_in;
    return 0;
}

static gcast_call_latency settle(const gcast_latency *measured, int64_t usual_ns, int64_t min_ns, int64_t max_ns,
                                 int64_t one_in)
{
    gcast_call_latency c = {.min_ns = usual_ns, .max_ns = usual_ns};
    if (measured->samples) {
        c.source = GCAST_LATENCY_MEASURED;
        c.min_ns = min_i64(measured->min_ns, usual_ns);
        c.max_ns = gcast_latency_longest_ns(measured, one_in);
        c.one_in = covered_one_in(measured, one_in);
        c.samples = measured->samples;
    }
    if (max_ns >= 0)
        c = (gcast_call_latency){.source = GCAST_LATENCY_GIVEN, .min_ns = c.min_ns, .max_ns = max_ns};
    if (min_ns >= 0)
        c.min_ns = min_ns;
    c.min_ns = min_i64(c.min_ns, c.max_ns);
    return c;
}

void call_latency_find(const gcast_gpu *gpu, const gcast_analyze_options *o, gcast_call_latency *launch,
                       gcast_call_latency *copy)
{
    *launch = settle(&gpu->launch_quantiles, gpu->launch_latency_ns, o->launch_min_ns, o->launch_max_ns, o->quantile);
    *copy = settle(&gpu->copy_quantiles, gpu->copy_latency_ns, o->copy_min_ns, o->copy_max_ns, o->quantile);
}

/* Is the given maximum below the least latency of the GPU? Who means that gives a minimum, too. */
static bool is_below_least(const gcast_latency *measured, int64_t usual_ns, int64_t min_ns, int64_t max_ns)
{
    int64_t least_ns = measured->samples ? min_i64(measured->min_ns, usual_ns) : usual_ns;
    return max_ns >= 0 && min_ns < 0 && max_ns < least_ns;
}

gcast_status call_latency_check(const gcast_gpu *gpu, const gcast_analyze_options *o, bool launches, bool copies,
                                gcast_error *err)
{
    launches =
        launches && is_below_least(&gpu->launch_quantiles, gpu->launch_latency_ns, o->launch_min_ns, o->launch_max_ns);
    copies = copies && is_below_least(&gpu->copy_quantiles, gpu->copy_latency_ns, o->copy_min_ns, o->copy_max_ns);
    if (!launches && !copies)
        return GCAST_OK;
    return gcast_error_set(
        err, GCAST_USAGE, NULL,
        "calls of %s take longer on %.100s than the given latency; if they may be faster, give a range MIN..MAX",
        launches ? "kernels" : "copies", gpu->name);
}

gcast_status call_latency_settle(gcast_analysis *a, const gcast_workload *w, gcast_gpu *gpu, gcast_analyze_options *o,
                                 gcast_error *err)
{
    if (max_i64(o->launch_max_ns, o->copy_max_ns) > LATENCY_MAX_NS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a call may take a day at most to reach the GPU");
    call_latency_find(gpu, o, &a->launch, &a->copy);
    int64_t launch_extra_ns = 0, copy_extra_ns = 0; /* largest of all ops */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        bool is_kernel = op->kind == GCAST_KIND_KERNEL;
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        *(is_kernel ? &a->launch.used : &a->copy.used) = true;
        *(is_kernel ? &launch_extra_ns : &copy_extra_ns) =
            max_i64(is_kernel ? launch_extra_ns : copy_extra_ns, op->extra_latency_ns);
    }
    gcast_status status = call_latency_check(gpu, o, a->launch.used, a->copy.used, err);
    if (status != GCAST_OK)
        return status;
    a->launch.max_ns += launch_extra_ns;
    a->copy.max_ns += copy_extra_ns;
    gpu->launch_latency_ns = a->launch.min_ns;
    gpu->copy_latency_ns = a->copy.min_ns;
    o->launch_max_ns = a->launch.max_ns;
    o->copy_max_ns = a->copy.max_ns;
    return GCAST_OK;
}

static bool is_range(const gcast_call_latency *c)
{
    return c->used && c->min_ns < c->max_ns;
}

bool call_latency_is_range(const gcast_analysis *a)
{
    return is_range(&a->launch) || is_range(&a->copy);
}

const char *call_latency_why_not(const gcast_analysis *a)
{
    if (is_range(&a->launch))
        return "the launch latency is a range; this method needs one number";
    if (is_range(&a->copy))
        return "the latency of copies is a range; this method needs one number";
    return NULL;
}

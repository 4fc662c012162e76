#include "cli/analyze/hangs.h"

#include <stdio.h>

#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/residency.h"

gcast_status residency_check_args(const args *a)
{
    static const char *const others[] = {"method",   "any-order",   "horizon", "trace",      "period", "output",
                                         "quantile", "sensitivity", "order",   "priorities", "what-if"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (args_has(a, others[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --residency", others[i]);
    return GCAST_OK;
}

/* Returns the exit status, and says on which condition no schedule hangs. */
static gcast_status status_of(const gcast_residency *r)
{
    size_t count = 0;
    if (gcast_residency_verdict(r) == GCAST_HANG_SAFE)
        return GCAST_OK;
    if (gcast_residency_verdict(r) != GCAST_HANG_SAFE_IF)
        return GCAST_NO;
    while (gcast_residency_condition(r, count))
        count++;
    if (count > 1)
        return say(GCAST_CONDITION, "no schedule hangs, on the condition that %s, and %zu more conditions",
                   gcast_residency_condition(r, 0), count - 1);
    return say(GCAST_CONDITION, "no schedule hangs, on the condition that %s", gcast_residency_condition(r, 0));
}

static gcast_status print_answer(const gcast_residency *r, bool json)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    status = gcast_residency_report(r, json ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE, output_write, &out, &err);
    return output_finish(&out, status, &err);
}

gcast_status residency_tell(const args *a, const gcast_workload *w, const gcast_gpu *gpu)
{
    gcast_error err;
    gcast_residency *r;
    gcast_status status = gcast_workload_find_hangs(w, gpu, &r, &err);
    if (status != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", w->source);
        return say_error(&err);
    }
    status = print_answer(r, args_has(a, "json"));
    if (status == GCAST_OK && gcast_residency_witness(r) && args_value(a, "witness"))
        status = output_workload(args_value(a, "witness"), args_has(a, "force"), gcast_residency_witness(r));
    if (status == GCAST_OK)
        status = status_of(r);
    gcast_residency_free(r);
    return status;
}

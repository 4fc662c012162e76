#include "cli/carveouts.h"

#include <stdio.h>

#include "base/units.h"
#include "cli/races.h"
#include "gridcast/verify.h"
#include "model/run.h"
#include "model/workload_edit.h"

/* Could it matter? Not where the workload says what its kernels have, nor where all are as measure launches them. */
static bool open_question(const gcast_run *run, const gcast_simulate_options *options)
{
    const gcast_workload *w = run->workload;
    bool unsaid = false;
    if (options->as_measured || run->gpu->limits.carveouts < 2)
        return false;
    for (size_t i = 0; i < w->op_count; i++)
        unsaid = unsaid || (w->ops[i].kind == GCAST_KIND_KERNEL && !w->ops[i].carveout_said);
    return unsaid && races_quick(run);
}

static gcast_workload *with_defaults(const gcast_workload *w, gcast_error *err)
{
    gcast_workload *copy = gcast_workload_copy(w, err);
    for (size_t i = 0; copy && i < copy->op_count; i++) {
        if (copy->ops[i].kind != GCAST_KIND_KERNEL || copy->ops[i].carveout_said)
            continue;
        gcast_op op = copy->ops[i];
        op.carveout = GCAST_OP_CARVEOUT_DRIVER;
        workload_put_op(copy, i, &op);
    }
    return copy;
}

static bool note(gcast_run *run, const gcast_run *other, const gcast_agreement *a)
{
    const gcast_run_op *r = &run->ops[a->worst_op];
    const gcast_op *op = &run->workload->ops[r->op];
    char text[400], job[24] = "", here[40], there[40];
    if (op->task != GCAST_ONCE)
        snprintf(job, sizeof job, "#%u", r->job);
    units_format_time(r->end_ns, here, sizeof here);
    units_format_time(other->ops[a->worst_op].end_ns, there, sizeof there);
    snprintf(text, sizeof text,
             "with CUDA's default carveouts %.200s%s would end at %s, not %s: \"carveout\" says which it is", op->label,
             job, there, here);
    return run_add_note(run, text);
}

gcast_status carveouts_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    gcast_error err;
    gcast_run *other = NULL;
    gcast_simulate_options again = *options;
    again.record_blocks = false;
    if (!open_question(run, options))
        return GCAST_OK;
    gcast_workload *w = with_defaults(run->workload, &err);
    if (!w)
        return say_error(&err);
    gcast_status status = gcast_simulate(w, gpu, &again, &other, &err);
    if (status == GCAST_OK) {
        gcast_agreement a = gcast_compare_runs(other, run);
        status = a.agree || note(run, other, &a) ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    } else if (status == GCAST_INPUT) { /* later ends may be too late to count */
        char text[400];
        snprintf(text, sizeof text, "with CUDA's default carveouts: %.300s", err.message);
        status = run_add_note(run, text) ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    } else {
        status = say_error(&err);
    }
    gcast_run_free(other);
    gcast_workload_free(w);
    return status;
}

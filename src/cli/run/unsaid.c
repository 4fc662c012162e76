#include "cli/run/unsaid.h"

#include <stdio.h>

#include "base/text/units.h"
#include "cli/run/timing_races.h"
#include "gridcast/verify.h"
#include "model/run/run.h"
#include "model/workload/edit.h"

/* Something that a workload may leave open. */
typedef struct question {
    bool (*open)(const gcast_run *run);      /* could it matter here? */
    void (*otherwise)(gcast_workload *copy); /* the other way than it is taken */
    const char *with;                        /* how that is, in words */
    const char *says;                        /* what of the file would say it */
} question;

static bool silent_kernel(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && !op->carveout_said;
}

static bool carveouts_open(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    for (size_t i = 0; i < w->op_count && run->gpu->limits.carveouts > 1; i++)
        if (silent_kernel(&w->ops[i]))
            return true;
    return false;
}

static void default_carveouts(gcast_workload *copy)
{
    for (size_t i = 0; i < copy->op_count; i++) {
        if (!silent_kernel(&copy->ops[i]))
            continue;
        gcast_op op = copy->ops[i];
        op.carveout = GCAST_OP_CARVEOUT_DRIVER;
        workload_put_op(copy, i, &op);
    }
}

static bool streams_open(const gcast_run *run)
{
    return workload_null_open(run->workload);
}

static void blocking_streams(gcast_workload *copy)
{
    for (size_t i = 0; i < copy->stream_count; i++)
        if (!copy->streams[i].blocking_said)
            workload_set_blocking(copy, i, true);
}

static const question questions[] = {
    {carveouts_open, default_carveouts, "with CUDA's default carveouts", "\"carveout\" says which it is"},
    {streams_open, blocking_streams,
     "with streams of cudaStreamCreate, which wait for the NULL stream and it for them,",
     "\"blocking\" of \"streams\" says which they are"},
};

static bool note(gcast_run *run, const gcast_run *other, const gcast_agreement *a, const question *q)
{
    const gcast_run_op *r = &run->ops[a->worst_op];
    const gcast_op *op = &run->workload->ops[r->op];
    char text[500], job[24] = "", here[40], there[40];
    if (op->task != GCAST_ONCE)
        snprintf(job, sizeof job, "#%u", r->job);
    units_format_time(r->end_ns, here, sizeof here);
    units_format_time(other->ops[a->worst_op].end_ns, there, sizeof there);
    snprintf(text, sizeof text, "%s %.200s%s would end at %s, not %s: %s", q->with, op->label, job, there, here,
             q->says);
    return run_add_note(run, text);
}

static gcast_status ask(const question *q, const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    gcast_error err;
    gcast_run *other = NULL;
    gcast_workload *w;
    if (gcast_workload_copy(run->workload, &w, &err) != GCAST_OK)
        return say_error(&err);
    q->otherwise(w);
    gcast_status status = gcast_workload_simulate(w, gpu, options, &other, &err);
    if (status == GCAST_OK) {
        gcast_agreement a = gcast_run_compare(other, run);
        bool alike = a.error_ns <= run->end_ns / 100; /* of a model, not of a measurement: there is no scatter */
        status = alike || note(run, other, &a, q) ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    } else if (status == GCAST_INPUT) { /* later ends may be too late to count */
        char text[500];
        snprintf(text, sizeof text, "%s: %.300s", q->with, err.message);
        status = run_add_note(run, text) ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    } else {
        status = say_error(&err);
    }
    gcast_run_free(other);
    gcast_workload_free(w);
    return status;
}

gcast_status unsaid_note(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    gcast_status status = GCAST_OK;
    gcast_simulate_options again = *options;
    again.record_blocks = false;
    if (options->as_measured || !races_quick(run)) /* measure sets carveouts, and makes streams as they are taken */
        return GCAST_OK;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0] && status == GCAST_OK; i++)
        if (questions[i].open(run))
            status = ask(&questions[i], gpu, &again, run);
    return status;
}

#include "report/report_options.h"

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "model/run_children.h"

#define MAX_NS (INT64_MAX / 4)  /* so that sums of a few do not overflow */
#define MAX_ROW (INT32_MAX / 2) /* there are fewer tasks before them */

static bool is_time(int64_t ns)
{
    return ns >= 0 && ns <= MAX_NS;
}

static gcast_status check_jobs(const gcast_report_options *o, const gcast_run *run, gcast_error *err)
{
    if (o->job_count && !o->jobs)
        return argument_missing(err);
    for (size_t i = 0; i < o->job_count; i++) {
        const gcast_report_job *j = &o->jobs[i];
        if (!j->task)
            return gcast_error_set(err, GCAST_USAGE, NULL, "job %zu of a report has no task", i);
        if (j->row < 0 || j->row > MAX_ROW)
            return gcast_error_set(err, GCAST_USAGE, NULL, "job %zu of a report is in row %d: 0 to %d are possible", i,
                                   j->row, MAX_ROW);
        if (j->stream < 0 || (size_t)j->stream >= run->workload->stream_count)
            return gcast_error_set(err, GCAST_USAGE, NULL, "job %zu of a report is of stream %d, of %zu", i, j->stream,
                                   run->workload->stream_count);
        if (!is_time(j->release_ns) || !is_time(j->deadline_ns) || (j->end_ns != -1 && !is_time(j->end_ns)))
            return gcast_error_set(err, GCAST_USAGE, NULL, "job %zu of a report has times that cannot be drawn", i);
    }
    return GCAST_OK;
}

static gcast_status check_waits(const gcast_report_options *o, gcast_error *err)
{
    if (o->wait_count && !o->waits)
        return argument_missing(err);
    for (size_t i = 0; i < o->wait_count; i++) {
        const gcast_report_wait *w = &o->waits[i];
        if (!w->op || !w->rule || !w->reason || !w->holders)
            return gcast_error_set(err, GCAST_USAGE, NULL, "wait %zu of a report lacks a text", i);
        if (!is_time(w->from_ns) || !is_time(w->to_ns) || w->from_ns > w->to_ns)
            return gcast_error_set(err, GCAST_USAGE, NULL, "wait %zu of a report has times that cannot be drawn", i);
    }
    return GCAST_OK;
}

gcast_status report_options_take(gcast_report_options *own, const gcast_report_options *given, const gcast_run *run,
                                 gcast_error *err)
{
    gcast_status status = options_copy(own, sizeof *own, given, "gcast_report_options", err);
    if (status == GCAST_OK)
        status = check_jobs(own, run, err);
    return status == GCAST_OK ? check_waits(own, err) : status;
}

/* Are all operations that it names those of the run? */
static bool is_explanation_of(const gcast_explanation *e, const gcast_run *run)
{
    size_t total = run_total(run);
    for (size_t i = 0; i < e->wait_count; i++)
        for (size_t h = 0; h < e->waits[i].holder_count; h++)
            if (e->waits[i].holders[h].run_op >= total)
                return false;
    return e->run_op < total;
}

gcast_status report_options_explain(const gcast_report_options *o, const gcast_run *run, size_t run_op,
                                    gcast_explanation **out, gcast_error *err)
{
    *out = NULL;
    gcast_status status = o->explain(run, run_op, out, err);
    if (status != GCAST_OK || (*out && is_explanation_of(*out, run)))
        return status;
    gcast_explanation_free(*out);
    *out = NULL;
    return gcast_error_set(err, GCAST_USAGE, NULL, "the report's explain gave no explanation of the run");
}

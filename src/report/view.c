#include "report/view.h"

#include "base/api.h"
#include "model/run_op.h"
#include "report/report_progress.h"
#include "report/run/shown_blocks.h"

#define DEFAULT_WIDTH 1000
#define DEFAULT_ROWS 24

/* With tasks, the view reaches to the horizon, so that the deadlines of all jobs are in it. */
static int64_t default_end(const gcast_run *run)
{
    return max_i64(run->horizon_ns, run->end_ns);
}

gcast_status view_make(view *v, const gcast_run *run, const gcast_report_options *o, gcast_error *err)
{
    *v = (view){.first_sm = o->first_sm,
                .last_sm = o->last_sm < 0 ? run->gpu->sms - 1 : o->last_sm,
                .start_ns = o->from_ns,
                .end_ns = o->to_ns < 0 ? default_end(run) : o->to_ns,
                .max_rows = o->max_rows > 0 ? o->max_rows : DEFAULT_ROWS,
                .width = o->width ? max_int(GCAST_MIN_WIDTH, min_int(o->width, GCAST_MAX_WIDTH)) : DEFAULT_WIDTH,
                .fold = o->fold,
                .blocks = shown_blocks_any(run) && !o->no_blocks,
                .progress = report_progress_of(o)};
    if (v->first_sm < 0 || v->first_sm > v->last_sm || v->last_sm >= run->gpu->sms)
        return gcast_error_set(err, GCAST_USAGE, NULL, "SMs %d to %d cannot be shown: the GPU has 0 to %d", v->first_sm,
                               v->last_sm, run->gpu->sms - 1);
    if (v->start_ns < 0 || (o->to_ns >= 0 && v->start_ns >= v->end_ns))
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing can be shown from %lld ns to %lld ns",
                               (long long)v->start_ns, (long long)v->end_ns);
    if (v->start_ns > 0 && v->start_ns >= run->end_ns)
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing happens after %lld ns: the run ends at %lld ns",
                               (long long)v->start_ns, (long long)run->end_ns);
    if (v->blocks && run->window_recorded && (v->start_ns < run->window_from_ns || v->end_ns > run->window_to_ns))
        return gcast_error_set(err, GCAST_USAGE, NULL, "blocks are recorded from %lld ns to %lld ns only",
                               (long long)run->window_from_ns, (long long)run->window_to_ns);
    if (v->start_ns >= v->end_ns) /* a run without length */
        v->end_ns = v->start_ns + 1;
    return GCAST_OK;
}

uint64_t view_count_blocks(const view *v, const gcast_run *run)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run_total(run); i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++)
            count += view_holds_block(v, &blocks.at[b]);
    }
    return count;
}

#define MAX_NS (INT64_MAX / 4)  /* so that sums of a few do not overflow */
#define MAX_ROW (INT32_MAX / 2) /* so that adding the number of tasks does not overflow */

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

/* Does the explanation name only operations of the run? */
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

#include "report/view.h"

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

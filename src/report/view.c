#include "report/view.h"

#include "report/run/shown_blocks.h"
#include "report/work.h"

#define WIDTH_DEFAULT 1000
#define ROWS_DEFAULT 24

static int clamp(int v, int least, int most)
{
    return v < least ? least : v > most ? most : v;
}

/* With tasks, up to where their jobs are released, for their deadlines to be seen too. */
static int64_t end_of(const gcast_run *run)
{
    return run->horizon_ns > run->end_ns ? run->horizon_ns : run->end_ns;
}

gcast_status view_make(view *v, const gcast_run *run, const gcast_report_options *o, gcast_error *err)
{
    *v = (view){.first_sm = o->first_sm,
                .last_sm = o->last_sm < 0 ? run->gpu->sms - 1 : o->last_sm,
                .from = o->from_ns,
                .to = o->to_ns < 0 ? end_of(run) : o->to_ns,
                .max_rows = o->max_rows > 0 ? o->max_rows : ROWS_DEFAULT,
                .width = o->width ? clamp(o->width, GCAST_WIDTH_LEAST, GCAST_WIDTH_MOST) : WIDTH_DEFAULT,
                .fold = o->fold,
                .blocks = shown_blocks_any(run) && !o->no_blocks,
                .work = work_of(o)};
    if (v->first_sm < 0 || v->first_sm > v->last_sm || v->last_sm >= run->gpu->sms)
        return gcast_error_set(err, GCAST_USAGE, NULL, "SMs %d to %d cannot be shown: the GPU has 0 to %d", v->first_sm,
                               v->last_sm, run->gpu->sms - 1);
    if (v->from < 0 || (o->to_ns >= 0 && v->from >= v->to))
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing can be shown from %lld ns to %lld ns",
                               (long long)v->from, (long long)v->to);
    if (v->from > 0 && v->from >= run->end_ns)
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing happens after %lld ns: the run ends at %lld ns",
                               (long long)v->from, (long long)run->end_ns);
    if (v->blocks && run->window_recorded && (v->from < run->window_from_ns || v->to > run->window_to_ns))
        return gcast_error_set(err, GCAST_USAGE, NULL, "blocks are recorded from %lld ns to %lld ns only",
                               (long long)run->window_from_ns, (long long)run->window_to_ns);
    if (v->from >= v->to) /* a run that ends at once */
        v->to = v->from + 1;
    return GCAST_OK;
}

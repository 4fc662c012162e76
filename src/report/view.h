/* Which part of a run a report shows: its options with every default filled in, checked against the run. And checks of
 * what else the caller of a report gives. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "base/integers.h"
#include "gridcast/explain.h"
#include "gridcast/report.h"

typedef struct view {
    int first_sm, last_sm;            /* SMs that are shown */
    int64_t start_ns, end_ns;         /* time that is shown; start_ns < end_ns */
    int max_rows;                     /* of SMs */
    int width;                        /* of the picture, in pixels */
    bool fold;                        /* SMs may share rows */
    bool blocks;                      /* blocks are recorded and shown */
    struct report_progress *progress; /* the progress of the report; NULL: there is no callback */
} view;

gcast_status view_make(view *v, const gcast_run *run, const gcast_report_options *options, gcast_error *err);

/* Is something from start to end (exclusive) in the view? */
static inline bool view_holds(const view *v, int64_t start, int64_t end)
{
    return start < v->end_ns && (end > v->start_ns || (end == start && start >= v->start_ns));
}

/* How much of the time from start to end is in the view. */
static inline int64_t view_clip(const view *v, int64_t start, int64_t end)
{
    start = max_i64(start, v->start_ns);
    end = min_i64(end, v->end_ns);
    return end > start ? end - start : 0;
}

/* Is a block on an SM and at a time that the view shows? */
static inline bool view_holds_block(const view *v, const gcast_block *b)
{
    return (int)b->sm >= v->first_sm && (int)b->sm <= v->last_sm && view_holds(v, b->start_ns, b->end_ns);
}

/* Recorded blocks that the view shows. */
uint64_t view_count_blocks(const view *v, const gcast_run *run);

/* The caller of a report also gives jobs, waits, and functions that may return anything: these check them. */

/* Copies the caller's options over the defaults in *own, and checks the jobs and waits that they point to; jobs must
 * have streams of the run. */
gcast_status report_options_take(gcast_report_options *own, const gcast_report_options *given, const gcast_run *run,
                                 gcast_error *err);
/* Asks the caller for an explanation; GCAST_USAGE where it gives none, or one of another run. */
gcast_status report_options_explain(const gcast_report_options *o, const gcast_run *run, size_t run_op,
                                    gcast_explanation **out, gcast_error *err);

#endif

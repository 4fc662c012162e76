/* Which part of a run is shown: the report options with every default filled in, checked against the run. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "base/minmax.h"
#include "gridcast/report.h"

typedef struct view {
    int first_sm, last_sm;            /* SMs that are shown */
    int64_t start_ns, end_ns;         /* time that is shown; start_ns < end_ns */
    int max_rows;                     /* of SMs */
    int width;                        /* of the picture, in pixels */
    bool fold;                        /* SMs may share rows */
    bool blocks;                      /* they are recorded, and are to be shown */
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

#endif

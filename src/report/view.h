/* What part of a run is shown: the report options with every default filled in
 * and checked against the run. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "gridcast/report.h"

typedef struct view {
    int first_sm, last_sm;
    int64_t from, to; /* from < to */
    int max_rows;
    int width; /* pixels */
    bool fold;
    bool blocks;       /* they are recorded, and are to be shown */
    struct work *work; /* NULL: nobody asks how much is done */
} view;

gcast_status view_make(view *v, const gcast_run *run, const gcast_report_options *options, gcast_error *err);

/* Does something from start to end (not included) show? */
static inline bool view_holds(const view *v, int64_t start, int64_t end)
{
    return start < v->to && (end > v->from || (end == start && start >= v->from));
}

/* How much of a time the view shows. */
static inline int64_t view_clip(const view *v, int64_t start, int64_t end)
{
    start = start < v->from ? v->from : start;
    end = end > v->to ? v->to : end;
    return end > start ? end - start : 0;
}

/* The workload's op behind an operation of a run. */
static inline const gcast_op *run_op(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Did it run on the GPU, with a start and an end? */
static inline bool run_op_ran(const gcast_run *run, size_t i)
{
    const gcast_run_op *o = &run->ops[i];
    return gcast_kind_on_gpu(run_op(run, i)->kind) && !o->skipped && o->start_ns >= 0 && o->end_ns >= o->start_ns;
}

#endif

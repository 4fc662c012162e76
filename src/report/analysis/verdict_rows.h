/* What a picture of verdicts shows: an answer's ops as rows, grouped by task into panels, and the time that each panel
 * spans. Times are from the release of the job; of an op that runs once, from its own release. */
#ifndef REPORT_ANALYSIS_VERDICT_ROWS_H
#define REPORT_ANALYSIS_VERDICT_ROWS_H

#include "base/vec.h"
#include "gridcast/analyze.h"

typedef struct verdict_row {
    const gcast_response *response; /* of the op */
    gcast_deadline_verdict verdict; /* on its deadline */
    int task;                       /* of the op; GCAST_ONCE: none */
    int64_t deadline_ns;            /* 0: none */
    int64_t best_ns;                /* no execution ends before this */
    int64_t worst_ns;               /* no execution ends after this; GCAST_NO_BOUND: not known */
    int64_t seen_ns;                /* the latest end that an execution is known to have; 0: none is known */
} verdict_row;

/* The rows of a task, or of the ops that run once. */
typedef struct verdict_panel {
    int task;         /* GCAST_ONCE: of no task */
    size_t first_row; /* index in the rows */
    size_t row_count; /* how many there are */
    int64_t scale_ns; /* its longest deadline; where it has none its longest time */
    int64_t end_ns;   /* of its time axis, which starts at 0 */
} verdict_panel;

typedef struct verdict_rows {
    VEC(verdict_row) rows;     /* by task, then in the order of the workload */
    VEC(verdict_panel) panels; /* in the order of their rows */
    size_t hidden;             /* ops that are not shown because there are too many */
    bool own_axes;             /* panels differ so much in length that each has its own axis; else all have one */
} verdict_rows;

/* False without memory. */
bool verdict_rows_make(verdict_rows *v, const gcast_answer *a);
void verdict_rows_free(verdict_rows *v);

#endif

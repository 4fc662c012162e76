/* An execution of a system laid out: a row for each core, below them copy engines and SMs of the GPU as a timeline has
 * them, all with one time axis. */
#ifndef REPORT_SYSTEM_GANTT_H
#define REPORT_SYSTEM_GANTT_H

#include "model/system.h"
#include "model/system_run.h"
#include "report/system/system_execution.h"
#include "report/system/system_view.h"
#include "report/timeline/timeline.h"

#define LANE PX(11) /* above the boxes of a row: for releases and deadlines */

typedef struct gantt_row {
    int core; /* or SYS_GPU: contexts that take turns */
    char label[160];
    int32_t y, height; /* its lane, if any, included */
    bool lane;         /* it has room for marks */
    bool dense;        /* releases are too close to each other to be marked */
} gantt_row;

typedef struct gantt {
    const sys_run *run;
    timeline t;          /* of the GPU; where has_gpu is false it has only the view, the axis and lengths */
    bool has_gpu;        /* copies and kernels are shown */
    VEC(gantt_row) rows; /* cores from top to bottom, and a GPU that is shared by slices */
    size_t hidden_cores; /* that have no row */
    uint32_t *colour;    /* by task */
    int *row_of;         /* by task: the row with its marks; of a task on the GPU, that of its root; -1: none */
    bool *shown;         /* by task: something of it is in the picture */
    bool waits;          /* a job holds its core while it waits */
    size_t missed;       /* jobs shown that end after their deadline, or have not ended by then */
} gantt;

/* To be freed with gantt_free, except after a failure. */
gcast_status gantt_make(gantt *g, const sys_run *run, const sys_report_options *options, gcast_error *err);
void gantt_free(gantt *g);

/* How much time a picture shows, from the start, where the options do not say: the longest period, or less where that
 * has more jobs than can be seen. */
int64_t system_window_ns(const sys_system *s);

#endif

/* The columns of areas: equal steps of time, in which means are exact. Where tasks have periods, the step divides each
 * period or is a multiple of it: otherwise columns would hold different parts of what repeats, and the picture would
 * show a pattern that is not in the schedule. */
#ifndef REPORT_RUN_BINS_H
#define REPORT_RUN_BINS_H

#include "report/view.h"

typedef struct bins {
    int count;     /* of columns */
    int64_t *edge; /* count + 1 times, rising, from the start of the view to its end */
    int64_t step;  /* between edges other than the first and the last; 0: the columns are equal parts of the view */
} bins;

/* Columns for a plot of this width in pixels, each at least `quarters` quarters of a pixel wide. */
gcast_status bins_make(bins *b, const gcast_run *run, const view *v, int pixels, int quarters, gcast_error *err);
void bins_free(bins *b);

/* The column of time t, which must be in the view. */
int bins_at(const bins *b, int64_t t);

#endif

/* The columns of areas: equal steps of time, in which means are exact. Columns that do
 * not divide a period of the schedule hold now more, now less of what repeats in it,
 * and the picture shows a pattern that is not there: so where tasks have periods, a
 * column divides each of them or is a multiple of it. */
#ifndef REPORT_AREAS_BINS_H
#define REPORT_AREAS_BINS_H

#include "report/view.h"

typedef struct bins {
    int count;
    int64_t *edge; /* count + 1 of them, from the view's start to its end, rising */
    int64_t step;  /* from one to the next, but to the first and the last; 0: the view in equal parts */
} bins;

/* Columns of a plot of so many pixels, each at least 1/4 of `quarters` pixels wide. */
gcast_status bins_make(bins *b, const gcast_run *run, const view *v, int pixels, int quarters, gcast_error *err);
void bins_free(bins *b);

/* The column that time t is in, which the view holds. */
int bins_at(const bins *b, int64_t t);

#endif

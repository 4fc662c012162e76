/* Times of a table: one unit and as many decimals for all of them. */
#ifndef REPORT_TABLES_CLOCK_FACE_H
#define REPORT_TABLES_CLOCK_FACE_H

#include "report/canvas/ticks.h"
#include "report/tables/grid.h"

typedef struct clock_face {
    const time_unit *unit;
    int decimals, most; /* decimals that are needed so far; never more than */
} clock_face;

/* For times up to `longest`. */
clock_face clock_face_for(int64_t longest, int most_decimals);
/* This time will be shown; below 0: it will not. */
void clock_face_see(clock_face *f, int64_t ns);
/* The time, or a dash where it does not apply. */
void clock_face_cell(grid *g, int column, int64_t ns, bool applies, clock_face f);
/* "start (ms)" */
const char *clock_face_title(char *out, size_t size, const char *title, clock_face f);

#endif

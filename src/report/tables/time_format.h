/* How a table shows times: one unit, and the same number of decimals for all. */
#ifndef REPORT_TABLES_TIME_FORMAT_H
#define REPORT_TABLES_TIME_FORMAT_H

#include "report/canvas/ticks.h"
#include "report/tables/grid.h"

typedef struct time_format {
    const time_unit *unit; /* of all times */
    int decimals;          /* that the times included so far need */
    int max_decimals;      /* that may be shown */
} time_format;

/* For times up to `longest`. */
time_format time_format_for(int64_t longest, int max_decimals);
/* Includes a time that will be shown; ignores times below 0. */
void time_format_include(time_format *f, int64_t ns);
/* The time, or a dash where it does not apply. */
void time_format_cell(grid *g, int column, int64_t ns, bool applies, time_format f);
/* "start (ms)" */
const char *time_format_title(char *out, size_t size, const char *title, time_format f);

#endif

/* Acceptance over utilisation as a picture: a line per test, with a gap where it has no
 * answer for any set. Later lines are thinner, so that lines that coincide can be told
 * apart. Where the experiment has executions, the band between the sets that some analysis
 * accepts and those of which no execution misses a deadline is filled: these are open. */
#ifndef REPORT_PLOTS_ACCEPTANCE_DRAW_H
#define REPORT_PLOTS_ACCEPTANCE_DRAW_H

#include "report/plots/acceptance_points.h"

gcast_status acceptance_draw(const acceptance *a, gcast_format format, gcast_write_fn write, void *data,
                             gcast_error *err);

#endif

/* Lines from the end of an operation to the start of its successors, drawn over the rows of a timeline. */
#ifndef REPORT_TIMELINE_DEPENDENCY_LINES_H
#define REPORT_TIMELINE_DEPENDENCY_LINES_H

#include "report/canvas/canvas.h"
#include "report/timeline/timeline.h"

/* Are there rows with operations, and dependencies between ops of the workload? */
bool dependency_lines_any(const timeline *t);
/* Draws one of several lines at one place; none at all where they would cover the picture. Returns how many there are
 * then, else 0. */
size_t dependency_lines_draw(const timeline *t, canvas *c);

#endif

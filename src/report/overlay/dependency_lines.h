/* Lines from the end of an operation to the start of one that is after it, drawn over the rows of a timeline. */
#ifndef REPORT_OVERLAY_DEPENDENCY_LINES_H
#define REPORT_OVERLAY_DEPENDENCY_LINES_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

/* Are there rows with operations, and is an op of the workload after another? */
bool dependency_lines_any(const timeline *t);
/* Of lines at one place one is drawn, and none where they would cover the picture. Returns how many are missing then.
 */
size_t dependency_lines_draw(const timeline *t, canvas *c);

#endif

/* --witness as a picture: the timeline of a late execution, with the deadlines of its jobs and what the late operation
 * waited for. */
#ifndef CLI_ANALYZE_WITNESS_WITNESS_PICTURE_H
#define CLI_ANALYZE_WITNESS_WITNESS_PICTURE_H

#include "gridcast/report.h"

/* Does its ending say so? */
bool witness_is_picture(const char *path, gcast_format *format);
/* `analyzed` is the workload that was analyzed, `witness` its execution, `late` the op of that which is shown, and
 * `title` says how late it is. Errors are printed. */
gcast_status witness_draw(const char *path, gcast_format format, bool force, const gcast_workload *analyzed,
                          const gcast_workload *witness, size_t late, const char *title);

#endif

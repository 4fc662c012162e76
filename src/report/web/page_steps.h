/* What kernels hold of each SM in steps of time, for pages of runs with too many blocks to give each. The steps are
 * fixed in time and their means exact, so that nothing moves that does not move in the schedule. */
#ifndef REPORT_WEB_PAGE_STEPS_H
#define REPORT_WEB_PAGE_STEPS_H

#include "base/text/text.h"
#include "report/run/sm_index.h"

gcast_status page_steps_put(const sm_index *index, int number, text *out, gcast_error *err);

#endif

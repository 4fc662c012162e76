/* An operation in a trace: its slice, and the arrow from its call to its start. */
#ifndef REPORT_TRACE_OP_SLICE_H
#define REPORT_TRACE_OP_SLICE_H

#include "report/trace/state.h"

void chrome_op(chrome *c, size_t op, chrome_track at, int64_t start, int64_t end);
/* One end of the arrow from the call (`at_call`) to the first block, or to the operation where that is not shown. Only
 * where both ends are shown. */
void chrome_arrow(chrome *c, size_t op, bool at_call, chrome_track at, int64_t ns);

#endif

/* `analyze --method thesis --trace`: algorithm 2 step by step, as section 3.6 of the thesis
 * shows it, then the completion times and the utilisation that follow from it. */
#ifndef CLI_ANALYZE_THESIS_TRACE_H
#define CLI_ANALYZE_THESIS_TRACE_H

#include "base/text/text.h"
#include "gridcast/thesis.h"

/* The thesis must apply to the workload. Errors are printed. */
gcast_status thesis_trace(const gcast_workload *w, const gcast_gpu *gpu, bool color, text *out);

#endif

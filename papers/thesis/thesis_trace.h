/* `analyze --method thesis --trace`: algorithm 2 step by step, as section 3.6 of the thesis shows it, then the
 * completion times that follow from it, and those of the closed form. */
#ifndef PAPERS_THESIS_THESIS_TRACE_H
#define PAPERS_THESIS_THESIS_TRACE_H

#include "base/text.h"
#include "papers/thesis/thesis.h"

/* `t` is the workload in the model of the thesis, which must apply to it. Errors are printed. */
gcast_status thesis_trace(const gcast_workload *w, const gcast_thesis *t, bool color, text *out);

#endif

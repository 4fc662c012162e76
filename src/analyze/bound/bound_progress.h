/* How far the method is, for the caller of the library, who may stop it. */
#ifndef ANALYZE_BOUND_BOUND_PROGRESS_H
#define ANALYZE_BOUND_BOUND_PROGRESS_H

#include "analyze/bound/state.h"

/* An error where the caller stops it. */
gcast_status bound_report_progress(const bound *b, double fraction, gcast_error *err);

#endif

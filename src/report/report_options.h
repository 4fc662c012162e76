/* What the caller of a report gives besides numbers: jobs, waits, and calls of its own that may answer anything. */
#ifndef REPORT_REPORT_OPTIONS_H
#define REPORT_REPORT_OPTIONS_H

#include "gridcast/explain.h"
#include "gridcast/report.h"

/* Copies the caller's options over the defaults in *own, and checks the jobs and waits that they point to, whose
 * streams are those of the run. */
gcast_status report_options_take(gcast_report_options *own, const gcast_report_options *given, const gcast_run *run,
                                 gcast_error *err);
/* Asks the caller for an explanation; GCAST_USAGE where it gives none, or one of another run. */
gcast_status report_options_explain(const gcast_report_options *o, const gcast_run *run, size_t run_op,
                                    gcast_explanation **out, gcast_error *err);

#endif

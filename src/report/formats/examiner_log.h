/* Runs as logs of the CUDA scheduling examiner, for its viewers. */
#ifndef REPORT_FORMATS_EXAMINER_LOG_H
#define REPORT_FORMATS_EXAMINER_LOG_H

#include "gridcast/report.h"

/* The viewers cannot show a stream that ran no kernel: this is false for those. `stream` is its index in the workload's
 * streams. */
bool gcast_run_has_examiner_log(const gcast_run *run, int stream);
/* Writes the log of one stream; the run must have its blocks. */
gcast_status gcast_run_report_examiner_log(const gcast_run *run, int stream, gcast_write_fn write, void *data,
                                           gcast_error *err);

#endif

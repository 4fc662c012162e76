/* A run as a Chrome trace, streamed: host calls, deadlines, streams and copy engines, then a process per SM with a
 * thread per lane; an arrow leads from each call to the first block. */
#ifndef REPORT_FORMATS_CHROME_TRACE_H
#define REPORT_FORMATS_CHROME_TRACE_H

#include "base/text.h"
#include "gridcast/report.h"

gcast_status chrome_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

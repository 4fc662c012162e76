/* A run as gridcast.run/1, streamed. Times that do not apply are left out. */
#ifndef REPORT_FORMATS_RUN_JSON_H
#define REPORT_FORMATS_RUN_JSON_H

#include "base/text.h"
#include "gridcast/report.h"

gcast_status json_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

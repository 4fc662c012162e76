/* A run as CSV: a line per operation, or a line per block. Times that do not apply are empty. */
#ifndef REPORT_FORMATS_RUN_CSV_H
#define REPORT_FORMATS_RUN_CSV_H

#include "base/text.h"
#include "gridcast/report.h"

gcast_status csv_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

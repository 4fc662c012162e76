/* The writers of gcast_run_report, one a file. */
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "base/text/text.h"
#include "gridcast/report.h"

/* To text. What the sink refuses is found by the caller, in out->failed. */
typedef gcast_status (*report_text_fn)(const gcast_run *run, const gcast_report_options *options, text *out,
                                       gcast_error *err);

gcast_status table_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);
gcast_status csv_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);
gcast_status json_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);
gcast_status html_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);
gcast_status chrome_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

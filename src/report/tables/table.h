/* A run as a table for people. */
#ifndef REPORT_TABLES_TABLE_H
#define REPORT_TABLES_TABLE_H

#include "base/text/text.h"
#include "gridcast/report.h"

gcast_status table_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

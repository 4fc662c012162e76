/* A run as HTML that needs no script: the timeline as inline SVG, then the tables. */
#ifndef REPORT_TABLES_HTML_H
#define REPORT_TABLES_HTML_H

#include "base/text/text.h"
#include "gridcast/report.h"

gcast_status html_plain(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);

#endif

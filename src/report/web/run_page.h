/* A run, or two of them, as one self-contained page that a browser opens from disk: the data, a script that draws it,
 * and for browsers without scripts the picture and the tables. */
#ifndef REPORT_WEB_RUN_PAGE_H
#define REPORT_WEB_RUN_PAGE_H

#include "base/text.h"
#include "gridcast/report.h"

/* A text_writer of report.c. */
gcast_status run_page_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err);
/* Two runs: `below` is shown below the first, or over it. */
gcast_status run_page_write_pair(const gcast_run *above, const gcast_run *below, const gcast_report_options *options,
                                 text *out, gcast_error *err);

#endif

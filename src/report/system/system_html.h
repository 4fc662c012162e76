/* An analysis or an execution of a system as one self-contained page. */
#ifndef REPORT_SYSTEM_SYSTEM_HTML_H
#define REPORT_SYSTEM_SYSTEM_HTML_H

#include "base/text.h"
#include "model/system_run.h"
#include "report/system/system_view.h"

/* `run` may be NULL: then there is no picture. */
gcast_status system_html(const sys_answer *a, const sys_run *run, const sys_report_options *options, text *out,
                         gcast_error *err);
gcast_status system_run_html(const sys_run *run, const sys_report_options *options, text *out, gcast_error *err);

#endif

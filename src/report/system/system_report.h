/* Systems of cores and a GPU: what an analysis answers and what happened in an execution, as table, JSON, page and
 * picture. */
#ifndef REPORT_SYSTEM_SYSTEM_REPORT_H
#define REPORT_SYSTEM_SYSTEM_REPORT_H

#include "model/system_run.h"
#include "report/system/system_view.h"

/* TABLE, JSON (gridcast.system/1) and HTML; where there is `run`, which may be NULL, HTML has its picture, and SVG, PNG
 * and PDF are the picture. */
gcast_status system_answer_report(const sys_answer *a, const sys_run *run, gcast_format format,
                                  const sys_report_options *options, gcast_write_fn write, void *data,
                                  gcast_error *err);
/* TABLE, JSON (gridcast.system-run/1), HTML, SVG, PNG and PDF. The run has its slices recorded. */
gcast_status system_run_report(const sys_run *run, gcast_format format, const sys_report_options *options,
                               gcast_write_fn write, void *data, gcast_error *err);

#endif

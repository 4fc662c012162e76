/* A run in a page, but for its waits and blocks: one script element of JSON, which web/run.js reads. */
#ifndef REPORT_WEB_PAGE_RUN_H
#define REPORT_WEB_PAGE_RUN_H

#include "report/web/page_blocks.h"

#define PAGE_MAX_HUNG 1000 /* operations of a run that hangs of which the page says why they never end */

gcast_status page_run_put(const page_ops *p, const view *v, const page_blocks *blocks,
                          const gcast_report_options *options, int number, text *out, gcast_error *err);

#endif

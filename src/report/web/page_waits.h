/* Why operations waited, for a page: explanations as gcast_run_explain gives them or, where these would be too much
 * work, what the times of operations tell, which may be rough. */
#ifndef REPORT_WEB_PAGE_WAITS_H
#define REPORT_WEB_PAGE_WAITS_H

#include "report/web/page_ops.h"

/* An explanation looks at most operations and blocks of the run. The page makes at most this many looks in all: where
 * that is too few, it explains the operations with the longest response times whose times alone do not tell all. */
#define PAGE_MAX_LOOKS 6000000
#define PAGE_MAX_WAITS 100  /* of an operation: the longest */
#define PAGE_MAX_HOLDERS 16 /* of a wait */

/* Writes a script element; `number` is the run's in the page. */
gcast_status page_waits_put(const page_ops *p, const gcast_report_options *options, int number, text *out,
                            gcast_error *err);

#endif

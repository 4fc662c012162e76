/* The blocks of a run in a page: SM by SM and lane by lane, where a lane is a place in the SM's row, so that its blocks
 * follow each other. Where they are too many, what kernels hold of each SM in steps of time. */
#ifndef REPORT_WEB_PAGE_BLOCKS_H
#define REPORT_WEB_PAGE_BLOCKS_H

#include "report/web/page_ops.h"

#define PAGE_MAX_BLOCKS 2000000 /* of a run in one page, one by one */

typedef enum { PAGE_BLOCKS_NONE, PAGE_BLOCKS_EACH, PAGE_BLOCKS_STEPS } page_blocks_kind;

/* How the blocks in the view are given; *count: how many there are. */
page_blocks_kind page_blocks_choose(const page_ops *p, const view *v, uint64_t *count);
/* Writes them as base64 in one script element, and for steps the keys as another; `number` is the run's in the page. */
gcast_status page_blocks_put(const page_ops *p, const view *v, page_blocks_kind kind, int number, text *out,
                             gcast_error *err);

#endif

/* A run in a page, but for its waits: a script element of JSON, which web/run.js reads, and its blocks. */
#ifndef REPORT_WEB_PAGE_RUN_H
#define REPORT_WEB_PAGE_RUN_H

#include "report/web/page_means.h"

/* Blocks are given SM by SM and lane by lane, where a lane is a place in the SM's row, so that its blocks follow each
 * other. If these are too many, means are given of what they hold in steps of time. */
typedef enum { PAGE_BLOCKS_NONE, PAGE_BLOCKS_EACH, PAGE_BLOCKS_STEPS } page_blocks_kind;

typedef struct page_blocks {
    page_blocks_kind kind;
    uint64_t count;    /* of blocks in the view */
    page_means *means; /* PAGE_BLOCKS_STEPS */
} page_blocks;

/* Chooses how the blocks in the view are given. */
gcast_status page_blocks_make(page_blocks *b, const page_ops *p, const view *v, const gcast_report_options *options,
                              gcast_error *err);
void page_blocks_free(page_blocks *b);
/* Writes them in script elements; `number` is the run's in the page. */
gcast_status page_blocks_put(const page_blocks *blocks, const page_ops *p, const view *v, int number, text *out,
                             gcast_error *err);

/* Writes the script element of the run; `number` is the run's in the page. */
gcast_status page_run_put(const page_ops *p, const view *v, const page_blocks *blocks,
                          const gcast_report_options *options, int number, text *out, gcast_error *err);

#endif

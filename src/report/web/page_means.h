/* What blocks hold in steps of time, for pages of runs with too many blocks to give each: of each SM the share that
 * kernels hold; of all SMs together the threads, block slots, registers and shared memory that are in use. Sums are
 * exact and of all blocks. The steps are fixed in time: what stands still in the schedule does so on the page. */
#ifndef REPORT_WEB_PAGE_MEANS_H
#define REPORT_WEB_PAGE_MEANS_H

#include "report/web/page_ops.h"

typedef struct page_means page_means;

/* From the blocks that the run has recorded or, where it has none, that options->each_block gives. */
gcast_status page_means_make(page_means **out, const gcast_run *run, const view *v, const gcast_report_options *options,
                             gcast_error *err);
void page_means_free(page_means *m);

/* Blocks in the view. */
uint64_t page_means_blocks(const page_means *m);
/* Writes script elements: keys, SMs ("blocks") and what is in use ("use"); `number` is the run's in the page. */
void page_means_put(const page_means *m, int number, text *out);

#endif

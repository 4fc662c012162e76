/* The operations of a run that a page lists, and how each is written. */
#ifndef REPORT_WEB_PAGE_OPS_H
#define REPORT_WEB_PAGE_OPS_H

#include "base/text.h"
#include "report/view.h"

#define PAGE_MAX_OPS 200000 /* operations of a run in one page; those that are called last are left out */
#define PAGE_LABEL 400      /* characters of a label that a page has */
#define PAGE_NONE UINT32_MAX

typedef struct page_ops {
    const gcast_run *run;      /* the run as it is drawn: its operations end when it hangs */
    const gcast_run *original; /* the run itself, for its numbers; another one than `run` only where it hangs */
    uint32_t *at;              /* by row: the operation's index in run->ops */
    uint32_t *row_of;          /* by operation: its row; PAGE_NONE: the page does not have it */
    size_t count;              /* of rows */
    size_t left_out;           /* operations in the view that are too many */
} page_ops;

/* Lists the operations in the view: those of hosts, then children. False without memory. */
bool page_ops_make(page_ops *p, const gcast_run *run, const gcast_run *original, const view *v);
void page_ops_free(page_ops *p);

/* The ops of the workload, as "ops"; false without memory. */
bool page_ops_put_workload(const page_ops *p, text *out);
/* The operations of the run, as "run": a list of numbers each, in the order that web/run.js reads. */
void page_ops_put_run(const page_ops *p, text *out);

#endif

/* The kernels that a page tells apart where it has means in the place of blocks: the names that hold the most, and one
 * key for all others. Iterations of a label ("K", "K#2") have one name, as have all children of one label. */
#ifndef REPORT_WEB_MEANS_PAGE_KEYS_H
#define REPORT_WEB_MEANS_PAGE_KEYS_H

#include "base/text/text.h"
#include "report/view.h"

#define PAGE_MAX_KEYS 64

typedef struct page_keys {
    int count;                     /* of keys */
    int others;                    /* the key of all kernels without a key of their own; -1: each has one */
    int *of_op;                    /* by op of the workload, also by child: its key; -1: nothing of it is in the view */
    uint32_t op_of[PAGE_MAX_KEYS]; /* by key: its first op of the workload */
    size_t other_names;            /* how many names `others` stands for */
} page_keys;

/* Of the kernels in the view. False without memory. */
bool page_keys_make(page_keys *keys, const gcast_run *run, const view *v);
void page_keys_free(page_keys *keys);
/* Writes a script element: by key a name and an op of the workload, or -1; `number` is the run's in the page. */
void page_keys_put(const page_keys *keys, const gcast_run *run, int number, text *out);

#endif

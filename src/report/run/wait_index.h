/* What waits_of looks up in the tables that waits_make fills: each lookup takes a time logarithmic in the operations of
 * the run. */
#ifndef REPORT_RUN_WAIT_INDEX_H
#define REPORT_RUN_WAIT_INDEX_H

#include "gridcast/explain.h"
#include "report/run/waits.h"

/* What a kernel in its EE queue waits for at a time. */
typedef struct wait_front {
    gcast_reason reason;
    size_t holder;    /* SIZE_MAX: nothing is in front of it */
    int64_t until_ns; /* this holds until then, at least */
} wait_front;

/* What is in front of the kernel op. */
wait_front wait_index_front(const waits *w, size_t op, int64_t time);
/* The operation before op in its stream; where that is a graph, its node that was complete last; SIZE_MAX: none. */
size_t wait_index_before(const waits *w, size_t op);
/* The operation of a blocking stream, called before `launch`, that ends last; of several the first; SIZE_MAX: none. */
size_t wait_index_last_blocking(const waits *w, uint64_t launch);

#endif

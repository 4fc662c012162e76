/* What operations waited for between their call and their start, as far as the times
 * of a simulated run tell: the rules of gridcast/explain.h, for all operations of a
 * run at once. */
#ifndef REPORT_RUN_WAITS_H
#define REPORT_RUN_WAITS_H

#include "report/view.h"

#define WAIT_PARTS 24
#define WAIT_NOBODY UINT32_MAX

typedef struct wait_part {
    const char *rule, *why;
    int64_t from, to;
    uint32_t holder; /* who it waited for, an operation of the run; WAIT_NOBODY */
} wait_part;

typedef struct waits {
    const gcast_run *run;
    bool known;          /* false where times are of two clocks, or not all there: nothing is told */
    uint32_t *kernels;   /* those that ran, by level, then by entry */
    uint32_t *place;     /* of an operation in these; WAIT_NOBODY */
    size_t *first;       /* of level l: kernels first[l] to first[l + 1] */
    int64_t *dispatches; /* when each kernel had started all its blocks, in order of time */
    size_t kernel_count;
    int64_t *others_gone; /* by operation: when what N1 or N2 makes it wait for was gone; -1: nothing */
} waits;

/* False without memory. */
bool waits_make(waits *w, const gcast_run *run);
void waits_free(waits *w);

/* From `from`, not before its call, to its start: how many parts, which follow each other without holes. */
size_t waits_of(const waits *w, size_t op, int64_t from, wait_part parts[WAIT_PARTS]);

#endif

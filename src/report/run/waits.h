/* What operations waited for between their call and their start, as far as the times of a simulated run tell: the rules
 * of gridcast/explain.h, for all operations of a run. */
#ifndef REPORT_RUN_WAITS_H
#define REPORT_RUN_WAITS_H

#include "gridcast/run.h"

#define WAIT_PARTS 24 /* the maximum */
#define WAIT_NO_HOLDER UINT32_MAX

typedef struct wait_part {
    const char *rule;         /* "X1" */
    const char *why;          /* a sentence */
    int64_t start_ns, end_ns; /* of this part of the wait */
    uint32_t holder;          /* the operation of the run that it waited for; WAIT_NO_HOLDER */
} wait_part;

typedef struct waits {
    const gcast_run *run; /* whose operations waited */
    bool known; /* false where times are of two clocks, or some are missing, or children are not recorded: then there
                   are no parts */
    uint32_t *kernels;    /* those that ran, also children, by level, then by entry into the EE queue */
    uint32_t *place;      /* by operation: its index in kernels; WAIT_NO_HOLDER: it is none of them */
    size_t *first;        /* by level: its kernels are kernels[first[l]] to kernels[first[l + 1] - 1] */
    int64_t *dispatches;  /* when each kernel was fully dispatched, in order of time */
    size_t kernel_count;  /* of kernels and dispatches */
    int64_t *others_left; /* by operation: when the last operation left that N1 or N2 makes it wait for; -1: none */
} waits;

/* False without memory. */
bool waits_make(waits *w, const gcast_run *run);
void waits_free(waits *w);

/* The parts of the wait from start_ns, which is not before the call, to the start of the operation, without gaps.
 * Returns how many there are. */
size_t waits_of(const waits *w, size_t op, int64_t start_ns, wait_part parts[WAIT_PARTS]);

#endif

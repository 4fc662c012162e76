/* What operations waited for between their call and their start, as far as the times of operations of a simulated run
 * tell, without its blocks: the rules of gridcast/explain.h, for all operations of a run. Where these times leave
 * several reasons open, the part names all of them and is rough; no part names a reason that explain would not. */
#ifndef REPORT_WAITS_WAITS_H
#define REPORT_WAITS_WAITS_H

#include "gridcast/run.h"
#include "report/waits/wait_chains.h"

#define WAIT_PARTS 48 /* the maximum */
#define WAIT_NO_HOLDER UINT32_MAX

typedef struct wait_part {
    const char *rule;         /* "X1" */
    const char *why;          /* a sentence */
    int64_t start_ns, end_ns; /* of this part of the wait */
    uint32_t holder;          /* the operation of the run that it waited for, of several the last; WAIT_NO_HOLDER */
    uint32_t count;           /* how many it waited for, one after the other; 0: no holder is known */
    int64_t gap_ns;           /* count > 1: the time of it in which its stream was going on from one to the next */
    bool rough;               /* one of several reasons, or not all who held it are known */
} wait_part;

/* A kernel in its EE queue. */
typedef struct queued_kernel {
    uint32_t op;            /* of the run */
    int64_t dispatched_max; /* the latest dispatched_ns of its level so far */
} queued_kernel;

/* A kernel that was fully dispatched: a kernel switch follows. */
typedef struct switch_start {
    int64_t time_ns;
    uint32_t op;
} switch_start;

typedef struct waits {
    const gcast_run *run; /* whose operations waited */
    bool known; /* false where times are of two clocks, or some are missing, or children are not recorded: then there
                   are no parts */
    chains streams;         /* launches of operations and of graphs */
    chains connections;     /* kernels, until they enter */
    chains engines;         /* copies */
    chains blocking;        /* operations of blocking streams: one group */
    size_t null_stream;     /* SIZE_MAX: the workload has none */
    uint32_t *launch_first; /* by operation: the first node of its graph's launch; itself, where it is no node */
    uint32_t *launch_last;  /* by operation: the node of that launch that was complete last */
    queued_kernel *kernels; /* those that ran, also children, by level, then by entry into the EE queue */
    uint32_t *place;        /* by operation: its index in kernels; WAIT_NO_HOLDER: it is none of them */
    size_t *first;          /* by level: its kernels are kernels[first[l]] to kernels[first[l + 1] - 1] */
    switch_start *switches; /* by time; as many as kernels */
    size_t kernel_count;
} waits;

/* False without memory. */
bool waits_make(waits *w, const gcast_run *run);
void waits_free(waits *w);

/* The parts of the wait from start_ns, which is not before the call, to the start of the operation, without gaps.
 * Returns how many there are. */
size_t waits_of(const waits *w, size_t op, int64_t start_ns, wait_part parts[WAIT_PARTS]);

#endif

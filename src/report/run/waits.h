/* What the operations of a simulated run waited for between their call and their start, by the rules of
 * gridcast/explain.h, as far as the times of operations tell without those of blocks. Where these leave several reasons
 * open, the part names all of them and is rough; no part names a reason that explain would not. */
#ifndef REPORT_RUN_WAITS_H
#define REPORT_RUN_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "gridcast/run.h"

/* A chain is the operations of a stream, a connection or a copy engine, in order: each waits for all in front of it.
 * These may be thousands, so that running sums are kept. */

typedef struct chain_item {
    uint64_t place;  /* in the order of its group */
    int64_t time_ns; /* when it is complete; others go on gap_ns later */
    uint32_t group;  /* stream, connection or engine */
    uint32_t op;     /* of the run */
} chain_item;

typedef struct chains {
    VEC(chain_item) items; /* by group, then by place */
    size_t *first;         /* by group: its items are first[g] to first[g + 1] - 1 */
    int64_t *until_ns;     /* by item: the maximum of time_ns + gap_ns so far in its group */
    int64_t *gaps_ns; /* by item: the time so far in its group in which all are complete, but the gap is not over */
    uint32_t *counts; /* by item: how many so far in its group hold others up longer than all in front of them */
    int64_t gap_ns;   /* from the completion of an item until others go on */
} chains;

/* Sorts the items and sums them up. False without memory. */
bool chains_finish(chains *c, size_t groups, int64_t gap_ns);
void chains_free(chains *c);

/* What is in front of a place at a time. */
typedef struct chain_front {
    size_t first, last; /* items that are waited for, one after the other; first > last: none */
} chain_front;

#define WAIT_PARTS 48 /* the maximum */
#define WAIT_NO_HOLDER UINT32_MAX

typedef struct wait_part {
    const char *rule;         /* "X1" */
    const char *why;          /* a sentence */
    int64_t start_ns, end_ns; /* of this part of the wait */
    uint32_t holder;          /* the operation that it waited for, of several the last; or WAIT_NO_HOLDER */
    uint32_t count;           /* how many it waited for, one after the other; 0: no holder is known */
    int64_t gap_ns;           /* count > 1: how much of the part was stream gaps */
    bool rough;               /* one of several possible reasons, or not all holders are known */
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
    queued_kernel *kernels; /* all that ran, also children, by level, then by entry into the EE queue */
    uint32_t *place;        /* by operation: its index in kernels; WAIT_NO_HOLDER: it is not there */
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

/* Operations that let others go on one after the other: those of a stream, a connection or a copy engine, in order.
 * What is behind one of them waits for all in front of it, of which there may be thousands, so that sums are kept. */
#ifndef REPORT_WAITS_WAIT_CHAINS_H
#define REPORT_WAITS_WAIT_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

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
    uint32_t *counts; /* by item: how many so far in its group hold others up longer than those in front of them */
    int64_t gap_ns;
} chains;

/* Sorts the items and sums them up. False without memory. */
bool chains_finish(chains *c, size_t groups, int64_t gap_ns);
void chains_free(chains *c);

/* What is in front of a place at a time. */
typedef struct chain_front {
    size_t first, last; /* items that are waited for, one after the other; first > last: none */
} chain_front;

/* The items of a group in front of `place` that hold others up after from_ns and before end_ns. */
chain_front chains_front(const chains *c, size_t group, uint64_t place, int64_t from_ns, int64_t end_ns);
/* Of the time from from_ns to end_ns: that in gaps. */
int64_t chains_gaps(const chains *c, chain_front f, int64_t from_ns, int64_t end_ns);
/* How many of them are waited for. */
uint32_t chains_count(const chains *c, chain_front f);

#endif

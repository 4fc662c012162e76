/* Operations in groups (of a stream, a connection, a copy engine), each group in the order in which its operations go.
 * What still holds others up at some time is found without a look at all that had left before. */
#ifndef SIMULATE_EXPLAIN_INDEX_OLDER_OPS_H
#define SIMULATE_EXPLAIN_INDEX_OLDER_OPS_H

#include "base/vec.h"
#include "gridcast/run.h"

typedef struct older_op {
    int group;
    uint64_t place;   /* in the order of its group: launch number or time */
    size_t run_op;    /* of a launch of a graph its last node */
    int64_t until_ns; /* it holds up others until then */
    size_t latest;    /* of its group up to here: index of the one with the largest until_ns, of several the first of
                         the run */
} older_op;

typedef struct older_ops {
    VEC(older_op) all; /* by group, place and run_op */
} older_ops;

/* False without memory. */
bool older_ops_add(older_ops *o, int group, uint64_t place, size_t run_op, int64_t until_ns);
/* To be called once, when all are there. */
void older_ops_sort(older_ops *o);
void older_ops_free(older_ops *o);

/* The index behind the last one of a group with a place before this one. Where there is none, *first is no smaller. */
size_t older_ops_before(const older_ops *o, int group, uint64_t place, size_t *first);
/* The first index from `first` on, up to `end`, from which on until_ns may be later than this time. */
size_t older_ops_after(const older_ops *o, size_t first, size_t end, int64_t time_ns);

#endif

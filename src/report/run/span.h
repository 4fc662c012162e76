/* A block, a copy or a kernel as an interval in a row of a picture or trace. */
#ifndef REPORT_RUN_SPAN_H
#define REPORT_RUN_SPAN_H

#include <stdint.h>

#include "base/vec.h"

typedef struct span {
    int64_t start, end; /* ns */
    uint64_t block;     /* its number in the kernel; of a rest, that of the block that waited */
    uint32_t op;        /* index in the operations of the run */
    uint32_t share;     /* of its SM, in 1/SHARE_ALL */
    uint32_t place;     /* its lane, or its offset in 1/SHARE_ALL */
} span;

typedef VEC(span) span_list;

/* By start; then by op, end and block, so that SMs with the same blocks have the same list. */
int span_order(const void *a, const void *b);

#endif

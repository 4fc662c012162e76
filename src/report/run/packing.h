/* Spans placed in rows so that no two cover each other. */
#ifndef REPORT_RUN_PACKING_H
#define REPORT_RUN_PACKING_H

#include <stdint.h>

#include "base/vec.h"

/* A block, a copy or a kernel as an interval in a row of a picture or trace. */
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

/* lanes_colour and lanes_pack need spans in the order of their starts, take a span without length as 1 ns long, and are
 * false without memory. */

/* Sets place to a lane from 0, so that no two spans of a lane overlap, with the minimum number of lanes. */
bool lanes_colour(span *spans, size_t count, uint32_t *lanes);

/* Sets place to the lowest free offset at the start of the span, so that [place, place + share) of spans that overlap
 * in time do not overlap. *top is the maximum of place + share. Takes time in proportion to count times the number of
 * spans that overlap. */
bool lanes_pack(span *spans, size_t count, uint32_t *top);

#endif

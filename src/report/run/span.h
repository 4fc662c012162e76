/* One block, or copy, or kernel, as an interval in a row of a picture or trace. */
#ifndef REPORT_RUN_SPAN_H
#define REPORT_RUN_SPAN_H

#include <stdint.h>

#include "base/vec.h"

typedef struct span {
    int64_t start, end;
    uint64_t block;
    uint32_t op;    /* index in the run's ops */
    uint32_t share; /* of its SM, in 1/SHARE_ALL */
    uint32_t place; /* its lane, or its offset in 1/SHARE_ALL */
} span;

typedef VEC(span) span_list;

/* By start; then, so that SMs alike give lists alike, by op, end and block. */
int span_order(const void *a, const void *b);

#endif

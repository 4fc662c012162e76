/* Times in logs of the examiner: seconds with nine decimals. */
#ifndef FILES_EXAMINER_LOG_SECONDS_H
#define FILES_EXAMINER_LOG_SECONDS_H

#include <math.h>

#include "files/json/object.h"

/* Seconds are doubles. Up to here, 13 days, they give every nanosecond. */
#define SECONDS_MAX_NS (INT64_C(1) << 50)

/* Seconds in nanoseconds, rounded to the nearest; an error below min_ns and above SECONDS_MAX_NS. */
static inline int64_t node_seconds(const node *n, int64_t min_ns)
{
    double ns = json_number_value(n->value) * 1e9;
    if (!json_is_number(n->value))
        node_fail(n, "must be a number of seconds");
    else if (min_ns == 0 && ns < 0)
        node_fail(n, "must not be negative");
    else if (!(ns >= (double)min_ns && ns <= (double)SECONDS_MAX_NS))
        node_fail(n, "more than 13 days");
    else
        return llround(ns);
    return 0;
}

#endif

/* Which values of a count of a GPU differ for a workload. */
#ifndef ANALYZE_ASSUMED_COUNT_RANGE_H
#define ANALYZE_ASSUMED_COUNT_RANGE_H

#include "gridcast/workload.h"

typedef struct count_range {
    int64_t least, most; /* fewer there are not, and more are as good as these */
    int64_t value;       /* that the GPU has, or one that is as good */
} count_range;

/* `field` is connections, copy_engines, copy_channels or priority_levels. */
count_range count_range_of(const gcast_workload *w, const char *field, int64_t value);

#endif

/* From latencies of calls to quantiles. */
#ifndef MEASURE_LATENCY_QUANTILES_OF_H
#define MEASURE_LATENCY_QUANTILES_OF_H

#include "gridcast/calibrate.h"
#include "measure/latency/latency_batch.h"

/* Of one condition: an entry for every quantile of which there are enough samples. Sorts the samples. */
gcast_latency quantiles_of_samples(latency_samples *s);
/* Of several conditions together: each quantile is the longest that any of them has; one of too few samples counts with
 * its maximum. So it holds under every condition, whatever the number of its samples. Launches, or else copies. */
gcast_latency quantiles_of_conditions(const gcast_latency_condition *conditions, size_t count, bool launches);

#endif

/* Latencies of calls, as they were measured. */
#ifndef MODEL_GPU_LATENCY_H
#define MODEL_GPU_LATENCY_H

#include "gridcast/gpu.h"

#define LATENCY_MAX_ONE_IN 1000000000
#define LATENCY_MAX_NS 86400000000000 /* a day */
#define LATENCY_MAX_SAMPLES 1000000000000

/* Is it consistent? `path` is that of the list in a GPU file. */
gcast_status latency_check(const gcast_latency *l, const char *path, gcast_error *err);

/* Widens what was measured so that the usual latency is in it. */
void latency_include(gcast_latency *l, int64_t usual_ns);

#endif

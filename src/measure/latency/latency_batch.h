/* A batch of calls under one condition, between two alignments of the clocks. */
#ifndef MEASURE_LATENCY_LATENCY_BATCH_H
#define MEASURE_LATENCY_LATENCY_BATCH_H

#include "measure/calibrate/samples.h"
#include "measure/latency/state.h"

/* The latencies of calls under one condition. */
typedef struct latency_samples {
    samples longest_ns; /* of each call the longest that the clocks allow */
    int64_t min_ns;     /* the shortest that they allow for any call; -1: there is none */
} latency_samples;

/* Makes at most `max_count` calls, and none after `max_ns`, but always one. */
gcast_status latency_batch_run(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                               latency_samples *out, gcast_error *err);
/* The same, where only the times of calls and ends count, which are in the session; *count: so many were made. */
gcast_status latency_batch_time(latency_session *s, const gcast_latency_condition *c, size_t max_count, int64_t max_ns,
                                size_t *count, gcast_error *err);
/* Calls that do not count: the first launch and the first copies, for which the driver prepares things. */
gcast_status latency_warm_up(latency_session *s, gcast_error *err);

#endif

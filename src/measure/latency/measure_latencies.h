/* Latencies of calls under every condition: by pause, GPU idle or busy, host idle or busy. */
#ifndef MEASURE_LATENCY_MEASURE_LATENCIES_H
#define MEASURE_LATENCY_MEASURE_LATENCIES_H

#include "gridcast/calibrate.h"
#include "measure/calibrate/samples.h"

#define LATENCY_CONDITIONS (3 * 4 * 2 * 2) /* calls, pauses, GPU, host */

typedef struct latency_results {
    gcast_latency_condition conditions[LATENCY_CONDITIONS];
    int64_t widest_ns; /* the widest interval that the clocks left open */
    int host_threads;  /* that kept the host busy */
} latency_results;

/* Takes about options->latency_ns, and at most one and a half times that. `copies` is what copies to the
 * device and to the host take from their start; 0 bytes_per_s: not known. *slow gets what long copies take, in percent
 * of that. */
gcast_status latencies_measure(int sms, const gcast_measure_options *options, const copy_fit copies[2],
                               latency_results *out, samples *slow, gcast_error *err);

#endif

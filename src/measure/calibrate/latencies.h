/* Measures latencies of calls under every condition: by pause, GPU idle or busy, host idle or busy; and how far the
 * times of long copies vary. */
#ifndef MEASURE_CALIBRATE_LATENCIES_H
#define MEASURE_CALIBRATE_LATENCIES_H

#include "measure/calibrate/latency_session.h"
#include "measure/calibrate/observations.h"
#include "measure/calibration.h"

#define LATENCY_CONDITIONS (3 * 4 * 2 * 2) /* calls, pauses, GPU, host */

typedef struct latency_results {
    gcast_latency_condition conditions[LATENCY_CONDITIONS];
    int64_t widest_ns; /* the widest interval that the clocks left open */
    int host_threads;  /* which kept the host busy */
} latency_results;

/* Takes about options->latency_ns, and at most one and a half times that. `copies` are the times of copies to the
 * device and to the host from their start; 0 bytes_per_s: not known. *slow gets the times of long copies, in percent of
 * that. */
gcast_status latencies_measure(int sms, const gcast_measure_options *options, const copy_fit copies[2],
                               latency_results *out, samples *slow, gcast_error *err);

/* The quantiles of one condition: all for which there are enough samples. Sorts the samples. */
gcast_latency quantiles_of_samples(latency_samples *s);
/* The quantiles of several conditions together, of launches or of copies: each is the longest of any condition, where
 * one with too few samples counts with its maximum. So it holds under every condition, whatever the number of samples.
 */
gcast_latency quantiles_of_conditions(const gcast_latency_condition *conditions, size_t count, bool launches);

#endif

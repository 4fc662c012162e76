/* How far long copies vary, whose bytes count and not their latency. */
#ifndef MEASURE_LATENCY_LONG_COPIES_H
#define MEASURE_LATENCY_LONG_COPIES_H

#include "measure/calibrate/samples.h"
#include "measure/latency/state.h"

/* Adds what each copy takes, from its call until the host sees its end, in percent of what `copies` says, rounded up;
 * with GPU and host idle and busy. Those whose bandwidth is not known are left out. */
gcast_status long_copies_measure(latency_session *s, const copy_fit copies[2], samples *percents, gcast_error *err);

#endif

/* The GPU made ready for calls whose latency is measured. */
#ifndef MEASURE_LATENCY_LATENCY_SESSION_H
#define MEASURE_LATENCY_LATENCY_SESSION_H

#include "measure/latency/state.h"

/* `sms` 0: the whole GPU. Closes what it opened where it fails. */
gcast_status latency_session_open(latency_session *s, int sms, const gcast_measure_options *options, gcast_error *err);
void latency_session_close(latency_session *s);
/* Waits until a stream is idle, and says when that was seen. */
gcast_status latency_wait(latency_session *s, CUstream stream, int64_t *seen_ns, gcast_error *err);

#endif

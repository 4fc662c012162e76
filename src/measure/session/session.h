/* A session on the GPU: streams, compiled kernels, memory for copies and for the records of blocks, and events are made
 * before the first run, and freed after the last. */
#ifndef MEASURE_SESSION_SESSION_H
#define MEASURE_SESSION_SESSION_H

#include "measure/session/state.h"

gcast_status session_open(session *s, const gcast_workload *w, const gcast_measure_options *options, gcast_error *err);
void session_close(session *s);

#endif

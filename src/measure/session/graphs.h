/* The graphs of a session: one for each launch of a graph and each job that has it, made before the first run. */
#ifndef MEASURE_SESSION_GRAPHS_H
#define MEASURE_SESSION_GRAPHS_H

#include "measure/session/state.h"

/* Needs all that kernels and copies need to be made. */
gcast_status graphs_make(session *s, gcast_error *err);

#endif

/* Makes the graphs of a session before the first run: one for each launch of a graph in each job. */
#ifndef MEASURE_SESSION_GRAPHS_H
#define MEASURE_SESSION_GRAPHS_H

#include "measure/session/session.h"

/* The kernels, events and memory of the session must be there. */
gcast_status graphs_make(session *s, gcast_error *err);

#endif

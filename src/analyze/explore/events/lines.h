/* Connections and channels. */
#ifndef ANALYZE_EXPLORE_EVENTS_LINES_H
#define ANALYZE_EXPLORE_EVENTS_LINES_H

#include "analyze/explore/events/states/state.h"

/* A job that is called joins a connection, or a channel of its copy engine: which one; -1: they decide nothing. */
int event_join_line(event_search *q, event_state *s, uint32_t job);

#endif

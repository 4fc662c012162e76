/* What the GPU remembers while it is idle: where blocks, kernels and copies went. */
#ifndef ANALYZE_EXPLORE_EVENTS_STATES_IDLE_MEMORY_H
#define ANALYZE_EXPLORE_EVENTS_STATES_IDLE_MEMORY_H

#include "analyze/explore/events/states/state.h"

/* Does an idle GPU remember anything that decides a time later? */
bool event_remembers(const event_search *q);
/* Notes what the GPU remembers, if all that was called is complete. False: with a refusal, or without memory. */
bool event_note_memory(event_search *q, const event_state *s);

#endif

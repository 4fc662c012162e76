#ifndef SIMULATE_ENGINE_STREAM_QUEUE_H
#define SIMULATE_ENGINE_STREAM_QUEUE_H

#include "simulate/state/state.h"

/* G1: o was called. */
void stream_call(sim *s, uint32_t o);
/* Operations whose launch latency is over arrive. */
void stream_arrivals(sim *s);
/* G2: operations that may do so enter the queues of their engines. */
void stream_entries(sim *s);
/* o is complete and will leave its stream's queue. */
void stream_complete(sim *s, uint32_t o);
/* G4: operations leave their streams' queues, and others may follow. */
void stream_departures(sim *s);
/* Events of operations that ended an event gap ago are seen: what waited for the last of its events may enter. */
void stream_events(sim *s);
/* Kernels may be heads whose programmatic trigger is seen now. */
void stream_triggers(sim *s);
/* Nodes of graphs that have seen the last of their edges may enter. */
void stream_nodes(sim *s);
/* When the next arrival, departure, event or turn is; INT64_MAX: there is none. */
int64_t stream_next_time(const sim *s);

#endif

/* Stream queues and connections: the way of an operation from its call to its engine's queue, and its departure. */
#ifndef SIMULATE_ENGINE_STREAM_QUEUE_H
#define SIMULATE_ENGINE_STREAM_QUEUE_H

#include "simulate/engine/state.h"

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
/* Events of operations that ended an event gap ago are seen: an operation that waited for its last event may enter. */
void stream_events(sim *s);
/* Programmatic triggers are seen: the kernels behind may be heads. */
void stream_triggers(sim *s);
/* Nodes of graphs whose last edge is seen may enter. */
void stream_nodes(sim *s);
/* When the next arrival, departure, event or turn is; INT64_MAX: there is none. */
int64_t stream_next_time(const sim *s);

#endif

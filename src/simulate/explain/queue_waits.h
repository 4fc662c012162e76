/* The waits of operations in the queues in front of engines. */
#ifndef SIMULATE_EXPLAIN_QUEUE_WAITS_H
#define SIMULATE_EXPLAIN_QUEUE_WAITS_H

#include "simulate/explain/explanation.h"

/* Adds the waits from the call of an operation to its entry into the engine's queue; false without memory. */
bool explain_queue(explain *e, const gcast_run *run, size_t subject);
/* Adds the waits from the entry of a copy to its start. */
void explain_copy(explain *e, const gcast_run *run, size_t subject);

#endif

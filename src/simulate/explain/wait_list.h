/* The waits of an explanation, one after the other. */
#ifndef SIMULATE_EXPLAIN_WAIT_LIST_H
#define SIMULATE_EXPLAIN_WAIT_LIST_H

#include "simulate/explain/state.h"

/* Adds a wait of the operation that is explained, or makes the last one longer where nothing but the time is different.
 * A wait that takes no time is left out. */
void explain_add_wait(explain *e, gcast_wait wait);
/* Adds a wait for resources that these operations hold. */
void explain_add(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, unsigned resources,
                 const gcast_holder *holders, size_t count);
/* Adds a wait for the shared memory of SMs to take another size. */
void explain_add_size(explain *e, int64_t from_ns, int64_t to_ns, int64_t size_bytes, int64_t min_bytes,
                      const gcast_holder *holders, size_t count);
/* Adds a wait for one other operation. */
void explain_add_for(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, size_t holder);

#endif

/* Programmatic launches: when a kernel may be the head of its stream while the one before it runs, and in which order
 * they are complete. */
#ifndef SIMULATE_WAITS_PROGRAMMATIC_ORDER_H
#define SIMULATE_WAITS_PROGRAMMATIC_ORDER_H

#include "simulate/waits/state.h"

/* o is called; the operation that was called before it in its stream is still the last one of that. */
void programmatic_call(sim *s, uint32_t o);
/* A block of o triggers at this time, or ends. */
void programmatic_trigger(sim *s, uint32_t o, int64_t time);
/* When the next trigger is seen. */
int64_t programmatic_next_time(const sim *s);
/* Is o, which is not the first of its stream's queue, the head because the kernel before it has triggered? */
bool programmatic_is_head(const sim *s, uint32_t o);
/* The first operation of a stream's queue that has not been the head; NONE. */
uint32_t programmatic_next(const sim *s, uint32_t first);
/* The next kernel behind one whose trigger is seen now, by launch; NONE: none is left. */
uint32_t programmatic_candidate(sim *s);
/* The last block of the kernel o has ended. False: it is not complete, as the operation before it is not. */
bool programmatic_completes(sim *s, uint32_t o);
/* The first operation of a stream's queue that has not entered, nor waits for its turn; NONE. */
uint32_t programmatic_waiting(const sim *s, uint32_t first);

#endif

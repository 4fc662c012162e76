/* The execution engine: its queues, and the dispatch of blocks. */
#ifndef SIMULATE_ENGINE_EXECUTION_QUEUE_H
#define SIMULATE_ENGINE_EXECUTION_QUEUE_H

#include "simulate/engine/state.h"

/* A1: o enters the queue of its level. */
void execution_enter(sim *s, uint32_t o);
/* o, which may be a child, enters the queue of this level. */
void execution_enter_level(sim *s, uint32_t o, int level);
/* Dispatches blocks that fit, head after head. */
void execution_dispatch(sim *s);

/* Dispatches the blocks of o that fit on SMs that are not closed, whether or not o is the head. */
void execution_start_fitting(sim *s, uint32_t o);

/* G3: all blocks of o have been dispatched. */
void execution_dispatched(sim *s, uint32_t o);

/* Releases the resources of all groups whose time has come. */
void released_collect(sim *s);
/* Dispatches blocks in released resources, in the order in which these are seen, and wherever else blocks fit. */
void released_dispatch(sim *s);

#endif

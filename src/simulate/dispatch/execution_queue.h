#ifndef SIMULATE_DISPATCH_EXECUTION_QUEUE_H
#define SIMULATE_DISPATCH_EXECUTION_QUEUE_H

#include "simulate/state/state.h"

/* A1: o enters the queue of its level. */
void execution_enter(sim *s, uint32_t o);
/* o, which may be a child, enters the queue of this level. */
void execution_enter_level(sim *s, uint32_t o, int level);
/* Dispatch what fits, head after head. */
void execution_dispatch(sim *s);
/* Dispatch what fits of the head alone; false when that was its last block. */
bool execution_head_starts(sim *s);
/* Dispatch what fits of o on SMs that are not closed, whoever is the head. */
void execution_start_fitting(sim *s, uint32_t o);
/* Would the head take all free resources, in whatever order they are seen? */
bool execution_takes_all(sim *s);
/* G3: all blocks of o have been dispatched. */
void execution_dispatched(sim *s, uint32_t o);

#endif

/* Decisions of launchers whether to launch children. */
#ifndef SIMULATE_ENGINE_LAUNCH_DECISION_H
#define SIMULATE_ENGINE_LAUNCH_DECISION_H

#include "simulate/engine/launch_state.h"

/* The launchers of all blocks whose time has come decide. */
void decide_now(sim *s);
/* When the launchers of a block decide next; INT64_MAX: there is none. */
static inline int64_t decide_next_time(sim *s)
{
    const heap_item *top = heap_top(&s->launch->decisions);
    return top ? top->time : INT64_MAX;
}

#endif

/* The caller's progress function: it learns how far the simulation is, and may stop it. */
#ifndef SIMULATE_STATE_POLL_H
#define SIMULATE_STATE_POLL_H

#include "simulate/state/state.h"

void sim_report_progress(sim *s);

/* To be called after every step of a loop that may last long. */
static inline void sim_poll(sim *s)
{
    if ((++s->poll_count & 0xffff) == 1)
        sim_report_progress(s);
}

#endif

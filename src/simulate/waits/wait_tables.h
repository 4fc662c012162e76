/* The state of programmatic launches and of blocks that wait: its memory, and what it holds before a simulation. */
#ifndef SIMULATE_WAITS_WAIT_TABLES_H
#define SIMULATE_WAITS_WAIT_TABLES_H

#include "simulate/waits/state.h"

/* s->waits, where the workload needs it; and how each kernel's blocks start. False without memory. */
bool wait_tables_init(sim *s);
void wait_tables_free(sim *s);

#endif

/* Reaction and age of chains of tasks (docs/amalthea.md, 15 to 17). */
#ifndef ANALYZE_SYSTEM_CHAIN_LATENCY_H
#define ANALYZE_SYSTEM_CHAIN_LATENCY_H

#include "analyze/system/system_work.h"

/* Fills in the latencies and verdicts of all chains. False without memory. */
bool chains_answer(const system_work *x, sys_answer *a);

#endif

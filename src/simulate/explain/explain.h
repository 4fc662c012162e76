#ifndef SIMULATE_EXPLAIN_EXPLAIN_H
#define SIMULATE_EXPLAIN_EXPLAIN_H

#include "simulate/explain/state.h"

/* gcast_run_explain, up to a goal. */
gcast_status explain_to(const gcast_run *run, size_t run_op, explain_goal goal, gcast_explanation **out,
                        gcast_error *err);

#endif

/* Explanations with an index of the run that is made once. */
#ifndef SIMULATE_EXPLAIN_EXPLAIN_H
#define SIMULATE_EXPLAIN_EXPLAIN_H

#include "simulate/explain/explanation.h"

/* Can operations of the run be explained? */
gcast_status explain_check_run(const gcast_run *run, gcast_error *err);
/* gcast_run_explain, up to a goal, with an index of the run. */
gcast_status explain_to(const gcast_run *run, const run_index *index, size_t run_op, explain_goal goal,
                        gcast_explanation **out, gcast_error *err);
/* The same for callers that follow only the last wait: of the operations in front of it in a stream, which may be
 * thousands, only the last one is told. */
gcast_status explain_briefly(const gcast_run *run, const run_index *index, size_t run_op, explain_goal goal,
                             gcast_explanation **out, gcast_error *err);

#endif

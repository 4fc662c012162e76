/* How many blocks of a kernel an SM holds, by what the profile says of it, and the carveout that it ran with. */
#ifndef PROFILE_MAKE_TIMES_SPAN_RESIDENCY_H
#define PROFILE_MAKE_TIMES_SPAN_RESIDENCY_H

#include "profile/make/state.h"

/* What a block needs; what is not told counts as 0. */
gcast_block_shape block_shape_of(const prof_op *op);
/* Does an SM hold a block of it? Else it cannot be launched on such a GPU. */
bool can_launch(const gcast_limits *limits, const prof_op *op);
/* At least 1. */
int residency_of(const gcast_limits *limits, const prof_op *op);
/* The carveout that gives the shared memory that its SMs had: `driver` where the profile does not say it. */
gcast_op_carveout carveout_for(const gcast_limits *limits, const prof_op *op, bool *fits);
/* What is not told, or cannot be said in a workload. False without memory. */
bool residency_findings(making *m);

#endif

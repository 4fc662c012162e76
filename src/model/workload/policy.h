/* Policies: who decides which SM does which part of a kernel's work. */
#ifndef MODEL_WORKLOAD_POLICY_H
#define MODEL_WORKLOAD_POLICY_H

#include "base/arena.h"
#include "gridcast/workload.h"

#define POLICY_MAX_FILL 2048 /* workers launched per SM: no SM holds more blocks */

/* Does gcast_plan_check accept the plan of the op that is to be added next? If not, it cannot even be copied. */
gcast_status policy_check_given(const gcast_workload *w, const gcast_plan *plan, gcast_error *err);
/* A copy of a plan; NULL without memory. */
const gcast_plan *policy_copy_plan(arena *memory, const gcast_plan *plan);
/* Do policy, plan and fill of an op fit together and to the rest of the op? */
gcast_status policy_check(const gcast_workload *w, size_t op, gcast_error *err);
/* Is every plan for as many SMs as the GPU has, which may be a partition? */
gcast_status policy_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* An error where a kernel is not scheduled by the GPU alone, or launches kernels: for callers that support no other
 * kernels. `refusal` is a sentence that says what they cannot do. */
gcast_status policy_refuse(const gcast_workload *w, const char *refusal, gcast_error *err);

#endif

/* What the findings about a system mean for the answers about its tasks. */
#ifndef ANALYZE_SYSTEM_EFFECTS_TASK_EFFECTS_H
#define ANALYZE_SYSTEM_EFFECTS_TASK_EFFECTS_H

#include "analyze/system/state.h"

/* Can more jobs of a task be pending than its limit of activations allows? Those above it would be lost. */
bool task_loses_jobs(const system_work *x, int task);

/* Fills in the effects of all tasks. A finding about a task reaches all that share a core or the GPU with it, trigger
 * it or are triggered by it, and what these reach. False without memory. */
bool task_effects_find(const system_work *x, arena *memory, sys_task_answer *tasks);

/* Those of all tasks that a limit is about, and its own. */
unsigned limit_effects(const sys_task_answer *tasks, const sys_limit *l);

/* A verdict with the effects of all that it is about. `grows`: it can only become worse where times grow, as that of an
 * upper limit on a response; `seen`: it rests on an execution, not on a least time. */
gcast_deadline_verdict verdict_with_effects(gcast_deadline_verdict v, unsigned effects, bool grows, bool seen);

#endif

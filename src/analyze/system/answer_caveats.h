/* Caveats of an answer: how findings about the model affect its verdicts, and sentences that say why there is no bound
 * and what the answer assumes. */
#ifndef ANALYZE_SYSTEM_ANSWER_CAVEATS_H
#define ANALYZE_SYSTEM_ANSWER_CAVEATS_H

#include "analyze/system/system_work.h"

/* Sets the effects of all tasks. A finding about a task affects every task that shares a core or the GPU with it,
 * triggers it or is triggered by it, and so on. False without memory. */
bool task_effects_find(const system_work *x, arena *memory, sys_task_answer *tasks);

/* The effects of a limit: its own, and those of all its tasks. */
unsigned limit_effects(const sys_task_answer *tasks, const sys_limit *l);

/* A verdict after findings. `grows`: longer times can only make it worse, as for an upper limit on a response; `seen`:
 * it rests on an execution, not on a least time. */
gcast_deadline_verdict verdict_with_effects(gcast_deadline_verdict v, unsigned effects, bool grows, bool seen);

/* A sentence in the memory of the answer; NULL without memory. */
const char *system_sentence(arena *memory, const char *format, ...) GCAST_PRINTF(2, 3);
/* Why a task has no bound; NULL without memory. */
const char *system_why_not(const system_work *x, int task, arena *memory);
/* Lists the assumptions of the answer; false without memory. */
bool system_assumptions(const system_work *x, sys_answer *a);

#endif

/* What an analysis found, as an answer. */
#ifndef ANALYZE_SYSTEM_ANSWER_MAKE_H
#define ANALYZE_SYSTEM_ANSWER_MAKE_H

#include "analyze/system/state.h"

gcast_status system_answer_make(system_work *x, sys_answer **out);
/* Why a task has no bound, a sentence in the memory of the answer; NULL without memory. */
const char *system_why_not(const system_work *x, int task, arena *memory);
/* What the answer rests on; false without memory. */
bool system_assumptions(const system_work *x, sys_answer *a);

#endif

/* Sentences of an answer. */
#ifndef ANALYZE_SYSTEM_ANSWER_TEXTS_H
#define ANALYZE_SYSTEM_ANSWER_TEXTS_H

#include "analyze/system/state.h"

/* A sentence in the memory of the answer; NULL without memory. */
const char *system_sentence(arena *memory, const char *format, ...) GCAST_PRINTF(2, 3);
/* Why a task has no bound; NULL without memory. */
const char *system_why_not(const system_work *x, int task, arena *memory);
/* What the answer rests on; false without memory. */
bool system_assumptions(const system_work *x, sys_answer *a);

#endif

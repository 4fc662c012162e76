/* Limits of an answer: what their times are, and whether they are kept. */
#ifndef ANALYZE_SYSTEM_LIMITS_LIMITS_ANSWER_H
#define ANALYZE_SYSTEM_LIMITS_LIMITS_ANSWER_H

#include "analyze/system/state.h"

/* Marks tasks whose steps are needed, before the analysis. */
void limits_mark(system_work *x);
/* Fills in all limits of an answer. False without memory. */
bool limits_answer(system_work *x, sys_answer *a);

#endif

/* Limits of an answer: their times and verdicts. */
#ifndef ANALYZE_SYSTEM_LIMITS_ANSWER_H
#define ANALYZE_SYSTEM_LIMITS_ANSWER_H

#include "analyze/system/system_work.h"

/* Before the analysis: marks tasks whose ends of steps a limit needs. */
void limits_mark(system_work *x);
/* Fills in all limits of an answer. False without memory. */
bool limits_answer(system_work *x, sys_answer *a);

#endif

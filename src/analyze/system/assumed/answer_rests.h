/* Verdicts of a system that another analysis of it does not show. */
#ifndef ANALYZE_SYSTEM_ASSUMED_ANSWER_RESTS_H
#define ANALYZE_SYSTEM_ASSUMED_ANSWER_RESTS_H

#include "model/system/system_answer.h"

/* Is there a verdict that may rest on the GPU? */
bool answer_may_rest(const sys_answer *a);
/* What `other` does not show to be met is met on a condition; without `other`, all that the GPU can make later. False:
 * there is such a thing. */
bool answer_compare(sys_answer *a, const sys_answer *other);

#endif

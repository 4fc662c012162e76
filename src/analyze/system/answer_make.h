/* What an analysis found, as an answer. */
#ifndef ANALYZE_SYSTEM_ANSWER_MAKE_H
#define ANALYZE_SYSTEM_ANSWER_MAKE_H

#include "analyze/system/state.h"

gcast_status system_answer_make(system_work *x, sys_answer **out);

#endif

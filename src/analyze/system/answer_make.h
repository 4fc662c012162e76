/* Makes the answer from the finished analysis. */
#ifndef ANALYZE_SYSTEM_ANSWER_MAKE_H
#define ANALYZE_SYSTEM_ANSWER_MAKE_H

#include "analyze/system/system_work.h"

gcast_status system_answer_make(system_work *x, sys_answer **out);

#endif

/* Do verdicts of a system rest on numbers of its GPU that nobody has measured, or on what models leave open? */
#ifndef ANALYZE_SYSTEM_SYSTEM_ASSUMED_H
#define ANALYZE_SYSTEM_SYSTEM_ASSUMED_H

#include "analyze/system/system_analysis.h"

/* Analyzes the system with other values, as gcast_answer_move_assumed does for workloads. A verdict that does not hold
 * with all of them becomes "met if"; an assumption of the answer names the numbers. */
gcast_status system_assumed_try(sys_answer *a, const sys_analyze_options *options, gcast_error *err);

#endif

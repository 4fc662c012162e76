/* Limits in an execution that was tried: one that is broken there is missed, whatever a bound leaves open. */
#ifndef ANALYZE_SYSTEM_LATE_LIMIT_RUNS_H
#define ANALYZE_SYSTEM_LATE_LIMIT_RUNS_H

#include "model/system/system_answer.h"
#include "model/system/system_run.h"

/* Has the system limits that an execution with the shortest times may break? */
bool limits_from_below(const sys_system *s);
/* Are slices needed to see some of its limits? */
bool limits_need_slices(const sys_system *s);
/* Looks at all limits that the execution shows; `tried` is its place in tried[]. A time beyond its bounds is
 * GCAST_INTERNAL. */
gcast_status limits_look(sys_answer *a, const sys_run *run, int tried, gcast_error *err);

#endif

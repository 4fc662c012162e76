/* What is told of an analysis of a system: its reports, and which deadlines are not met. */
#ifndef CLI_SYSTEM_SYSTEM_VERDICT_H
#define CLI_SYSTEM_SYSTEM_VERDICT_H

#include "cli/args.h"
#include "model/system/system_answer.h"
#include "model/system/system_search.h"

/* Writes all that the options ask for, then says which deadlines are missed or open. `search`: the search that found
 * the mapping, or NULL. GCAST_OK where all deadlines are met, GCAST_CONDITION where they are on a condition, or
 * GCAST_NO. Errors are printed. */
gcast_status system_tell(const args *a, sys_answer *r, const sys_search *search);

#endif

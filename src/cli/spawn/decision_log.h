/* --log: the decisions of SPAWN as lines of gridcast.decisions/1, as cuda/gridcast_spawn_log.h writes those of a GPU.
 */
#ifndef CLI_SPAWN_DECISION_LOG_H
#define CLI_SPAWN_DECISION_LOG_H

#include "cli/output/output.h"

void decision_log_head(output *out);
/* gcast_spawn_options.log; `out` is an output. */
void decision_log_row(void *out, const gcast_spawn_decision *decision);

#endif

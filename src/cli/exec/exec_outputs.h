/* What exec writes: its report, the masks of a warp, buffers and a workload. */
#ifndef CLI_EXEC_EXEC_OUTPUTS_H
#define CLI_EXEC_EXEC_OUTPUTS_H

#include "cli/exec/state.h"

/* Can every -o be written? Asked before anything runs. Sets stdout_is_used. Errors are printed. */
gcast_status exec_outputs_check(execution *x);
/* Writes all that was asked for. GCAST_NO where buffers differ from --expect, or --races found some. */
gcast_status exec_outputs_write(execution *x);

#endif

/* Which SM each block of a launch runs on, and the order in which blocks start: --placement, --sms and --gpu. */
#ifndef CLI_EXEC_EXEC_PLACEMENT_H
#define CLI_EXEC_EXEC_PLACEMENT_H

#include "cli/exec/state.h"

/* Sets sms and the placement of the options, which have been read. Errors are printed. */
gcast_status exec_placement_read(execution *x);
void exec_placement_free(execution *x);

#endif

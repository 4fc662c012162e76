/* Options that say how a kernel is executed. */
#ifndef CLI_EXEC_EXEC_OPTIONS_H
#define CLI_EXEC_EXEC_OPTIONS_H

#include "cli/exec/state.h"

/* Sets options, gpu_options, gpu and cost. The program and the launch have been read. Errors are printed. */
gcast_status exec_options_read(execution *x);

#endif

/* Runs a launch, on this computer or with --device on its GPU. */
#ifndef CLI_EXEC_EXECUTE_H
#define CLI_EXEC_EXECUTE_H

#include "cli/exec/state.h"

/* Sets report or times, cost and printed. Errors are printed. */
gcast_status execute(execution *x);

/* An error of the library about the program or the launch: names the file, and the option that is to blame. */
gcast_status execution_say_error(const execution *x, gcast_error *err);

#endif

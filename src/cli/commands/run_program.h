/* Runs a program in place of this command: it has the standard input and output and the signals of this process, which
 * takes over its exit status. */
#ifndef CLI_COMMANDS_RUN_PROGRAM_H
#define CLI_COMMANDS_RUN_PROGRAM_H

#include <stdbool.h>

#include "gridcast/error.h"

/* A variable in the environment of the program; a NULL name ends a list. */
typedef struct environment {
    const char *name, *value;
} environment;

/* *status is the exit status as shells have it: 128 plus the number of the signal that ended the program. If the
 * program does not exist it is 127, and if it cannot be executed 126; that is printed, and *has_run is false. Signals
 * to this process are sent on to the program; after its end they set what program_is_stopped returns. */
gcast_status program_run(const char *const *argv, const environment *variables, int *status, bool *has_run);
/* The number of a signal that came after the end of the program; 0: none. */
int program_is_stopped(void);
/* Restores what signals did before the program ran. A signal that came after its end takes effect now. */
void program_stop(void);

#endif

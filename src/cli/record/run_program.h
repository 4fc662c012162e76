/* Runs a program in place of this command: with its standard input and output, its signals and its exit status. */
#ifndef CLI_RECORD_RUN_PROGRAM_H
#define CLI_RECORD_RUN_PROGRAM_H

#include <stdbool.h>

#include "gridcast/error.h"

/* What the program finds in its environment: name and value; a NULL name ends a list. */
typedef struct environment {
    const char *name, *value;
} environment;

/* *status is its exit status, as shells tell it: 128 and the number of the signal that ended it; 127 and 126 where
 * there is no such program, or it cannot be executed, which is printed (*has_run is false). Signals that this process
 * gets are sent on to it, and from its end on they set what program_is_stopped tells. */
gcast_status program_run(const char *const *argv, const environment *variables, int *status, bool *has_run);
/* The number of a signal that came after the end of the program; 0: none. */
int program_is_stopped(void);
/* Signals do again what they did before. */
void program_signals_restore(void);
/* The same, and one that came after the end of the program does it now. */
void program_stop(void);

#endif

/* --completion: the scripts that make a shell complete gridcast's command lines. */
#ifndef CLI_COMPLETION_COMPLETION_SCRIPTS_H
#define CLI_COMPLETION_COMPLETION_SCRIPTS_H

#include "gridcast/error.h"

/* --completion SHELL: prints the script. Errors are printed. */
gcast_status print_completion(const char *shell);

#endif

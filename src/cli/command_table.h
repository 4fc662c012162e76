/* The table of all commands. */
#ifndef CLI_COMMAND_TABLE_H
#define CLI_COMMAND_TABLE_H

#include "cli/command.h"

/* In the order of --help. */
extern const command *const commands[];
extern const size_t command_count;

/* NULL: there is no command of this name. */
const command *command_find(const char *name);

#endif

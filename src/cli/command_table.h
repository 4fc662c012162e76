/* All commands, and what --help prints of them. */
#ifndef CLI_COMMAND_TABLE_H
#define CLI_COMMAND_TABLE_H

#include <stdio.h>

#include "cli/command.h"

/* In the order of --help. */
extern const command *const commands[];
extern const size_t command_count;

/* NULL: there is no command of this name. */
const command *command_find(const char *name);

/* gridcast --help */
void print_help(FILE *out);
/* gridcast COMMAND --help */
void print_command_help(const command *cmd, FILE *out);
/* gridcast COMMAND --help amalthea: the options for AMALTHEA models. */
void print_system_help(const command *cmd, FILE *out);

#endif

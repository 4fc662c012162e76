/* What --help prints, from the commands' structs. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* gridcast --help */
void print_help(FILE *out);
/* gridcast COMMAND --help */
void print_command_help(const command *cmd, FILE *out);
/* gridcast COMMAND --help amalthea: the options that AMALTHEA models have. */
void print_system_help(const command *cmd, FILE *out);

#endif

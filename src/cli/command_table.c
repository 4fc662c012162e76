#include "cli/command_table.h"

#include <string.h>

const command *const commands[] = {
#define X(id) &cmd_##id,
    COMMAND_TABLE(X)
#undef X
};
const size_t command_count = sizeof commands / sizeof commands[0];

const command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

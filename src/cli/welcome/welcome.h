/* gridcast without a command: what it is, and commands to try, which work where it was called. */
#ifndef CLI_WELCOME_WELCOME_H
#define CLI_WELCOME_WELCOME_H

#include <stdio.h>

/* `called` is the name that gridcast was called by, or NULL: the commands begin with it. */
void print_welcome(const char *called, FILE *out);

#endif

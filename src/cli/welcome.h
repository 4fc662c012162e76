/* gridcast without a command says what it is, and shows commands to try, which work in the current folder. */
#ifndef CLI_WELCOME_H
#define CLI_WELCOME_H

#include <stdio.h>

/* `called` is the name that gridcast was called by, with which the commands begin; or NULL. */
void print_welcome(const char *called, FILE *out);

#endif

/* The command line of one command, parsed. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/choices.h"
#include "cli/command.h"

#define MAX_OPTIONS 64 /* the maximum per command line, and per command */

struct args {
    const command *cmd; /* the command */
    struct {
        const option_spec *spec; /* the option */
        const char *value;       /* NULL where the option takes none */
    } given[MAX_OPTIONS];        /* the options, in the order in which they were given */
    size_t given_count;          /* how many options were given */
    int argc;                    /* as they were typed, from the command's name on */
    char **argv;                 /* . */
    const char *const *operands;
    size_t operand_count;
};

/* The i-th option that a command takes, its own first, those of AMALTHEA models, and then those that every command has;
 * NULL: it has fewer. */
const option_spec *command_option(const command *cmd, size_t i);

/* The command's option of this name as AMALTHEA models have it; NULL: they do not. */
const option_spec *command_shared(const command *cmd, const char *name);
/* Does every command have it? */
bool command_is_common(const option_spec *option);

/* argv[0] is the command's name. Errors are printed. */
gcast_status args_parse(const command *cmd, int argc, char **argv, args *a);
/* Is given[i] the option --NAME? */
bool args_is(const args *a, size_t i, const char *name);
bool args_has(const args *a, const char *name);
/* The last value given, or NULL. */
const char *args_value(const args *a, const char *name);

/* Each of these leaves *out as it is where the option is not given, and says what is wrong with its value. */
gcast_status args_int(const args *a, const char *name, int64_t min, int64_t max, int64_t *out);
/* A time in nanoseconds. */
gcast_status args_time(const args *a, const char *name, int64_t *out);
/* A time that is above 0 and below 2^61 ns. */
gcast_status args_span(const args *a, const char *name, int64_t *out);
/* X[,Y[,Z]], each from 1 to its maximum; what is left out is 1. An error where it is not given. */
gcast_status args_dims(const args *a, const char *name, const uint32_t max[3], uint32_t out[3]);
/* The index of the value in a list of words. */
gcast_status args_choice(const args *a, const char *name, choice *list, int *out);

/* An error where an option is given that is not in the NULL-terminated list of those that may go with --`option`. */
gcast_status args_only(const args *a, const char *option, const char *const *allowed);
/* Should standard output be coloured? --color decides, then NO_COLOR, then whether it is a terminal. */
bool want_color(const args *a);

#endif

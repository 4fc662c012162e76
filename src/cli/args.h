/* The command line of one command, parsed: its options and operands, the values of options, and the words that options
 * take as values. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/command.h"

/* Reads the decimal digits at *at and moves *at behind them. False: there is no digit, or the number does not fit. */
bool read_digits(const char **at, uint64_t *number);

/* The words that an option takes as values, for parsing, messages and completion. A list is an array that ends with
 * NULL. */
typedef const char *const choice;
extern choice color_choices[], method_choices[], goal_choices[], durations_choices[], model_choices[],
    contract_choices[], placement_choices[], block_placement_choices[], convert_choices[], metric_choices[],
    shell_choices[], policies_choices[], idle_choices[], average_choices[], counters_choices[], start_choices[],
    child_stream_choices[], communication_choices[], reaction_choices[], contexts_choices[], wait_choices[],
    map_choices[], objective_choices[], spans_choices[], events_choices[];

/* The words of the options whose value --help calls `value`, such as "WHEN"; NULL: their values are no words. */
choice *choices_of(const char *value);
/* The index of a word; -1: it is not in the list. */
int choice_find(choice *list, const char *word);
/* Writes the words as "auto, always or never". */
void choices_join(choice *list, char *out, size_t size);

#define MAX_OPTIONS 64 /* per command line, and per command */

struct args {
    const command *cmd; /* the command */
    struct {
        const option_spec *spec; /* the option */
        const char *value;       /* NULL where the option takes none */
    } given[MAX_OPTIONS];        /* the options, in the order in which they were given */
    size_t given_count;          /* how many options were given */
    int argc;                    /* words of argv */
    char **argv;                 /* the command line as typed, from the command's name on */
    const char *const *operands; /* what is no option */
    size_t operand_count;        /* how many operands were given */
};

/* The i-th option that a command takes: its own come first, then those for AMALTHEA models, then those of every
 * command. NULL: it has fewer. */
const option_spec *command_option(const command *cmd, size_t i);
/* The option of this name among those that the command takes for AMALTHEA models, too; NULL: none. */
const option_spec *command_shared(const command *cmd, const char *name);
/* Is it an option of every command? */
bool command_is_common(const option_spec *option);

/* argv[0] is the command's name. Errors are printed. */
gcast_status args_parse(const command *cmd, int argc, char **argv, args *a);
/* Is given[i] the option --NAME? */
bool args_is(const args *a, size_t i, const char *name);
bool args_has(const args *a, const char *name);
/* The last value given, or NULL. */
const char *args_value(const args *a, const char *name);

/* Each of these leaves *out as it is if the option is not given, and prints what is wrong with its value. */
gcast_status args_int(const args *a, const char *name, int64_t min, int64_t max, int64_t *out);
/* A time in nanoseconds. */
gcast_status args_time(const args *a, const char *name, int64_t *out);
/* A time that is above 0 and below 2^61 ns. */
gcast_status args_span(const args *a, const char *name, int64_t *out);
/* X[,Y[,Z]], each from 1 to its maximum; what is left out is 1. The option must be given. */
gcast_status args_dims(const args *a, const char *name, const uint32_t max[3], uint32_t out[3]);
/* The index of the value in a list of words. */
gcast_status args_choice(const args *a, const char *name, choice *list, int *out);

/* Every other option is an error with --`option`, but for those in the NULL-terminated list `allowed`. */
gcast_status args_only(const args *a, const char *option, const char *const *allowed);
/* Should standard output be coloured? --color decides, then NO_COLOR, then whether it is a terminal. */
bool want_color(const args *a);

#endif

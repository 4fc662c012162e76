/* One command a file: a const struct with its options and one function. The
 * tables here feed parsing, --help and --completion alike. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/choices.h"
#include "gridcast/gridcast.h"

typedef struct option_spec {
    const char *name;  /* "gpu" for --gpu; NULL ends a table */
    char letter;       /* 'o' for -o; 0: none */
    const char *value; /* "FILE"; NULL: takes none */
    const char *text;
} option_spec;

/* A word of a command's tables, and what it means. */
typedef struct legend_entry {
    const char *word, *text; /* NULL ends a legend */
} legend_entry;

typedef struct args args;

typedef struct command {
    const char *name;
    const char *operands;           /* "WORKLOAD LABEL" */
    int min_operands, max_operands; /* max -1: any number */
    const char *summary;
    const option_spec *options;
    const legend_entry *legend; /* for --help; NULL: its tables speak for themselves */
    const char *examples[2];    /* they work from the source tree; the second may be NULL */
    gcast_status (*run)(const args *a);
} command;

/* Every command, in the order of --help. */
#define COMMAND_TABLE(X)                                                                                               \
    X(simulate) X(explain) X(analyze) X(experiment) X(measure) X(verify) X(exec) X(convert) X(occupancy) X(gpus)
#define X(id) extern const command cmd_##id;
COMMAND_TABLE(X)
#undef X

extern const command *const commands[];
extern const size_t command_count;
const command *command_find(const char *name);

/* Parsed command line. */
#define MAX_OPTIONS 64
struct args {
    const command *cmd;
    struct {
        const option_spec *spec;
        const char *value;
    } given[MAX_OPTIONS];
    size_t given_count;
    const char *const *operands;
    size_t operand_count;
};

/* Options every command has. */
extern const option_spec common_options[];

gcast_status args_parse(const command *cmd, int argc, char **argv, args *a);
bool args_has(const args *a, const char *name);
/* The last value given, or NULL. */
const char *args_value(const args *a, const char *name);
/* Numbers, times and sizes; *out is untouched where the option is absent. */
gcast_status args_int(const args *a, const char *name, int64_t lo, int64_t hi, int64_t *out);
gcast_status args_time(const args *a, const char *name, int64_t *ns);
/* The place of its value in a list of words. */
gcast_status args_choice(const args *a, const char *name, choice *list, int *out);
/* A time that is not 0. */
gcast_status args_span(const args *a, const char *name, int64_t *ns);
/* No option is given but those of the NULL-terminated list, which have a meaning with --`with`. */
gcast_status args_only(const args *a, const char *with, const char *const *allowed);

/* One line on stderr: "gridcast: what". Returns code. */
gcast_status say(gcast_status code, const char *format, ...) GCAST_PRINTF(2, 3);
/* The same for an error of the library: "gridcast: FILE:LINE:COL: message (path)". */
gcast_status say_error(const gcast_error *err);
void say_note(const char *note);
/* A file that cannot be read, by errno: wrong input, but for what this process lacks. */
gcast_status say_unreadable(const char *path, int reason);

/* What there is, for who gave no command. */
void print_overview(FILE *out);
void print_help(FILE *out);
void print_command_help(const command *cmd, FILE *out);
/* --color and NO_COLOR decide; otherwise whether stdout is a terminal. */
bool want_color(const args *a);

#endif

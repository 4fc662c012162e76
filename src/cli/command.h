/* What a command is: its options, its help and one function. Each command is a const struct in a file of its own, read
 * by parsing, --help and --completion. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/component_names.h"
#include "cli/say.h"
#include "gridcast/gridcast.h"

typedef struct option_spec {
    const char *name;  /* "gpu" for --gpu; NULL ends a table of options */
    char letter;       /* 'o' for -o; 0: the option has no short form */
    const char *value; /* name of its value in --help, such as "FILE"; NULL: it has no value */
    const char *text;  /* its line of --help */
} option_spec;

/* A word that the command prints in its tables, explained by --help. */
typedef struct legend_entry {
    const char *word; /* NULL ends a legend */
    const char *text; /* what it means */
} legend_entry;

typedef struct args args;

typedef struct command {
    const char *name;                   /* as typed */
    const char *operands;               /* as in the usage line: "WORKLOAD LABEL" */
    int min_operands;                   /* how many operands must be given */
    int max_operands;                   /* how many may be given; -1: any number */
    bool runs_operands;                 /* the operands are a program and its arguments, with options of its own */
    const char *summary;                /* its line in the list of commands */
    const option_spec *options;         /* its own, besides those of every command; NULL: it is not in this build */
    const option_spec *system_options;  /* for AMALTHEA models only; NULL: it takes no models */
    const option_spec *shared_options;  /* those of `options` for models, too, by name; a text replaces theirs */
    const char *system_example;         /* a command line with a model; NULL: it takes no models */
    const legend_entry *legend;         /* NULL: its tables need no explanation */
    const char *examples[2];            /* command lines that work in the source tree; the second may be NULL */
    gcast_status (*run)(const args *a); /* returns the exit status */
} command;

/* Every command, in the order of --help. */
#define COMMAND_TABLE(X)                                                                                               \
    X(simulate)                                                                                                        \
    X(explain)                                                                                                         \
    X(whatif)                                                                                                          \
    X(analyze)                                                                                                         \
    COMPONENT_COMMANDS(X)                                                                                              \
    X(measure) X(verify) X(exec) X(smc) X(spawn) X(record) X(import) X(convert) X(occupancy) X(gpus)
#define X(id) extern const command cmd_##id;
COMMAND_TABLE(X)
#undef X

#endif

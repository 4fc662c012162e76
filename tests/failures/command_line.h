/* The command lines that are tried: one per line of tests/failures/commands. */
#ifndef TESTS_FAILURES_COMMAND_LINE_H
#define TESTS_FAILURES_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct command_line {
    const char *text;      /* as it stands in the file, for messages */
    int status;            /* exit status when nothing fails */
    bool varies;           /* what it writes differs from run to run, as with a clock */
    bool slow;             /* fewer calls are tried where not all are */
    bool gpu;              /* uses a CUDA driver, which may be the first to fail */
    char *input;           /* its standard input; NULL: none */
    char *existing;        /* a file that exists before the run; NULL: none */
    char *existing_source; /* the file with its contents; NULL: a line of text */
    int argc;              /* arguments, with "gridcast" */
    char **argv;           /* from "gridcast" on, then NULL */
} command_line;

/* All of a file; ends the process, with a message, where one is wrong. */
command_line *command_lines_read(const char *path, size_t *count);

#endif

/* The command lines that are tried: tests/failures/commands, one a line. */
#ifndef TESTS_FAILURES_COMMAND_LINE_H
#define TESTS_FAILURES_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct command_line {
    const char *text; /* as it stands in the file, for messages */
    int status;       /* that it ends with when nothing fails */
    bool varies;      /* what it writes is another each time, as a clock's */
    bool slow;        /* fewer calls are tried where not all are */
    bool gpu;         /* uses a CUDA driver, which may be the first to fail */
    char *input;      /* its standard input; NULL: none */
    char *old, *from; /* a file that is there before, and one with its contents; NULL: none */
    int argc;
    char **argv; /* from "gridcast" on, then NULL */
} command_line;

/* All of a file; ends the process, with a message, where one is wrong. */
command_line *command_lines_read(const char *path, size_t *count);

#endif

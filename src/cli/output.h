/* Results on their way out: a file appears whole or not at all, and none is
 * overwritten without --force. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/command.h"

typedef struct output {
    FILE *file;
    const char *name; /* for errors */
    const char *path; /* NULL: nothing to put in place, as of standard output and devices */
    char temporary[4096];
} output;

/* "-" and "-.svg". */
bool output_is_standard(const char *path);
/* May it be written? For before long work; output_open asks again. */
gcast_status output_check(const char *path, bool force);
/* The same for every -o. No two are the same file, and none is one that is read; one may be standard output, unless
 * an option that is named holds that. */
gcast_status outputs_check(const args *a, const char *held);
/* For commands that write one file: is there a second -o, which would be left out? */
gcast_status output_one(const args *a);
gcast_status output_open(output *o, const char *path, bool force);
bool output_write(void *o, const char *bytes, size_t size);
/* Put the file in its place, or with `keep` false throw it away. */
gcast_status output_close(output *o, bool keep);

#endif

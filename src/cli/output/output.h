/* Results on their way out: a file appears whole or not at all, and none is
 * overwritten without --force. */
#ifndef CLI_OUTPUT_OUTPUT_H
#define CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text/text.h"
#include "cli/command.h"
#include "cli/output/whole_file.h"

typedef struct output {
    FILE *file;
    const char *name; /* for errors */
    text words;       /* on their way to it, for those who write words */
    bool whole;       /* it is put in its place at the end; else a device, or standard output */
    whole_file place;
    int error; /* of the first write that failed; 0: none did */
} output;

/* "-", "-.svg" and /dev/stdout. */
bool output_is_standard(const char *path);
/* May it be written? For before long work; output_open asks again. */
gcast_status output_check(const char *path, bool force);
/* The same for every -o. No two are the same file, and none is one that is read; one may be standard output, unless
 * an option that is named holds that. */
gcast_status outputs_check(const args *a, const char *held);
/* For commands that write one file: is there a second -o, which would be left out? */
gcast_status output_one(const args *a);

gcast_status output_open(output *o, const char *path, bool force) TEXT_MUST_LOOK;
/* A gcast_write_fn. */
bool output_write(void *o, const char *bytes, size_t size);
/* The end of every output: looks at all that may have failed, from the words to the disk, says the first of it in one
 * line, and puts the file in its place where nothing did. `made` is how making the contents went; its err is said too,
 * NULL: it has been said. */
gcast_status output_finish(output *o, gcast_status made, const gcast_error *err) TEXT_MUST_LOOK;
/* All at once. */
gcast_status output_bytes(const char *path, bool force, const char *bytes, size_t size) TEXT_MUST_LOOK;

#endif

/* Where results are written: standard output, a device, or a file, which appears complete or
 * not at all and is overwritten only with --force. */
#ifndef CLI_OUTPUT_OUTPUT_H
#define CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text/text.h"
#include "cli/args.h"
#include "cli/output/atomic_file.h"

typedef struct output {
    FILE *file;         /* that is written to */
    const char *name;   /* for errors */
    text words;         /* text that is written to the file */
    bool is_atomic;     /* it is an atomic_file, renamed at the end; else a device or standard output */
    atomic_file atomic; /* the file, where is_atomic */
    int error;          /* errno of the first write that failed; 0: none did */
} output;

/* Is it "-", "-.svg" or the like, or /dev/stdout? */
bool output_is_standard(const char *path);
/* Can the file be written? Asked before long work; output_open asks again. */
gcast_status output_check(const char *path, bool force);
/* output_check of every -o. Also an error: two -o for one file, an -o for a file that is read, and two uses of standard
 * output; `stdout_user` is the option that uses it besides -o, such as "--json", or NULL. */
gcast_status outputs_check(const args *a, const char *stdout_user);
/* A workload is written as plain JSON, so a name that ends as something else is a mistake. `option` names the file, and
 * `writer` is the command. */
gcast_status output_check_workload(const char *option, const char *writer, const char *path);
/* For commands that write one file: an error where -o is given twice. */
gcast_status output_check_single(const args *a);

gcast_status output_open(output *o, const char *path, bool force) TEXT_MUST_CHECK;
/* A gcast_write_fn. */
bool output_write(void *o, const char *bytes, size_t size);
/* Ends every output: closes it, and prints one line about the first failure, of making the contents or of writing
 * them. If nothing failed the file gets its name, else it is removed. `content_status` is the status of making the
 * contents and err its error; NULL: the error was printed already. */
gcast_status output_finish(output *o, gcast_status content_status, const gcast_error *err) TEXT_MUST_CHECK;
/* Opens, writes and finishes. */
gcast_status output_bytes(const char *path, bool force, const char *bytes, size_t size) TEXT_MUST_CHECK;

#endif

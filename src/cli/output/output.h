/* Where results are written: standard output, a device, or a file, which appears complete or not at all and is
 * overwritten only with --force. The checks here are made before long work. */
#ifndef CLI_OUTPUT_OUTPUT_H
#define CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/args.h"
#include "cli/output/atomic_file.h"

/* Does the path end with `extension`, such as ".gz"? */
static inline bool path_ends_with(const char *path, const char *extension)
{
    size_t length = strlen(path), extension_length = strlen(extension);
    return length >= extension_length && strcmp(path + length - extension_length, extension) == 0;
}

typedef struct output {
    FILE *file;         /* the stream that is written to */
    const char *name;   /* for errors */
    text words;         /* a text whose sink is the file */
    bool is_atomic;     /* `file` is that of `atomic`, renamed at the end; else a device or standard output */
    atomic_file atomic; /* used where is_atomic */
    int error;          /* errno of the first write that failed; 0: none did */
} output;

/* Formats that an option accepts: a bit each. */
#define FORMAT_BIT(id) (1u << GCAST_FORMAT_##id)
#define FORMATS_PICTURE (FORMAT_BIT(SVG) | FORMAT_BIT(PNG) | FORMAT_BIT(PDF))
#define FORMATS_PLOT (FORMATS_PICTURE | FORMAT_BIT(TABLE) | FORMAT_BIT(CSV) | FORMAT_BIT(JSON))

/* Is it "-", "-.svg" or the like, or /dev/stdout? */
bool output_is_standard(const char *path);
/* Can the file be written? output_open asks again. */
gcast_status output_check(const char *path, bool force);
/* Checks every -o as output_check does. Two -o for one file, an -o for a file that is read and two uses of standard
 * output are errors, too; `stdout_user` is the option besides -o that uses it, such as "--json", or NULL. */
gcast_status outputs_check(const args *a, const char *stdout_user);
/* Is the ending of the name that of one of `formats`, which this build can write? `accepted` says in the error, behind
 * the name, which endings are. */
gcast_status output_check_format(const char *path, unsigned formats, const char *accepted);
/* A workload is written as plain JSON, so a name that ends as something else is a mistake. `option` names the file, and
 * `writer` is the command. */
gcast_status output_check_workload(const char *option, const char *writer, const char *path);
/* For commands that write one file: an error where -o is given twice. */
gcast_status output_check_single(const args *a);

gcast_status output_open(output *o, const char *path, bool force) TEXT_MUST_CHECK;
/* A gcast_write_fn. */
bool output_write(void *o, const char *bytes, size_t size);
/* Ends every output: closes it, and prints one line about the first failure, in making the contents or in writing them.
 * If nothing failed the file gets its name, else it is removed. `content_status` is the status of making the contents,
 * and err its error; NULL: the error was printed already. */
gcast_status output_finish(output *o, gcast_status content_status, const gcast_error *err) TEXT_MUST_CHECK;
/* Opens an output, writes the bytes and finishes it. */
gcast_status output_bytes(const char *path, bool force, const char *bytes, size_t size) TEXT_MUST_CHECK;
/* Writes a workload as gridcast.workload/1. Errors are printed. */
gcast_status output_workload(const char *path, bool force, const gcast_workload *w) TEXT_MUST_CHECK;
/* Ends a text that was opened without a sink: prints it to standard output, all at once, if `status`, that of making
 * it, is GCAST_OK. Returns status, or that of an error, which is printed. */
gcast_status print_text(text *t, gcast_status status) TEXT_MUST_CHECK;

#endif

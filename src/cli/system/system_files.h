/* The files of -o for systems, and standard output. */
#ifndef CLI_SYSTEM_SYSTEM_FILES_H
#define CLI_SYSTEM_SYSTEM_FILES_H

#include "cli/args.h"
#include "report/system/system_report.h"

/* What is written: an analysis, or where `answer` is NULL an execution. */
typedef struct system_output {
    const sys_answer *answer;
    const sys_run *run; /* NULL: no picture was asked for */
    sys_report_options options;
} system_output;

/* Can all files be written, and do the options fit each other? Errors are printed. */
gcast_status system_files_check(const args *a);
/* Is a picture asked for, or a page with one? */
bool system_files_draw(const args *a);
/* The options of reports. */
gcast_status system_report_options_from_args(const args *a, sys_report_options *o);
/* Prints the table, or JSON with --json, unless -o - takes its place; then writes every -o. */
gcast_status system_files_write(const args *a, const system_output *w);

#endif

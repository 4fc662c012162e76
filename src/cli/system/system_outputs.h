/* What is written of a system: reports of an analysis or an execution, to -o and standard output, and which deadlines
 * are not met. */
#ifndef CLI_SYSTEM_SYSTEM_OUTPUTS_H
#define CLI_SYSTEM_SYSTEM_OUTPUTS_H

#include "cli/args.h"
#include "gridcast/system.h"

typedef struct system_output {
    const gcast_system_answer *answer; /* an analysis; NULL: the run is written */
    const gcast_system_run *run;       /* an execution */
    gcast_report_options options;      /* of reports */
    const char *command;               /* the command line, for pages of an analysis */
} system_output;

/* Can all files be written, and do the options fit each other? Errors are printed, here and below. */
gcast_status system_files_check(const args *a);
/* Options of reports. */
gcast_status system_report_options_from_args(const args *a, gcast_report_options *o);
/* Prints the table, or JSON with --json, unless -o - takes its place; then writes every -o. */
gcast_status system_files_write(const args *a, const system_output *w);

/* Writes all reports of an analysis, then says which deadlines are missed or open. GCAST_OK if all deadlines are met,
 * GCAST_CONDITION if they are on a condition, else GCAST_NO. */
gcast_status system_tell(const args *a, const gcast_system_answer *answer);

#endif

/* What is written of a system: reports of an analysis or an execution, to -o and standard output, and which deadlines
 * are not met. */
#ifndef CLI_SYSTEM_SYSTEM_OUTPUTS_H
#define CLI_SYSTEM_SYSTEM_OUTPUTS_H

#include "cli/args.h"
#include "model/system_answer.h"
#include "report/system/system_report.h"

typedef struct system_output {
    const sys_answer *answer;   /* an analysis; NULL: the run alone is written */
    const sys_run *run;         /* the execution, also for pictures of the analysis; NULL: no picture is written */
    sys_report_options options; /* of reports */
} system_output;

/* Can all files be written, and do the options fit each other? Errors are printed, here and below. */
gcast_status system_files_check(const args *a);
/* Options of reports. */
gcast_status system_report_options_from_args(const args *a, sys_report_options *o);
/* Prints the table, or JSON with --json, unless -o - takes its place; then writes every -o. */
gcast_status system_files_write(const args *a, const system_output *w);

/* Writes all reports of an analysis, then says which deadlines are missed or open. `search` is the search that found
 * the mapping, or NULL. GCAST_OK if all deadlines are met, GCAST_CONDITION if they are on a condition, else
 * GCAST_NO. */
gcast_status system_tell(const args *a, sys_answer *r, const sys_search *search);

#endif

/* What is done with a launch's buffers after it ran: shown, summed, written, compared. */
#ifndef CLI_EXEC_ARGUMENTS_BUFFERS_H
#define CLI_EXEC_ARGUMENTS_BUFFERS_H

#include "base/text/text.h"
#include "cli/exec/arguments/launch.h"

/* Checks --show, --out, --expect and --ulp before anything runs. Errors are printed. */
gcast_status exec_buffers_check(const exec_launch *e, const args *a);
/* --show and --sum */
void exec_buffers_print(const exec_launch *e, const args *a, text *out);
/* --out */
gcast_status exec_buffers_write(const exec_launch *e, const args *a);
/* --expect: GCAST_NO where something differs; one line per such buffer is printed. */
gcast_status exec_buffers_compare(const exec_launch *e, const args *a);

#endif

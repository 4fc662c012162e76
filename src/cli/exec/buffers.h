/* Buffers of a launch after its run, and variables of the module that --out writes: shown, summed, written,
 * compared. */
#ifndef CLI_EXEC_BUFFERS_H
#define CLI_EXEC_BUFFERS_H

#include "base/text.h"
#include "cli/exec/exec_launch.h"

/* Adds to the launch every variable of the module that an --out names, unless a buffer has that name. Errors are
 * printed, here and below. */
gcast_status exec_variables_bind(exec_launch *e, const gcast_ptx *p, const args *a);

/* Checks --show, --out, --expect and --ulp before anything runs. */
gcast_status exec_buffers_check(const exec_launch *e, const args *a);
/* --show and --sum */
void exec_buffers_print(const exec_launch *e, const args *a, text *out);
/* --out */
gcast_status exec_buffers_write(const exec_launch *e, const args *a);
/* --expect: GCAST_NO if a buffer differs; prints one line for each that does. */
gcast_status exec_buffers_compare(const exec_launch *e, const args *a);

#endif

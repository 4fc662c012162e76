/* What becomes of a launch's buffers: shown, summed, written, compared. */
#ifndef CLI_EXEC_BUFFERS_H
#define CLI_EXEC_BUFFERS_H

#include "base/text/text.h"
#include "cli/exec/launch.h"

/* Do --show, --out, --expect and --ulp name buffers that are there? Before anything runs. */
gcast_status exec_buffers_check(const exec_launch *e, const args *a);
/* --show and --sum. */
void exec_buffers_print(const exec_launch *e, const args *a, text *out);
/* --out. */
gcast_status exec_buffers_write(const exec_launch *e, const args *a);
/* --expect: GCAST_NO where something differs, said in one line a buffer. */
gcast_status exec_buffers_compare(const exec_launch *e, const args *a);

#endif

/* The launch that a launch file describes, with its buffers filled. */
#ifndef CLI_EXEC_ARGUMENTS_LAUNCH_OF_FILE_H
#define CLI_EXEC_ARGUMENTS_LAUNCH_OF_FILE_H

#include "cli/exec/arguments/launch.h"

/* `ptx` is that of f->ptx. Both must outlive the launch. Free it with exec_launch_free, also after an error, which is
 * printed and names the launch file. */
gcast_status exec_launch_of_file(const gcast_launch_file *f, const gcast_ptx *ptx, exec_launch *out);

#endif

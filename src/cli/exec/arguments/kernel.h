/* Which kernel of a PTX file a launch means, and whether its parameters take the
 * arguments that were given. */
#ifndef CLI_EXEC_ARGUMENTS_KERNEL_H
#define CLI_EXEC_ARGUMENTS_KERNEL_H

#include "cli/exec/arguments/launch.h"

/* The number of the kernel `wanted`, also by its name in C++ (NULL: the only one). `file` is for messages. Errors are
 * printed. */
gcast_status exec_kernel_find(const gcast_ptx *p, const char *wanted, const char *file, uint32_t *kernel);

/* The number of the kernel that a launch file means; `p` is that of its PTX. Errors are printed. */
gcast_status exec_kernel_of_file(const gcast_launch_file *f, const gcast_ptx *p, uint32_t *kernel);

/* Makes it a launch of this kernel, and checks the arguments against its parameters. Errors are printed. */
gcast_status exec_launch_bind(exec_launch *e, const gcast_ptx *p, uint32_t kernel);

#endif

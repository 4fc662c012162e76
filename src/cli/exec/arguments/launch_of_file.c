#include "cli/exec/arguments/launch_of_file.h"

#include <string.h>

#include "cli/exec/arguments/kernel.h"

gcast_status exec_launch_of_file(const gcast_launch_file *f, const gcast_ptx *ptx, exec_launch *out)
{
    uint32_t kernel = 0;
    *out = (exec_launch){.file = f->file};
    memcpy(out->launch.grid, f->grid, sizeof f->grid);
    memcpy(out->launch.block, f->block, sizeof f->block);
    out->launch.shared_bytes = f->shared_bytes;
    gcast_status status = exec_kernel_of_file(f, ptx, &kernel);
    for (size_t i = 0; i < f->arg_count && status == GCAST_OK; i++)
        status = exec_argument_add(out, &(given_arg){f->args[i], f->file, i});
    return status == GCAST_OK ? exec_launch_bind(out, ptx, kernel) : status;
}

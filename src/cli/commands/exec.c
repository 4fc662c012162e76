/* gridcast exec: runs a kernel's PTX here, warp by warp, and reports what its warps did. */
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/exec/arguments/buffers.h"
#include "cli/exec/arguments/kernel.h"
#include "cli/exec/arguments/launch_of_file.h"
#include "cli/exec/arguments/module_outputs.h"
#include "cli/exec/exec_options.h"
#include "cli/exec/exec_outputs.h"
#include "cli/exec/exec_placement.h"
#include "cli/exec/execute.h"
#include "cli/exec/list.h"
#include "cli/exec/state.h"
#include "cli/say.h"

static const option_spec options[] = {
    {"launch", 0, "FILE", "gridcast.launch/1: PTX, kernel, grid, block, args"},
    {"kernel", 0, "KERNEL", "which kernel, where FILE has several"},
    {"grid", 0, "X[,Y[,Z]]", "blocks; must be given"},
    {"block", 0, "X[,Y[,Z]]", "threads per block; must be given"},
    {"shared", 0, "BYTES", "dynamic shared memory per block"},
    {"arg", 0, "ARG", "TYPE:VALUE, NAME=TYPE[COUNT]:FILL, or NAME again"},
    {"model", 0, "MODEL", "threads (since Volta), stack; else by .target"},
    {"gpu", 0, "GPU", "whose limits count (default: --cost's, .target's)"},
    {"contract", 0, "HOW", "fuse products and sums: ptxas (default) or off"},
    {"cores", 0, "N", "of this computer (default: all)"},
    {"sms", 0, "N", "what %nsmid says (default: the GPU's, else 1)"},
    {"placement", 0, "KIND|FILE", "which SM runs each block (default: hardware)"},
    {"limit", 0, "N", "instructions per warp; with --device a time"},
    {"profile", 0, NULL, "efficiency, memory and divergence, by line"},
    {"cost", 0, "GPU[,REGS]", "how long a block takes there (docs/bridge.md)"},
    {"registers", 0, "N", "per thread, as ptxas -v says (else estimated)"},
    {"workload", 0, "FILE", "write the launch with this time for simulate"},
    {"races", 0, NULL, "of threads on memory; exit 1 if any"},
    {"masks", 0, "BLOCK,WARP", "active lanes over time; -o m.svg draws them"},
    {"show", 0, "NAME[,COUNT]", "print a buffer's first elements"},
    {"sum", 0, NULL, "print a CRC-32 of every buffer"},
    {"out", 0, "NAME=FILE", "write the bytes of a buffer, or module variable"},
    {"expect", 0, "NAME=FILE", "compare a buffer with a file; exit 1 if different"},
    {"ulp", 0, "N", "floats may be N steps apart"},
    {"device", 0, NULL, "on this machine's GPU instead"},
    {"times", 0, NULL, "with --device: when each block ran"},
    {"driver", 0, "FILE", "the CUDA driver (default: libcuda.so.1)"},
    {"list", 0, NULL, "instructions known here, or FILE's kernels"},
    {"print", 0, NULL, "print FILE as it was read"},
    {"json", 0, NULL, "print gridcast.exec/1"},
    {"output", 'o', "FILE", "also .txt .csv .json, masks as .svg .png .pdf"},
    {"force", 'f', NULL, "overwrite files"},
    {"quiet", 'q', NULL, "no summary"},
    {NULL, 0, NULL, NULL},
};

/* --launch FILE, which says what these options would. */
static gcast_status read_launch_file(execution *x)
{
    static const char *const in_file[] = {"kernel", "grid", "block", "shared", "registers", "arg"};
    const char *path = args_value(x->a, "launch");
    gcast_error err;
    if (!path)
        return GCAST_OK;
    if (x->a->operand_count)
        return say(GCAST_USAGE, "%s does not go with --launch, which names the PTX", x->a->operands[0]);
    for (size_t i = 0; i < sizeof in_file / sizeof *in_file; i++)
        if (args_has(x->a, in_file[i]))
            return say(GCAST_USAGE, "--%s does not go with --launch, which already says it", in_file[i]);
    return gcast_launch_file_load(path, &x->launch_file, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status read_program(execution *x)
{
    const char *path = x->launch_file ? x->launch_file->ptx : x->a->operands[0];
    gcast_error err;
    x->file = strcmp(path, "-") == 0 ? "standard input" : path;
    if (gcast_file_read(path, &x->source, &x->source_size, &err) != GCAST_OK)
        return say_error(&err);
    if (gcast_ptx_parse(x->source, x->source_size, x->file, &x->ptx, &err) != GCAST_OK)
        return execution_say_error(x, &err);
    return GCAST_OK;
}

static gcast_status read_launch(execution *x)
{
    uint32_t kernel = 0;
    if (x->launch_file)
        return exec_launch_of_file(x->launch_file, x->ptx, &x->launch);
    gcast_status status = exec_launch_read(&x->launch, x->a);
    if (status == GCAST_OK)
        status = exec_kernel_find(x->ptx, args_value(x->a, "kernel"), x->file, &kernel);
    return status == GCAST_OK ? exec_launch_bind(&x->launch, x->ptx, kernel) : status;
}

static gcast_status run_kernel(execution *x)
{
    gcast_status status = read_launch(x);
    if (status == GCAST_OK)
        status = exec_options_read(x);
    if (status == GCAST_OK)
        status = exec_placement_read(x);
    if (status == GCAST_OK)
        status = exec_variables_bind(&x->launch, x->ptx, x->a);
    if (status == GCAST_OK)
        status = exec_buffers_check(&x->launch, x->a);
    if (status == GCAST_OK)
        status = exec_outputs_check(x);
    if (status == GCAST_OK)
        status = execute(x);
    return status == GCAST_OK ? exec_outputs_write(x) : status;
}

static gcast_status run(const args *a)
{
    execution x = {.a = a};
    if (!a->operand_count && !args_has(a, "launch"))
        return args_has(a, "list") ? exec_list_instructions()
                                   : say(GCAST_USAGE, "usage: gridcast exec [options] FILE.ptx");
    text_open(&x.printed, NULL, NULL);
    gcast_status status = read_launch_file(&x);
    if (status == GCAST_OK)
        status = read_program(&x);
    if (status == GCAST_OK && args_has(a, "list"))
        status = exec_list_kernels(x.ptx);
    else if (status == GCAST_OK && args_has(a, "print"))
        status = exec_print_program(x.ptx);
    else if (status == GCAST_OK)
        status = run_kernel(&x);
    text_drop(&x.printed);
    gcast_simt_report_free(x.report);
    gcast_block_times_free(x.times);
    exec_cost_close(&x.cost);
    gcast_gpu_free(x.gpu);
    exec_placement_free(&x);
    exec_launch_free(&x.launch);
    gcast_ptx_free(x.ptx);
    gcast_launch_file_free(x.launch_file);
    free(x.source);
    return status;
}

const command cmd_exec = {
    .name = "exec",
    .operands = "FILE.ptx",
    .min_operands = 0,
    .max_operands = 1,
    .summary = "run a kernel's PTX here, warp by warp",
    .options = options,
    .examples = {"gridcast exec --launch examples/saxpy.launch.json --show y"},
    .run = run,
};

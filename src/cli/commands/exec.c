/* gridcast exec: runs a kernel's PTX here, warp by warp, and reports what its warps did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/args.h"
#include "cli/exec/buffers.h"
#include "cli/exec/exec_launch.h"
#include "cli/exec/execute.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/ptx.h"
#include "gridcast/simt.h"
#include "model/exec.h"
#include "model/launch_file.h"
#include "ptx/public.h"
#include "report/format_names.h"

/* --list and --print run nothing. */

/* Lists the instructions that exec can execute, with their forms. */
static gcast_status exec_list_instructions(void)
{
    const char *name, *forms;
    for (uint32_t i = 0; gcast_simt_instruction(i, &name, &forms); i++)
        printf("%-12s %s\n", name, forms);
    return GCAST_OK;
}

/* A type such as "u32", or "b8[12]" for a structure, as --arg takes it. */
static void put_param(text *t, const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    uint64_t elements = gcast_ptx_param_elements(p, kernel, param);
    text_printf(t, " %s", gcast_ptx_param_type(p, kernel, param));
    if (elements)
        text_printf(t, "[%llu]", (unsigned long long)elements);
}

/* Lists the kernels of a program and the types of their parameters. */
static gcast_status exec_list_kernels(const gcast_ptx *p)
{
    output out;
    text *t = &out.words;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    for (uint32_t k = 0; k < gcast_ptx_kernels(p); k++) {
        text_terminal(t, gcast_ptx_kernel(p, k));
        for (uint32_t i = 0; i < gcast_ptx_params(p, k); i++)
            put_param(t, p, k, i);
        text_char(t, '\n');
    }
    return output_finish(&out, GCAST_OK, NULL);
}

/* Prints a program as PTX text. */
static gcast_status exec_print_program(const gcast_ptx *p)
{
    gcast_error err;
    output out;
    char *bytes;
    size_t size;
    if (gcast_ptx_print(p, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_open(&out, "-", false);
    if (status == GCAST_OK) {
        if (isatty(STDOUT_FILENO)) /* file names in it may have control characters */
            text_terminal_lines(&out.words, bytes, size);
        else
            output_write(&out, bytes, size);
        status = output_finish(&out, GCAST_OK, NULL);
    }
    free(bytes);
    return status;
}

/* exec writes a report, the masks of a warp, buffers and a workload. */

/* Can every -o be written? Sets stdout_is_used. Errors are printed. */
static gcast_status exec_outputs_check(execution *x)
{
    for (size_t i = 0; i < x->a->given_count; i++) {
        const char *path = x->a->given[i].value;
        gcast_format f;
        if (!args_is(x->a, i, "output"))
            continue;
        gcast_status status =
            output_check_format(path, FORMATS_PLOT, "a launch is written as .txt .csv .json .svg .png or .pdf");
        if (status != GCAST_OK)
            return status;
        gcast_format_from_name(path, &f);
        if (f == GCAST_FORMAT_CSV && !x->options.profile)
            return say(GCAST_USAGE, "%s: lines are counted with --profile", path);
        if (FORMATS_PICTURE >> f & 1 && !x->options.max_masks)
            return say(GCAST_USAGE, "%s: a picture shows the warp that --masks BLOCK,WARP names", path);
        x->stdout_is_used = x->stdout_is_used || output_is_standard(path);
    }
    x->stdout_is_used = x->stdout_is_used || args_has(x->a, "json");
    return outputs_check(x->a, args_has(x->a, "json") ? "--json" : NULL);
}

static gcast_status write_report(const execution *x, const gcast_exec *e, const char *path, gcast_format format)
{
    gcast_error err;
    output out;
    gcast_status status = output_open(&out, path, args_has(x->a, "force"));
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_exec_report(e, format, output_write, &out, &err), &err);
}

/* Writes the report to every -o and, by --json and --quiet, to standard output. */
static gcast_status write_reports(execution *x)
{
    const args *a = x->a;
    size_t size;
    bool out_of_memory = x->printed.failed;
    char *printed = x->stdout_is_used ? text_take(&x->printed, &size) : NULL;
    if (out_of_memory || (x->stdout_is_used && !printed))
        return say_no_memory();
    gcast_exec e = {.source = x->file,
                    .kernel = x->launch.launch.kernel,
                    .launch = &x->launch.launch,
                    .report = x->report,
                    .options = &x->options,
                    .printed = printed,
                    .times = x->times,
                    .cost = x->cost.figures ? &x->cost.summary : NULL,
                    .registers = x->cost.estimated ? 0 : (uint32_t)x->cost.registers};
    gcast_status status = GCAST_OK;
    if (args_has(a, "json"))
        status = write_report(x, &e, "-", GCAST_FORMAT_JSON);
    else if (!x->stdout_is_used && !args_has(a, "quiet"))
        status = write_report(x, &e, "-", GCAST_FORMAT_TABLE);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format f;
        if (args_is(a, i, "output") && gcast_format_from_name(a->given[i].value, &f))
            status = write_report(x, &e, a->given[i].value, f);
    }
    free(printed);
    return status;
}

static gcast_status print_buffers(const execution *x)
{
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    exec_buffers_print(&x->launch, x->a, &out.words);
    return output_finish(&out, GCAST_OK, NULL);
}

/* Writes all outputs. GCAST_NO if buffers differ from --expect, or --races found races. */
static gcast_status exec_outputs_write(execution *x)
{
    gcast_status status = write_reports(x);
    if (status == GCAST_OK && !x->stdout_is_used)
        status = print_buffers(x);
    if (status == GCAST_OK)
        status = exec_cost_write(&x->cost, x->report, &x->launch.launch, x->a);
    if (status == GCAST_OK)
        status = exec_buffers_write(&x->launch, x->a);
    if (status == GCAST_OK && x->report && x->options.max_masks && x->report->masks == MAX_RECORDED_MASKS)
        say(GCAST_OK, "note: only the first %d instructions of the warp are in its masks", MAX_RECORDED_MASKS);
    if (status == GCAST_OK)
        status = exec_buffers_compare(&x->launch, x->a);
    if (status == GCAST_OK && x->report && x->options.check_races && x->report->races)
        status = GCAST_NO;
    return status;
}

static const option_spec options[] = {
    {"launch", 0, "FILE", "gridcast.launch/1: PTX, kernel, grid, block, args"},
    {"kernel", 0, "KERNEL", "which kernel, if FILE has several"},
    {"grid", 0, "X[,Y[,Z]]", "blocks; must be given"},
    {"block", 0, "X[,Y[,Z]]", "threads per block; must be given"},
    {"shared", 0, "BYTES", "dynamic shared memory per block"},
    {"arg", 0, "ARG", "TYPE:VALUE, NAME=TYPE[COUNT]:FILL, or such NAME"},
    {"model", 0, "MODEL", "divergence: threads (Volta on) or stack"},
    {"gpu", 0, "GPU", "its limits apply (default: --cost's or .target's)"},
    {"contract", 0, "HOW", "fuse multiply and add: as ptxas (default), off"},
    {"cores", 0, "N", "CPU cores to use (default: all)"},
    {"sms", 0, "N", "value of %nsmid (default: SMs of the GPU, else 1)"},
    {"placement", 0, "KIND|FILE", "which SM runs each block (default: hardware)"},
    {"limit", 0, "N", "at most N instructions a warp; --device: a time"},
    {"profile", 0, NULL, "count efficiency, memory and divergence by line"},
    {"cost", 0, "GPU[,REGS]", "estimate the time of a block there (docs/exec.md)"},
    {"registers", 0, "N", "registers per thread, by ptxas -v (or estimated)"},
    {"workload", 0, "FILE", "write the launch, with this time, for simulate"},
    {"races", 0, NULL, "report data races; exit 1 if there are any"},
    {"masks", 0, "BLOCK,WARP", "show active lanes over time; -o m.svg draws them"},
    {"show", 0, "NAME[,COUNT]", "print a buffer's first elements"},
    {"sum", 0, NULL, "print a CRC-32 of every buffer"},
    {"out", 0, "NAME=FILE", "write the bytes of a buffer, or module variable"},
    {"expect", 0, "NAME=FILE", "compare a buffer with a file; exit 1 if different"},
    {"ulp", 0, "N", "with --expect: floats may differ by N ULPs"},
    {"device", 0, NULL, "run on this machine's GPU instead"},
    {"times", 0, NULL, "with --device: show when each block ran"},
    {"driver", 0, "FILE", "the CUDA driver (default: libcuda.so.1)"},
    {"list", 0, NULL, "list supported instructions, or FILE's kernels"},
    {"print", 0, NULL, "print FILE as it was read"},
    {"json", 0, NULL, "print gridcast.exec/1"},
    {"output", 'o', "FILE", "also .txt .csv .json, masks as .svg .png .pdf"},
    {"force", 'f', NULL, "overwrite files"},
    {"quiet", 'q', NULL, "print no summary"},
    {NULL, 0, NULL, NULL},
};

/* --launch FILE takes the place of the options `in_file`. */
static gcast_status read_launch_file(execution *x)
{
    static const char *const in_file[] = {"kernel", "grid", "block", "shared", "registers", "arg"};
    const char *path = args_value(x->a, "launch");
    gcast_error err;
    if (!path)
        return GCAST_OK;
    if (x->a->operand_count)
        return say(GCAST_USAGE, "%s cannot be used with --launch: the launch file names the PTX", x->a->operands[0]);
    for (size_t i = 0; i < sizeof in_file / sizeof *in_file; i++)
        if (args_has(x->a, in_file[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --launch: the launch file has this value", in_file[i]);
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
    .summary = "run a kernel's PTX on the CPU, warp by warp",
    .options = options,
    .examples = {"gridcast exec --launch examples/saxpy.launch.json --show y"},
    .run = run,
};

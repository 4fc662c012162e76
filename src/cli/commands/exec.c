/* gridcast exec: run a kernel's PTX here, warp by warp, and tell what its warps did. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exec/buffers.h"
#include "cli/exec/cost.h"
#include "cli/exec/list.h"
#include "cli/output/capture.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"

#define MOST_CORES 1024
#define MOST_SMS 1024
#define TIMED_RUNS 8       /* the first, and seven with warm caches */
#define MOST_MASKS 1000000 /* instructions of the warp that is drawn */

static const option_spec options[] = {
    {"kernel", 0, "KERNEL", "which kernel, where FILE has several"},
    {"grid", 0, "X[,Y[,Z]]", "blocks; must be given"},
    {"block", 0, "X[,Y[,Z]]", "threads a block; must be given"},
    {"shared", 0, "BYTES", "dynamic shared memory a block"},
    {"arg", 0, "ARG", "TYPE:VALUE, NAME=TYPE[COUNT]:FILL, or NAME again"},
    {"model", 0, "MODEL", "threads (since Volta), stack; else by .target"},
    {"gpu", 0, "GPU", "whose limits count (default: --cost's, .target's)"},
    {"contract", 0, "HOW", "fuse products and sums: ptxas (default) or off"},
    {"cores", 0, "N", "of this computer (default: all)"},
    {"sms", 0, "N", "of the machine: what %nsmid says (default: 1)"},
    {"limit", 0, "N", "instructions of a warp; with --device a time"},
    {"profile", 0, NULL, "efficiency, memory and divergence, by line"},
    {"cost", 0, "GPU[,REGS]", "how long a block takes there (docs/bridge.md)"},
    {"registers", 0, "N", "a thread, as ptxas -v says (else estimated)"},
    {"workload", 0, "FILE", "write the launch with this time for simulate"},
    {"races", 0, NULL, "of threads on memory; exit 1 if any"},
    {"masks", 0, "BLOCK,WARP", "active lanes over time; -o m.svg draws them"},
    {"show", 0, "NAME[,COUNT]", "print a buffer's first elements"},
    {"sum", 0, NULL, "print a CRC-32 of every buffer"},
    {"out", 0, "NAME=FILE", "write a buffer's bytes"},
    {"expect", 0, "NAME=FILE", "compare a buffer with bytes; exit 1 if other"},
    {"ulp", 0, "N", "floats may be so many steps away"},
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

typedef struct execution {
    const args *a;
    const char *file; /* for messages */
    char *text;
    size_t size;
    gcast_ptx *ptx;
    exec_launch launch;
    gcast_simt_options options;
    gcast_gpu_exec_options gpu;
    gcast_gpu *limits; /* of --gpu */
    gcast_simt_report *report;
    gcast_block_times *times;
    exec_cost cost;
    text printed;   /* kept for JSON only; has failed where any of it was lost */
    bool to_stdout; /* an output took standard output's place */
} execution;

/* What the library calls by a path has an option here; where only the target says what a GPU holds, --gpu may say more.
 */
static gcast_status say_of_file(const execution *x, gcast_error *err)
{
    static const char *const options_of[][2] = {{"/grid", "--grid"},
                                                {"/block", "--block"},
                                                {"/shared_bytes", "--shared"},
                                                {"/kernel", "--kernel"},
                                                {"/arguments", "--arg"}};
    if (!err->file[0] && (err->line || err->code == GCAST_INPUT))
        snprintf(err->file, sizeof err->file, "%s", x->file);
    for (size_t i = 0; i < sizeof options_of / sizeof *options_of; i++)
        if (strcmp(err->path, options_of[i][0]) == 0)
            snprintf(err->path, sizeof err->path, "%s%s", options_of[i][1],
                     i == 2 && !x->options.gpu ? ", or --gpu for another GPU" : "");
    return say_error(err);
}

static gcast_status read_program(execution *x)
{
    const char *path = x->a->operands[0];
    gcast_error err;
    x->file = strcmp(path, "-") == 0 ? "standard input" : path;
    if (gcast_file_read(path, &x->text, &x->size, &err) != GCAST_OK)
        return say_error(&err);
    if (gcast_ptx_parse(x->text, x->size, x->file, &x->ptx, &err) != GCAST_OK)
        return say_of_file(x, &err);
    return GCAST_OK;
}

static gcast_status read_masks(execution *x)
{
    const char *given = args_value(x->a, "masks"), *from = given;
    uint32_t *numbers[] = {&x->options.masks_of_block, &x->options.masks_of_warp};
    const uint32_t *b = x->launch.launch.block, *g = x->launch.launch.grid;
    uint64_t most[] = {(uint64_t)g[0] * g[1] * g[2], ((uint64_t)b[0] * b[1] * b[2] + 31) / 32};
    if (!given)
        return GCAST_OK;
    for (int i = 0; i < 2; i++) {
        char *end;
        errno = 0;
        unsigned long long v = strtoull(from, &end, 10);
        if (*from < '0' || *from > '9' || errno || v > UINT32_MAX || *end != (i ? '\0' : ','))
            return say(GCAST_USAGE, "--masks is a block and a warp of it such as 0,0, not %s", given);
        if (v >= most[i])
            return say(GCAST_USAGE, "--masks %s: there are %llu %s", given, (unsigned long long)most[i],
                       i ? "warps a block" : "blocks");
        *numbers[i] = (uint32_t)v;
        from = end + 1;
    }
    x->options.max_masks = MOST_MASKS;
    return GCAST_OK;
}

/* What only the machine here can do, and what only a GPU can. */
static gcast_status check_device(const args *a)
{
    static const char *const machine[] = {"model",   "contract", "gpu",   "cores", "sms",
                                          "profile", "races",    "masks", "cost",  "registers"};
    static const char *const gpu[] = {"driver", "times"};
    bool device = args_has(a, "device");
    for (size_t i = 0; device && i < sizeof machine / sizeof machine[0]; i++)
        if (args_has(a, machine[i]))
            return say(GCAST_USAGE, "--%s does not go with --device: %s", machine[i],
                       strcmp(machine[i], "gpu") == 0 ? "the driver knows what its own holds" : "a GPU does not tell");
    for (size_t i = 0; !device && i < sizeof gpu / sizeof gpu[0]; i++)
        if (args_has(a, gpu[i]))
            return say(GCAST_USAGE, "--%s goes with --device", gpu[i]);
    return GCAST_OK;
}

static gcast_status read_options(execution *x)
{
    const args *a = x->a;
    const char *library = args_value(a, "driver");
    int model = 0, contract = GCAST_SIMT_CONTRACT_PTXAS;
    int64_t cores = 0, sms = 0, limit = 0;
    gcast_error err;
    x->options = gcast_simt_options_default();
    x->gpu = gcast_gpu_exec_options_default();
    gcast_status status = exec_cost_open(&x->cost, a, gcast_ptx_sm(x->ptx));
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "gpu") && gcast_gpu_load(args_value(a, "gpu"), &x->limits, &err) != GCAST_OK)
        return say_error(&err);
    x->options.gpu = x->limits ? x->limits : x->cost.gpu;
    x->options.registers = (uint32_t)x->cost.registers;
    x->options.profile = args_has(a, "profile");
    x->options.cost = x->cost.figures;
    x->options.check_races = args_has(a, "races");
    if (library)
        x->gpu.library = library;
    status = args_choice(a, "model", model_choices, &model);
    if (args_has(a, "model"))
        x->options.model = (gcast_simt_model)(GCAST_SIMT_THREADS + model);
    if (status == GCAST_OK)
        status = check_device(a);
    if (status == GCAST_OK)
        status = args_choice(a, "contract", contract_choices, &contract);
    x->options.contract = (gcast_simt_contract)contract;
    if (status == GCAST_OK)
        status = args_int(a, "cores", 1, MOST_CORES, &cores);
    if (status == GCAST_OK)
        status = args_int(a, "sms", 1, MOST_SMS, &sms);
    if (status == GCAST_OK && args_has(a, "device"))
        status = args_time(a, "limit", &x->gpu.limit_ns);
    else if (status == GCAST_OK)
        status = args_int(a, "limit", 1, INT64_MAX, &limit);
    if (status == GCAST_OK && (x->gpu.limit_ns < 1 || x->gpu.limit_ns > INT64_MAX / 4))
        status = say(GCAST_USAGE, "--limit is a time of at least 1ns");
    x->options.cores = (uint32_t)cores;
    x->options.sms = (uint32_t)sms;
    x->options.max_instructions = (uint64_t)limit;
    return status == GCAST_OK ? read_masks(x) : status;
}

/* Before anything runs: can what is asked for be written? */
static gcast_status check_outputs(execution *x)
{
    for (size_t i = 0; i < x->a->given_count; i++) {
        const char *path = x->a->given[i].value;
        gcast_format f;
        if (strcmp(x->a->given[i].spec->name, "output") != 0)
            continue;
        if (!gcast_format_from_name(path, &f) || f == GCAST_FORMAT_HTML || f == GCAST_FORMAT_TRACE)
            return say(GCAST_USAGE, "%s: a launch is written as .txt .csv .json .svg .png or .pdf", path);
        if (!gcast_format_available(f))
            return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(f));
        if (f == GCAST_FORMAT_CSV && !x->options.profile)
            return say(GCAST_USAGE, "%s: lines are counted with --profile", path);
        if (f != GCAST_FORMAT_TABLE && f != GCAST_FORMAT_CSV && f != GCAST_FORMAT_JSON && !x->options.max_masks)
            return say(GCAST_USAGE, "%s: a picture shows the warp that --masks BLOCK,WARP names", path);
        x->to_stdout = x->to_stdout || output_is_standard(path);
    }
    x->to_stdout = x->to_stdout || args_has(x->a, "json");
    return outputs_check(x->a, args_has(x->a, "json") ? "--json" : NULL);
}

/* For JSON, where a zero byte is no more text than any other that is not UTF-8. */
static void print_later(void *data, const char *bytes, size_t size)
{
    execution *x = data;
    for (size_t i = 0; i < size; i++)
        text_char(&x->printed, bytes[i] ? bytes[i] : '\xff');
}

static void print_now(void *data, const char *bytes, size_t size)
{
    execution *x = data;
    progress_hide();
    if (!print_bytes(bytes, size))
        text_no_memory(&x->printed);
}

/* A driver prints by itself: into a file first, where that must not come out as it is. */
static gcast_status launch_device(execution *x, gcast_error *err)
{
    bool held = x->to_stdout || isatty(STDOUT_FILENO);
    capture c;
    if (held && !capture_start(&c))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "standard output cannot be held back: %s", strerror(errno));
    gcast_status status = args_has(x->a, "times")
                              ? gcast_gpu_exec_timed(x->ptx, &x->launch.launch, TIMED_RUNS, &x->gpu, &x->times, err)
                              : gcast_gpu_exec(x->text, &x->launch.launch, &x->gpu, err);
    if (held && !capture_end(&c, x->options.print, x->options.print_data) && status == GCAST_OK)
        status =
            gcast_error_set(err, GCAST_RESOURCE, NULL, "standard output could not be held back: %s", strerror(errno));
    return status;
}

static gcast_status launch(execution *x)
{
    gcast_error err;
    gcast_status status;
    x->options.print = x->to_stdout ? print_later : print_now;
    x->options.print_data = x;
    progress shown;
    progress_start(&shown, "running");
    x->options.progress = x->gpu.progress = progress_show;
    x->options.progress_data = x->gpu.progress_data = &shown;
    if (args_has(x->a, "device")) {
        progress_next(&shown, "running", x->gpu.limit_ns / 1000000);
        status = launch_device(x, &err);
    } else {
        status = gcast_simt_run(x->ptx, &x->launch.launch, &x->options, &x->report, &err);
    }
    progress_end(&shown);
    x->options.progress = NULL;
    if (status != GCAST_OK)
        return say_of_file(x, &err);
    return x->report ? exec_cost_compute(&x->cost, x->report, &x->launch.launch) : GCAST_OK;
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

static gcast_status write_all(execution *x)
{
    const args *a = x->a;
    size_t size;
    bool no_memory = x->printed.failed;
    char *printed = x->to_stdout ? text_take(&x->printed, &size) : NULL;
    if (no_memory || (x->to_stdout && !printed))
        return say(GCAST_RESOURCE, "not enough memory");
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
    else if (!x->to_stdout && !args_has(a, "quiet"))
        status = write_report(x, &e, "-", GCAST_FORMAT_TABLE);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format f;
        if (strcmp(a->given[i].spec->name, "output") == 0 && gcast_format_from_name(a->given[i].value, &f))
            status = write_report(x, &e, a->given[i].value, f);
    }
    free(printed);
    if (status == GCAST_OK && !x->to_stdout) {
        output out;
        status = output_open(&out, "-", false);
        if (status == GCAST_OK) {
            exec_buffers_print(&x->launch, a, &out.words);
            status = output_finish(&out, GCAST_OK, NULL);
        }
    }
    if (status == GCAST_OK)
        status = exec_cost_write(&x->cost, x->report, &x->launch.launch, a);
    return status == GCAST_OK ? exec_buffers_write(&x->launch, a) : status;
}

static gcast_status answer(execution *x)
{
    gcast_status status = write_all(x);
    if (status == GCAST_OK && x->report && x->options.max_masks && x->report->masks == MOST_MASKS)
        say(GCAST_OK, "note: only the first %d instructions of the warp are in its masks", MOST_MASKS);
    if (status == GCAST_OK)
        status = exec_buffers_compare(&x->launch, x->a);
    if (status == GCAST_OK && x->report && x->options.check_races && x->report->races)
        status = GCAST_NO;
    return status;
}

static gcast_status execute(execution *x)
{
    gcast_status status = exec_launch_read(&x->launch, x->a);
    if (status == GCAST_OK)
        status = exec_launch_fits(&x->launch, x->ptx, args_value(x->a, "kernel"), x->file);
    if (status == GCAST_OK)
        status = read_options(x);
    if (status == GCAST_OK)
        status = exec_buffers_check(&x->launch, x->a);
    if (status == GCAST_OK)
        status = check_outputs(x);
    if (status == GCAST_OK)
        status = launch(x);
    return status == GCAST_OK ? answer(x) : status;
}

static gcast_status run(const args *a)
{
    execution x = {.a = a};
    if (!a->operand_count)
        return args_has(a, "list") ? exec_list_instructions()
                                   : say(GCAST_USAGE, "usage: gridcast exec [options] FILE.ptx");
    text_open(&x.printed, NULL, NULL);
    gcast_status status = read_program(&x);
    if (status == GCAST_OK && args_has(a, "list"))
        status = exec_list_kernels(x.ptx);
    else if (status == GCAST_OK && args_has(a, "print"))
        status = exec_print_program(x.ptx);
    else if (status == GCAST_OK)
        status = execute(&x);
    text_drop(&x.printed);
    gcast_simt_report_free(x.report);
    gcast_block_times_free(x.times);
    exec_cost_close(&x.cost);
    gcast_gpu_free(x.limits);
    exec_launch_free(&x.launch);
    gcast_ptx_free(x.ptx);
    free(x.text);
    return status;
}

const command cmd_exec = {
    .name = "exec",
    .operands = "FILE.ptx",
    .min_operands = 0,
    .max_operands = 1,
    .summary = "run a kernel's PTX here, warp by warp",
    .options = options,
    .examples = {"gridcast exec examples/collatz.ptx --grid 2 --block 32 --arg s=u32[64]:zero"},
    .run = run,
};

#include "cli/exec/execute.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/args.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "model/exec.h"
#include "model/launch_placement.h"
#include "ptx/public.h"

/* What a kernel prints goes to standard output. Control characters are escaped on a terminal, and what the driver
 * prints by itself can be captured. */

typedef struct capture {
    FILE *file; /* the temporary file that stands in for standard output */
    int saved;  /* a descriptor of the real standard output */
} capture;

#define CHUNK_BYTES 65536
#define TIMED_RUNS 8 /* the first, and seven with warm caches */

/* Prints bytes. On a terminal all control characters but newline and tab are escaped. False without memory. */
static bool print_bytes(const char *bytes, size_t size)
{
    if (!isatty(STDOUT_FILENO)) {
        fwrite(bytes, 1, size, stdout); /* main() looks at the stream's error flag */
        return true;
    }
    text t;
    text_open(&t, NULL, NULL);
    text_terminal_lines(&t, bytes, size);
    char *shown = text_take(&t, &size);
    bool ok = shown != NULL;
    if (ok)
        fwrite(shown, 1, size, stdout);
    free(shown);
    return ok;
}

/* Keeps all that the process prints until capture_end. False: that is impossible, and errno says why. */
static bool capture_start(capture *c)
{
    fflush(stdout);
    c->file = tmpfile();
    c->saved = c->file ? dup(STDOUT_FILENO) : -1;
    if (c->saved >= 0 && dup2(fileno(c->file), STDOUT_FILENO) >= 0)
        return true;
    int reason = errno;
    if (c->saved >= 0)
        close(c->saved);
    if (c->file)
        fclose(c->file);
    errno = reason;
    return false;
}

/* Restores standard output, and passes what was kept to `print`. False: some of it was lost, and errno says why. */
static bool capture_end(capture *c, void (*print)(void *data, const char *bytes, size_t size), void *data)
{
    static char chunk[CHUNK_BYTES];
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    int reason = errno;
    clearerr(stdout);
    dup2(c->saved, STDOUT_FILENO);
    close(c->saved);
    rewind(c->file);
    for (size_t n; ok && (n = fread(chunk, 1, sizeof chunk, c->file)) > 0;)
        print(data, chunk, n);
    if (ok && ferror(c->file)) {
        ok = false;
        reason = errno;
    }
    fclose(c->file);
    errno = reason;
    return ok;
}

/* The option or key that gives a value of the launch. */
static const struct {
    const char *path;   /* in errors of the library */
    const char *option; /* on the command line */
    const char *key;    /* in a launch file */
} value_sources[] = {{"/grid", "--grid", "/grid"},
                     {"/block", "--block", "/block"},
                     {"/shared_bytes", "--shared", "/shared"},
                     {"/kernel", "--kernel", "/kernel"},
                     {"/arguments", "--arg", "/args"}};

gcast_status execution_say_error(const execution *x, gcast_error *err)
{
    const char *file = x->file;
    for (size_t i = 0; i < sizeof value_sources / sizeof *value_sources; i++)
        if (strcmp(err->path, value_sources[i].path) == 0) {
            bool may_be_other_gpu = strcmp(value_sources[i].option, "--shared") == 0 && !x->options.gpu;
            snprintf(err->path, sizeof err->path, "%s%s",
                     x->launch_file ? value_sources[i].key : value_sources[i].option,
                     may_be_other_gpu ? ", or --gpu for another GPU" : "");
            if (x->launch_file && !err->line)
                file = x->launch_file->file;
            break;
        }
    if (!err->file[0] && (err->line || err->code == GCAST_INPUT))
        snprintf(err->file, sizeof err->file, "%s", file);
    return say_error(err);
}

/* Keeps what the kernel prints for JSON. A zero byte becomes \xff, which JSON output replaces, too, as it is no
 * UTF-8. */
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

/* The driver itself prints what the kernel prints. It is captured if standard output has another use, or is a terminal,
 * where control characters must be escaped. */
static gcast_status launch_device(execution *x, gcast_error *err)
{
    bool is_captured = x->stdout_is_used || isatty(STDOUT_FILENO);
    capture c;
    if (is_captured && !capture_start(&c))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "standard output cannot be held back: %s", strerror(errno));
    gcast_status status = args_has(x->a, "times") ? gcast_gpu_exec_timed(x->ptx, &x->launch.launch, TIMED_RUNS,
                                                                         &x->gpu_options, &x->times, err)
                                                  : gcast_gpu_exec(x->source, &x->launch.launch, &x->gpu_options, err);
    if (is_captured && !capture_end(&c, x->options.print, x->options.print_data) && status == GCAST_OK)
        status =
            gcast_error_set(err, GCAST_RESOURCE, NULL, "standard output could not be held back: %s", strerror(errno));
    return status;
}

gcast_status execute(execution *x)
{
    gcast_error err;
    gcast_status status;
    x->options.print = x->stdout_is_used ? print_later : print_now;
    x->options.print_data = x;
    progress shown;
    progress_start(&shown, "running");
    x->options.progress = x->gpu_options.progress = progress_show;
    x->options.progress_data = x->gpu_options.progress_data = &shown;
    if (args_has(x->a, "device")) {
        progress_next(&shown, "running", x->gpu_options.limit_ns / 1000000);
        status = launch_device(x, &err);
    } else {
        status = gcast_simt_run(x->ptx, &x->launch.launch, &x->options, &x->report, &err);
    }
    progress_end(&shown);
    x->options.progress = NULL;
    if (status != GCAST_OK)
        return execution_say_error(x, &err);
    return x->report ? exec_cost_compute(&x->cost, x->report, &x->launch.launch) : GCAST_OK;
}

/* The options are read and checked. */

#define MAX_CORES 1024
#define MAX_SMS 1024

/* --masks BLOCK,WARP */
static gcast_status read_masks(execution *x)
{
    const char *value = args_value(x->a, "masks"), *at = value;
    uint32_t *numbers[] = {&x->options.masks_of_block, &x->options.masks_of_warp};
    const uint32_t *b = x->launch.launch.block, *g = x->launch.launch.grid;
    uint64_t counts[] = {(uint64_t)g[0] * g[1] * g[2], ((uint64_t)b[0] * b[1] * b[2] + 31) / 32};
    if (!value)
        return GCAST_OK;
    for (int i = 0; i < 2; i++) {
        uint64_t v;
        if (!read_digits(&at, &v) || v > UINT32_MAX || *at != (i ? '\0' : ','))
            return say(GCAST_USAGE, "--masks is a block and a warp of it such as 0,0, not %s", value);
        if (v >= counts[i])
            return say(GCAST_USAGE, "--masks %s: there are %llu %s", value, (unsigned long long)counts[i],
                       i ? "warps per block" : "blocks");
        *numbers[i] = (uint32_t)v;
        at++;
    }
    x->options.max_masks = MAX_RECORDED_MASKS;
    return GCAST_OK;
}

/* Some options are for runs on this computer, others for runs on a GPU. */
static gcast_status check_device(const args *a)
{
    static const char *const only_here[] = {"model",   "contract", "gpu",   "cores", "sms",      "placement",
                                            "profile", "races",    "masks", "cost",  "registers"};
    static const char *const only_gpu[] = {"driver", "times"};
    bool device = args_has(a, "device");
    for (size_t i = 0; device && i < sizeof only_here / sizeof only_here[0]; i++)
        if (args_has(a, only_here[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --device: %s", only_here[i],
                       strcmp(only_here[i], "gpu") == 0         ? "the driver knows the limits of the GPU"
                       : strcmp(only_here[i], "placement") == 0 ? "a GPU places blocks itself"
                                                                : "a GPU does not show this");
    for (size_t i = 0; !device && i < sizeof only_gpu / sizeof only_gpu[0]; i++)
        if (args_has(a, only_gpu[i]))
            return say(GCAST_USAGE, "--%s needs --device", only_gpu[i]);
    return GCAST_OK;
}

gcast_status exec_options_read(execution *x)
{
    const args *a = x->a;
    const char *library = args_value(a, "driver");
    int model = 0, contract = GCAST_SIMT_CONTRACT_PTXAS;
    int64_t cores = 0, sms = 0, limit = 0;
    gcast_error err;
    x->options = gcast_simt_options_default();
    x->gpu_options = gcast_gpu_exec_options_default();
    x->cost.registers = x->launch_file ? x->launch_file->registers : 0;
    gcast_status status = exec_cost_open(&x->cost, a, gcast_ptx_sm(x->ptx));
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "gpu") && gcast_gpu_load(args_value(a, "gpu"), &x->gpu, &err) != GCAST_OK)
        return say_error(&err);
    x->options.gpu = x->gpu ? x->gpu : x->cost.gpu;
    x->options.registers = (uint32_t)x->cost.registers;
    x->options.profile = args_has(a, "profile");
    x->options.cost = x->cost.figures;
    x->options.check_races = args_has(a, "races");
    if (library)
        x->gpu_options.library = library;
    status = args_choice(a, "model", model_choices, &model);
    if (args_has(a, "model"))
        x->options.model = (gcast_simt_model)(GCAST_SIMT_THREADS + model);
    if (status == GCAST_OK)
        status = check_device(a);
    if (status == GCAST_OK)
        status = args_choice(a, "contract", contract_choices, &contract);
    x->options.contract = (gcast_simt_contract)contract;
    if (status == GCAST_OK)
        status = args_int(a, "cores", 1, MAX_CORES, &cores);
    if (status == GCAST_OK)
        status = args_int(a, "sms", 1, MAX_SMS, &sms);
    if (status == GCAST_OK && args_has(a, "device"))
        status = args_time(a, "limit", &x->gpu_options.limit_ns);
    else if (status == GCAST_OK)
        status = args_int(a, "limit", 1, INT64_MAX, &limit);
    if (status == GCAST_OK && (x->gpu_options.limit_ns < 1 || x->gpu_options.limit_ns > INT64_MAX / 4))
        status = say(GCAST_USAGE, "--limit is a time of at least 1ns");
    x->options.cores = (uint32_t)cores;
    x->options.sms = (uint32_t)sms;
    x->options.max_instructions = (uint64_t)limit;
    return status == GCAST_OK ? read_masks(x) : status;
}

/* --placement is a kind, or a run whose blocks have places. */

#define BLOCK_NS 1000000 /* duration of every block in the simulation that places blocks */

static uint64_t grid_blocks(const execution *x)
{
    const uint32_t *g = x->launch.launch.grid;
    return (uint64_t)g[0] * g[1] * g[2];
}

static gcast_status allocate(execution *x)
{
    uint64_t blocks = grid_blocks(x);
    if (blocks > UINT32_MAX)
        return say(GCAST_USAGE, "a placement is of at most %u blocks, and the grid has %llu", UINT32_MAX,
                   (unsigned long long)blocks);
    x->block_sm = calloc(blocks + 1, sizeof *x->block_sm);
    x->block_order = calloc(blocks + 1, sizeof *x->block_order);
    if (!x->block_sm || !x->block_order)
        return say_no_memory();
    x->options.placed_blocks = blocks;
    return GCAST_OK;
}

static void use_placement(execution *x)
{
    x->options.block_sm = x->block_sm;
    x->options.block_order = x->block_order;
}

/* Simulates the launch alone on the first SMs of the GPU, as --sms says. */
static gcast_status simulate_launch(execution *x, const gcast_block_shape *shape, gcast_gpu **gpu, gcast_workload **w,
                                    gcast_run **run, gcast_error *err)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(op.grid, x->launch.launch.grid, sizeof op.grid);
    memcpy(op.block, x->launch.launch.block, sizeof op.block);
    op.label = "kernel";
    op.shape = *shape;
    op.min_ns = op.max_ns = BLOCK_NS;
    options.record_blocks = true;
    gcast_status status = gcast_gpu_copy(x->options.gpu, gpu, err);
    if (status == GCAST_OK)
        status = gcast_gpu_partition(*gpu, (int)x->options.sms, err);
    if (status == GCAST_OK)
        status = gcast_workload_create("placement", w, err);
    if (status == GCAST_OK)
        status = gcast_workload_get_stream(*w, 1, &op.stream, err);
    if (status == GCAST_OK)
        status = gcast_workload_add_op(*w, &op, NULL, err);
    return status == GCAST_OK ? gcast_workload_simulate(*w, *gpu, &options, run, err) : status;
}

/* Places blocks on the SMs of the simulation. Blocks start in the order of their numbers, or in reverse. */
static gcast_status place_by_simulation(execution *x, const gcast_block_shape *shape, bool reversed)
{
    gcast_gpu *gpu = NULL;
    gcast_workload *w = NULL;
    gcast_run *run = NULL;
    gcast_error err;
    uint64_t blocks = x->options.placed_blocks;
    gcast_status status = simulate_launch(x, shape, &gpu, &w, &run, &err);
    for (uint64_t i = 0; status == GCAST_OK && i < blocks; i++) {
        x->block_sm[i] = run->ops[0].blocks[i].sm;
        x->block_order[i] = (uint32_t)(reversed ? blocks - 1 - i : i);
    }
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status place_by_kind(execution *x, gcast_placement_kind kind, uint64_t seed)
{
    gcast_block_shape shape;
    gcast_occupancy fits;
    gcast_error err;
    if (gcast_simt_block_shape(x->ptx, &x->launch.launch, &x->options, &shape, &err) != GCAST_OK)
        return execution_say_error(x, &err);
    if (gcast_occupancy_compute(exec_limits(x->options.gpu, x->ptx), &shape, GCAST_CARVEOUT_DEFAULT, &fits, &err) !=
        GCAST_OK)
        return execution_say_error(x, &err);
    if (!fits.blocks_per_sm)
        return GCAST_OK; /* the launch will be refused with the reason */
    gcast_status status = allocate(x);
    if (status != GCAST_OK)
        return status;
    bool reversed = kind == GCAST_PLACEMENT_KIND_REVERSED;
    if (x->options.gpu && (reversed || kind == GCAST_PLACEMENT_KIND_HARDWARE))
        status = place_by_simulation(x, &shape, reversed);
    else if (gcast_placement_make(kind, seed, x->options.sms, (uint32_t)fits.blocks_per_sm, x->options.placed_blocks,
                                  x->block_sm, x->block_order, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        use_placement(x);
    return status;
}

/* FILE or FILE#LABEL. */
static gcast_status place_by_run(execution *x, const char *value)
{
    const char *label = strchr(value, '#');
    char *path = strndup(value, label ? (size_t)(label - value) : strlen(value)), *bytes = NULL;
    size_t size;
    uint32_t sms;
    gcast_error err;
    gcast_status status = path ? allocate(x) : say_no_memory();
    if (status == GCAST_OK &&
        (gcast_file_read(path, &bytes, &size, &err) != GCAST_OK ||
         gcast_placement_read(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, label ? label + 1 : NULL,
                              x->options.placed_blocks, &sms, x->block_sm, x->block_order, &err) != GCAST_OK))
        status = say_error(&err);
    if (status == GCAST_OK && args_has(x->a, "sms") && sms != x->options.sms)
        status = say(GCAST_USAGE, "--sms %u: the run %s has %u SMs", x->options.sms, path, sms);
    if (status == GCAST_OK) {
        x->options.sms = sms;
        use_placement(x);
    }
    free(bytes);
    free(path);
    return status;
}

static gcast_status unknown_kind(const char *word)
{
    char kinds[160];
    choices_join(placement_choices, kinds, sizeof kinds);
    return say(GCAST_USAGE, "--placement is %s, or a run such as run.json; not %s", kinds, word);
}

static gcast_status read_placement(execution *x, const char *value)
{
    size_t length = strcspn(value, ":");
    char word[16] = "";
    const char *at = value + length;
    uint64_t seed = 0;
    if (length < sizeof word)
        memcpy(word, value, length);
    int kind = choice_find(placement_choices, word);
    if (kind < 0)
        return strpbrk(value, "./#") || strcmp(value, "-") == 0 ? place_by_run(x, value) : unknown_kind(value);
    if (*at++ && (!read_digits(&at, &seed) || *at))
        return say(GCAST_USAGE, "--placement %s: a seed is a whole number, as in random:7", value);
    if (!x->options.sms)
        return say(GCAST_USAGE, "--placement %s needs --gpu or --sms: the number of SMs", value);
    return place_by_kind(x, (gcast_placement_kind)kind, seed);
}

gcast_status exec_placement_read(execution *x)
{
    const char *value = args_value(x->a, "placement");
    const gcast_gpu *gpu = x->options.gpu;
    if (args_has(x->a, "device"))
        return GCAST_OK;
    if (gpu && x->options.sms > (uint32_t)gpu->sms)
        return say(GCAST_USAGE, "--sms %u: %s has %d SMs", x->options.sms, gpu->name, gpu->sms);
    if (gpu && !x->options.sms)
        x->options.sms = (uint32_t)gpu->sms;
    if (value)
        return read_placement(x, value);
    /* only programs that read %smid see the placement */
    if (x->options.sms > 1 && strstr(x->source, "%smid"))
        return place_by_kind(x, GCAST_PLACEMENT_KIND_HARDWARE, 0);
    return GCAST_OK;
}

void exec_placement_free(execution *x)
{
    free(x->block_sm);
    free(x->block_order);
}

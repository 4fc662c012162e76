#include "cli/exec/execute.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/capture.h"
#include "cli/output/progress.h"
#include "cli/say.h"

#define TIMED_RUNS 8 /* the first, and seven with warm caches */

/* Who gives a value of the launch, by its path in errors of the library. */
static const struct {
    const char *path;   /* in errors */
    const char *option; /* of the command line */
    const char *key;    /* in a launch file */
} givers[] = {{"/grid", "--grid", "/grid"},
              {"/block", "--block", "/block"},
              {"/shared_bytes", "--shared", "/shared"},
              {"/kernel", "--kernel", "/kernel"},
              {"/arguments", "--arg", "/args"}};

gcast_status execution_say_error(const execution *x, gcast_error *err)
{
    const char *file = x->file;
    for (size_t i = 0; i < sizeof givers / sizeof *givers; i++)
        if (strcmp(err->path, givers[i].path) == 0) {
            bool may_be_other_gpu = strcmp(givers[i].option, "--shared") == 0 && !x->options.gpu;
            snprintf(err->path, sizeof err->path, "%s%s", x->launch_file ? givers[i].key : givers[i].option,
                     may_be_other_gpu ? ", or --gpu for another GPU" : "");
            if (x->launch_file && !err->line)
                file = x->launch_file->file;
            break;
        }
    if (!err->file[0] && (err->line || err->code == GCAST_INPUT))
        snprintf(err->file, sizeof err->file, "%s", file);
    return say_error(err);
}

/* Keeps what the kernel prints for JSON. A zero byte becomes one that is not UTF-8 either, which JSON output replaces.
 */
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

/* The driver itself prints what the kernel prints. That is captured where standard output has another use, or is a
 * terminal, for which control characters must be escaped. */
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

#include "papers/apps/apps_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "papers/apps/apps.h"
#include "papers/apps/data/input.h"

static gcast_status read_options(const args *a, gcast_app_options *o)
{
    int stream = 0;
    int64_t min_items = 0;
    *o = gcast_app_options_default();
    gcast_status status = args_choice(a, "stream", child_stream_choices, &stream);
    o->stream = stream ? GCAST_CHILD_STREAM_BLOCK : GCAST_CHILD_STREAM_OWN;
    if (status == GCAST_OK)
        status = args_time(a, "turnaround", &o->turnaround_ns);
    if (status == GCAST_OK && o->turnaround_ns > GCAST_APP_MAX_NS)
        status = say(GCAST_USAGE, "--turnaround is at most 1000s");
    if (status == GCAST_OK)
        status = args_int(a, "min-items", 1, UINT32_MAX, &min_items);
    o->min_items = (uint32_t)min_items;
    return status;
}

gcast_status apps_check(const args *a)
{
    gcast_app_options options;
    return read_options(a, &options);
}

static gcast_status read_costs(const char *path, const char *app, gcast_app_costs *costs)
{
    gcast_error err;
    char *bytes;
    size_t size;
    gcast_status status = gcast_file_read(path, &bytes, &size, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    status = gcast_app_costs_read(bytes, size, path, app, costs, &err);
    free(bytes);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status apps_open(const args *a, const char *name, gcast_workload **w)
{
    gcast_app_options options;
    const char *costs = args_value(a, "costs");
    gcast_error err;
    *w = NULL;
    gcast_status status = read_options(a, &options);
    if (status == GCAST_OK && costs)
        status = read_costs(costs, name, &options.costs);
    if (status != GCAST_OK || gcast_app_workload(name, args_value(a, "input"), &options, w, &err) == GCAST_OK)
        return status;
    return err.code == GCAST_USAGE ? say(GCAST_USAGE, "--app %s: %s", name, err.message) : say_error(&err);
}

void apps_note(const args *a, const gcast_gpu *gpu)
{
    char note[260];
    if (args_has(a, "costs") || strcmp(gpu->name, "gk110-sim") == 0)
        return;
    snprintf(
        note, sizeof note,
        "items of applications have the times of a Kepler at 1,400 MHz, not of %.100s: --costs FILE gives other times",
        gpu->name);
    say_note(note);
}

const char *apps_paper_benchmark(size_t i)
{
    return i < GCAST_PAPER_BENCHMARKS ? gcast_benchmark_name(i) : NULL;
}

const char *apps_benchmark(size_t i)
{
    return gcast_benchmark_name(i);
}

const char *apps_input_form(size_t i)
{
    return i < APP_FORMS ? app_form_name((app_form)i) : NULL;
}

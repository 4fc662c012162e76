/* The table of a GPU's fields, and what stands below it. */
#include "cli/gpus/show.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "model/gpu/fields.h"

/* A row of the table; a GPU without sources has no column that says where values are from. */
static void put_row(text *t, const gcast_gpu *gpu, const char *key, const char *value, const char *origin,
                    const char *description)
{
    if (gpu->source_count)
        text_printf(t, "  %-23s %14s  %-9s  %s\n", key, value, origin, description);
    else
        text_printf(t, "  %-23s %14s  %s\n", key, value, description);
}

static void show_row(text *t, const gcast_gpu *gpu, const char *key, const char *value, const char *description)
{
    put_row(t, gpu, key, value, gcast_origin_name(gcast_gpu_origin(gpu, key)), description);
}

static void show_field(text *t, const gcast_gpu *gpu, const gpu_field *f)
{
    char value[48];
    gpu_field_format(f, gpu_field_get(gpu, f), value, sizeof value);
    show_row(t, gpu, f->key, value, f->text);
}

/* Fields that are not numbers. */
static void show_words(text *t, const gcast_gpu *gpu)
{
    show_row(t, gpu, "register_quarters", gpu->register_quarters ? "true" : "false",
             "registers and warp slots are held by quarters of an SM");
    show_row(t, gpu, "placement", gcast_placement_name(gpu->placement), "the SM that the next block goes to");
    show_row(t, gpu, "tie_order", gcast_tie_order_name(gpu->tie_order), "which SM wins a tie, of a partition too");
}

static void show_list(text *t, const char *key, const int *list, int n, int unit)
{
    text_printf(t, "  %s:", key);
    for (int i = 0; i < n; i++)
        text_printf(t, "%s%d", i % 20 || !i ? " " : "\n    ", list[i] / unit);
    text_char(t, '\n');
}

static void show_latency(text *t, const char *kind, const gcast_latency *l)
{
    char time[40];
    if (!l->samples)
        return;
    units_format_time(l->min_ns, time, sizeof time);
    text_printf(t, "  %s takes %s or more;", kind, time);
    for (int i = 0; i < l->count; i++) {
        units_format_time(l->quantile[i].ns, time, sizeof time);
        text_printf(t, " one in %lld more than %s;", (long long)l->quantile[i].one_in, time);
    }
    units_format_time(l->max_ns, time, sizeof time);
    text_printf(t, " none of %lld more than %s\n", (long long)l->samples, time);
}

static void show_sources(text *t, const gcast_gpu *gpu)
{
    if (!gpu->source_count)
        return;
    text_str(t, "\nsource: known of this GPU, see below; assumed: taken from another one, or from a data sheet;\n"
                "not known: nobody has measured it, so it is left out; cc: of the compute capability\n\nsources:\n");
    for (size_t i = 0; i < gpu->source_count; i++) {
        text_str(t, "  ");
        text_terminal(t, gpu->sources[i].fields);
        text_str(t, ":\n      ");
        text_terminal(t, gpu->sources[i].text);
        text_char(t, '\n');
    }
}

static void show_gpcs(text *t, const gcast_gpu *gpu)
{
    const int *sm = gpu->gpc_sms;
    for (int g = 0; g < gpu->gpc_count; sm += gpu->gpc_sizes[g++]) {
        char key[32];
        snprintf(key, sizeof key, "SMs of GPC %d", g);
        show_list(t, key, sm, gpu->gpc_sizes[g], 1);
    }
}

void gpu_show(text *t, const gcast_gpu *gpu)
{
    text_terminal(t, gpu->name);
    text_str(t, ": ");
    text_terminal(t, gpu->title);
    text_printf(t, ", compute capability %d.%d\n\n", gpu->limits.cc_major, gpu->limits.cc_minor);
    put_row(t, gpu, "field", "value", "from", "what it is");
    for (size_t i = 0; i < gpu_field_count; i++)
        show_field(t, gpu, &gpu_fields[i]);
    show_words(t, gpu);
    text_char(t, '\n');
    if (gpu->tie_list)
        show_list(t, "ties go to SM", gpu->tie_list, gpu->sms, 1);
    if (gpu->reach_ns)
        show_list(t, "reach of SMs, ns", gpu->reach_ns, gpu->sms, 1);
    show_gpcs(t, gpu);
    show_list(t, "carveouts, KiB", gpu->limits.carveout, gpu->limits.carveouts, 1024);
    show_latency(t, "a launch", &gpu->launch_quantiles);
    show_latency(t, "the call of a copy", &gpu->copy_quantiles);
    text_printf(t, "  limits from %s, as gridcast gpus --limits explains\n", gpu->limits.sources);
    show_sources(t, gpu);
}

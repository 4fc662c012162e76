/* A value that no source is given for is either the same for all GPUs of the compute capability, or
 * one that nobody has measured; the table tells these apart. */
#include "cli/gpus/show.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "model/gpu/fields.h"

static bool starts_with(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

/* Where a value is from, in a word. `limit`: it is one of the compute capability's limits; is_default: a GPU of which
 * only the compute capability is known has the same; assumed: that one has a time which is not 0. */
static const char *origin(const gcast_gpu *gpu, const char *key, bool limit, bool is_default, bool assumed)
{
    const char *source = gpu_field_source(gpu, key);
    if (source && starts_with(source, "assumed:"))
        return "assumed";
    if (source)
        return starts_with(source, "not measured") || starts_with(source, "not known") ? "not known" : "source";
    return !is_default ? "given" : limit ? "cc" : assumed ? "assumed" : "not known";
}

static void show_row(text *t, const gcast_gpu *gpu, const char *key, const char *value, const char *origin_word,
                     const char *description)
{
    if (gpu->source_count)
        text_printf(t, "  %-23s %14s  %-9s  %s\n", key, value, origin_word, description);
    else
        text_printf(t, "  %-23s %14s  %s\n", key, value, description);
}

static void show_field(text *t, const gcast_gpu *gpu, const gcast_gpu *defaults, const gpu_field *f)
{
    char value[48];
    int64_t v = gpu_field_get(gpu, f);
    switch (f->unit) {
    case GPU_TIME:
        units_format_time(v, value, sizeof value);
        break;
    case GPU_BYTES:
        units_format_size(v, value, sizeof value);
        break;
    case GPU_RATE:
        units_format_rate(v, value, sizeof value);
        break;
    default:
        snprintf(value, sizeof value, "%lld", (long long)v);
    }
    int64_t default_value = gpu_field_get(defaults, f);
    bool assumed = f->unit == GPU_TIME && default_value;
    show_row(t, gpu, f->key, value, origin(gpu, f->key, f->limit, v == default_value, assumed), f->text);
}

/* Fields that are not numbers. */
static void show_words(text *t, const gcast_gpu *gpu, const gcast_gpu *defaults)
{
    show_row(t, gpu, "register_quarters", gpu->register_quarters ? "true" : "false",
             origin(gpu, "register_quarters", true, gpu->register_quarters == defaults->register_quarters, false),
             "registers and warp slots are held by quarters of an SM");
    show_row(t, gpu, "placement", gcast_placement_name(gpu->placement),
             origin(gpu, "placement", false, gpu->placement == defaults->placement, false),
             "the SM that the next block goes to");
    show_row(t, gpu, "tie_order", gcast_tie_order_name(gpu->tie_order),
             origin(gpu, "tie_order", false, gpu->tie_order == defaults->tie_order, false),
             "which SM wins a tie, of a partition too");
}

static void show_list(text *t, const char *key, const int *list, int n, int unit)
{
    text_printf(t, "  %s:", key);
    for (int i = 0; i < n; i++)
        text_printf(t, "%s%d", i % 20 || !i ? " " : "\n    ", list[i] / unit);
    text_char(t, '\n');
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

gcast_status gpu_show(text *t, const gcast_gpu *gpu, gcast_error *err)
{
    gcast_gpu *defaults;
    gcast_status status =
        gcast_gpu_create("plain", gpu->limits.cc_major, gpu->limits.cc_minor, gpu->sms, &defaults, err);
    if (status != GCAST_OK)
        return status;
    text_terminal(t, gpu->name);
    text_str(t, ": ");
    text_terminal(t, gpu->title);
    text_printf(t, ", compute capability %d.%d\n\n", gpu->limits.cc_major, gpu->limits.cc_minor);
    show_row(t, gpu, "field", "value", "from", "what it is");
    for (size_t i = 0; i < gpu_field_count; i++)
        show_field(t, gpu, defaults, &gpu_fields[i]);
    show_words(t, gpu, defaults);
    text_char(t, '\n');
    if (gpu->tie_list)
        show_list(t, "ties go to SM", gpu->tie_list, gpu->sms, 1);
    if (gpu->reach_ns)
        show_list(t, "reach of SMs, ns", gpu->reach_ns, gpu->sms, 1);
    show_list(t, "carveouts, KiB", gpu->limits.carveout, gpu->limits.carveouts, 1024);
    text_printf(t, "  limits from %s, as gridcast gpus --limits explains\n", gpu->limits.sources);
    show_sources(t, gpu);
    gcast_gpu_free(defaults);
    return GCAST_OK;
}

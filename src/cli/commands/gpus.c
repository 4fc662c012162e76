/* gridcast gpus: the presets, one GPU in full, the limits of each compute capability, or the fields that describe a
 * GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/gpu.h"
#include "gridcast/names.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

/* gridcast gpus NAME shows one GPU in full: a table of its fields, then lists, latencies and sources. */

/* A row of the table; a GPU without sources has no column for the origin of values. */
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
    put_row(t, gpu, key, value, gcast_name(GCAST_NAMES_ORIGIN, gcast_gpu_origin(gpu, key)), description);
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
    show_row(t, gpu, "placement", gcast_name(GCAST_NAMES_PLACEMENT, gpu->placement), "which SM gets the next block");
    show_row(t, gpu, "tie_order", gcast_name(GCAST_NAMES_TIE_ORDER, gpu->tie_order),
             "order of SMs in ties, also in a partition");
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
    text_str(t,
             "\nsource: the source of the value, listed below; assumed: value of another GPU or of a data sheet;\nnot "
             "known: not measured, so it has no effect; cc: value of the compute capability\n\nsources:\n");
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

static void gpu_show(text *t, const gcast_gpu *gpu)
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

static const option_spec options[] = {
    {"limits", 0, NULL, "show the limits of an SM for each compute capability"},
    {"fields", 0, NULL, "list the keys and words that describe a GPU"},
    {"json", 0, NULL, "print gridcast.gpu/1; without NAME, a list of all presets"},
    {NULL, 0, NULL, NULL},
};

static void list_preset(text *t, const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    text_printf(t, "%-13s %2d.%d %4d %11d %8dK %12dK  %-10s %12d  %s\n", gpu->name, l->cc_major, l->cc_minor, gpu->sms,
                l->threads_per_sm, l->smem_per_sm / 1024, l->registers_per_sm / 1024,
                gcast_name(GCAST_NAMES_TIE_ORDER, gpu->tie_order), gpu->copy_engines, gpu->title);
}

static gcast_status write_json(text *t, const gcast_gpu *gpu)
{
    char *json;
    size_t size;
    gcast_error err;
    if (gcast_gpu_write_json(gpu, &json, &size, &err) != GCAST_OK)
        return say_error(&err);
    text_bytes(t, json, size - 1); /* without its newline */
    free(json);
    return GCAST_OK;
}

static gcast_status list_presets(text *t, bool json)
{
    if (json)
        text_str(t, "[\n");
    else
        text_printf(t, "%-13s %4s %4s %11s %9s %13s  %-10s %12s  title\n", "name", "cc", "SMs", "threads/SM", "smem/SM",
                    "registers/SM", "tie order", "copy engines");
    for (size_t i = 0; i < gcast_preset_count(); i++) {
        gcast_gpu *gpu;
        gcast_error err;
        if (gcast_gpu_preset(gcast_preset_name(i), &gpu, &err) != GCAST_OK)
            return say_error(&err);
        gcast_status status = GCAST_OK;
        if (json) {
            text_str(t, i ? ",\n" : "");
            status = write_json(t, gpu);
        } else {
            list_preset(t, gpu);
        }
        gcast_gpu_free(gpu);
        if (status != GCAST_OK)
            return status;
    }
    if (json)
        text_str(t, "\n]\n");
    return GCAST_OK;
}

static void list_limits(text *t)
{
    size_t count;
    const gcast_limits *l = gcast_limits_table(&count);
    text_printf(t, "%4s %6s %8s %6s %7s %10s %8s %9s %6s %8s %8s %5s %9s %6s  %s\n", "cc", "cores", "threads", "warps",
                "blocks", "registers", "/block", "/thread", "smem", "/block", "reserve", "unit", "barriers", "grids",
                "sources");
    for (; count--; l++)
        text_printf(t, "%2d.%d %6d %8d %6d %7d %9dK %7dK %9d %5dK %7dK %7dK %5d %9d %6d  %s\n", l->cc_major,
                    l->cc_minor, l->cores_per_sm, l->threads_per_sm, l->warps_per_sm, l->blocks_per_sm,
                    l->registers_per_sm / 1024, l->registers_per_block / 1024, l->registers_per_thread,
                    l->smem_per_sm / 1024, l->smem_per_block / 1024, l->smem_reserved / 1024, l->smem_unit,
                    l->barriers_per_sm, l->resident_grids, l->sources);
    text_str(
        t, "\nsources: guide, the CUDA C++ Programming Guide; cccl, NVIDIA's libcu++ arch_traits.h; header, CUDA 13.0\n"
           "cuda_occupancy.h; xm, xmartlabs/cuda-calculator; query, deviceQuery of such a GPU. K is 1024.\n");
}

static void list_fields(text *t)
{
    static const char *const units[] = {"number", "size", "time", "rate"};
    static const char *const special_fields[][4] = {
        {"name", "name", "text", "must be in JSON"},
        {"cc", "cc", "6.2", "compute capability; required, like sms"},
        {"register_quarters", "quarters", "yes or no",
         "registers and warp slots are held by quarters (JSON: true or false)"},
        {"placement", "placement", "name",
         "most_room, round_robin, most_threads, fewest_blocks, least_room, first_fit"},
        {"tie_order", "ties", "name or list", "ascending, descending, even_odd, or SMs with commas (JSON: an array)"},
        {"reach_ns", "reach", "list", "extra delay until the GPU sees block ends on each SM, ns (JSON: an array)"},
        {"gpcs", "-", "lists", "the SMs of each GPC, for clusters (JSON only: an array of arrays)"},
        {"carveouts", "carveouts", "list", "shared-memory configurations, ascending (JSON: an array)"},
    };
    text_printf(t, "%-23s %-19s %-12s %s\n", "key in JSON", "word in a string", "value", "what it is");
    for (size_t i = 0; i < sizeof special_fields / sizeof special_fields[0]; i++)
        text_printf(t, "%-23s %-19s %-12s %s\n", special_fields[i][0], special_fields[i][1], special_fields[i][2],
                    special_fields[i][3]);
    for (size_t i = 0; i < gpu_field_count; i++)
        text_printf(t, "%-23s %-19s %-12s %s\n", gpu_fields[i].key, gpu_fields[i].word, units[gpu_fields[i].unit],
                    gpu_fields[i].text);
}

static gcast_status show(const args *a, text *t)
{
    bool json = args_has(a, "json");
    if (args_has(a, "limits"))
        list_limits(t);
    else if (args_has(a, "fields"))
        list_fields(t);
    else if (a->operand_count == 0)
        return list_presets(t, json);
    else {
        gcast_gpu *gpu;
        gcast_error err;
        if (gcast_gpu_load(a->operands[0], &gpu, &err) != GCAST_OK)
            return say_error(&err);
        gcast_status status = GCAST_OK;
        if (json) {
            status = write_json(t, gpu);
            if (status == GCAST_OK)
                text_char(t, '\n');
        } else {
            gpu_show(t, gpu);
        }
        gcast_gpu_free(gpu);
        return status;
    }
    return GCAST_OK;
}

static gcast_status run(const args *a)
{
    bool tables = args_has(a, "limits") || args_has(a, "fields");
    if (tables && (args_has(a, "json") || a->operand_count || (args_has(a, "limits") && args_has(a, "fields"))))
        return say(GCAST_USAGE, "--limits and --fields take no other option and no NAME");
    output o;
    gcast_status status = output_open(&o, "-", false);
    return status == GCAST_OK ? output_finish(&o, show(a, &o.words), NULL) : status;
}

const command cmd_gpus = {
    .name = "gpus",
    .operands = "[NAME]",
    .max_operands = 1,
    .summary = "list the GPU presets, or show one; NAME may be a file or a string",
    .options = options,
    .examples = {"gridcast gpus h200", "gridcast gpus \"sms:2 cc:6.2 smem:32K\" --json"},
    .run = run,
};

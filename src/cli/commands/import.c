/* gridcast import: from a profile of a CUDA program to a workload. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/commands/import_trace.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "profile/read_profile.h"
#include "profile/recorded/recorded.h"
#include "profile/trace.h"

/* Without -o the contents of the profile are shown: its GPUs, operations and ranges, to choose a part. */

#define MAX_RANGES 20 /* names of ranges that are shown */

static void put_time(text *out, int64_t ns)
{
    text_printf(out, "%.3f ms", (double)ns / 1e6);
}

static void put_gpu(text *out, const prof_trace *t, int64_t device)
{
    const prof_gpu *gpu = prof_gpu_of(t, device);
    size_t kernels = 0, copies = 0, streams = 0;
    bool *used = calloc(t->stream_count + 1, sizeof *used);
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        if (t->streams[op->stream].device != device)
            continue;
        if (used && !used[op->stream])
            streams += used[op->stream] = true;
        kernels += op->kind == GCAST_KIND_KERNEL;
        copies += op->kind != GCAST_KIND_KERNEL;
        first_ns = op->start_ns < first_ns ? op->start_ns : first_ns;
        last_ns = op->end_ns > last_ns ? op->end_ns : last_ns;
    }
    if (!used)
        text_no_memory(out);
    free(used);
    text_printf(out, "GPU %lld: ", (long long)device);
    text_terminal(out, gpu && gpu->name ? gpu->name : "not named");
    text_printf(out, "; kernels %zu, copies and memsets %zu, streams %zu; from ", kernels, copies, streams);
    put_time(out, first_ns - t->zero_ns);
    text_str(out, " to ");
    put_time(out, last_ns - t->zero_ns);
    text_char(out, '\n');
}

/* Is it the first range of its name? *count: how many ranges have this name. */
static bool is_first(const prof_trace *t, size_t i, size_t *count)
{
    *count = 0;
    for (size_t k = 0; k < t->range_count; k++)
        if (t->ranges[k].name == t->ranges[i].name) {
            if (k < i)
                return false;
            ++*count;
        }
    return true;
}

static void put_ranges(text *out, const prof_trace *t)
{
    size_t shown = 0, count;
    for (size_t i = 0; i < t->range_count; i++) {
        if (shown == MAX_RANGES) {
            text_str(out, "and further ranges\n");
            return;
        }
        if (!is_first(t, i, &count))
            continue;
        text_str(out, t->ranges[i].kind == PROF_RANGE_STEP ? "step " : "range ");
        text_terminal(out, t->ranges[i].name);
        text_str(out, ": from ");
        put_time(out, t->ranges[i].start_ns - t->zero_ns);
        text_str(out, " to ");
        put_time(out, t->ranges[i].end_ns - t->zero_ns);
        if (count > 1)
            text_printf(out, ", the first of %zu", count);
        text_char(out, '\n');
        shown++;
    }
}

static void profile_table(text *out, const prof_trace *t)
{
    int64_t devices[64];
    size_t count = prof_devices(t, devices, 64), without = 0;
    text_terminal(out, t->writer);
    text_printf(out, "; calls %zu, operations %zu", t->call_count, t->op_count);
    for (size_t i = 0; i < t->op_count; i++)
        without += t->ops[i].call == PROF_NONE;
    if (without)
        text_printf(out, ", of which %zu without a call", without);
    text_char(out, '\n');
    for (size_t i = 0; i < count; i++)
        put_gpu(out, t, devices[i]);
    put_ranges(out, t);
}

static gcast_status read_profile(const char *path, prof_trace **t)
{
    progress shown;
    gcast_error err;
    const prof_read_options options = {.progress = progress_show, .progress_data = &shown};
    progress_start(&shown, "reading");
    gcast_status status = (recorded_is_file(path) ? recorded_read : prof_read)(path, &options, t, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status show(const prof_trace *t)
{
    text out;
    if (!t->op_count)
        return say(GCAST_INPUT, "%s: the profile has no kernel, copy or memset of a GPU: only the CPU was recorded",
                   t->source);
    text_open(&out, NULL, NULL);
    profile_table(&out, t);
    return print_text(&out, GCAST_OK);
}

/* The size of a name without the endings of profiles. */
static size_t without_endings(const char *name, size_t size)
{
    static const char *const endings[] = {".gz", ".json", ".trace", ".pt", ".sqlite", ".db", ".rec"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (size > length && strncmp(name + size - length, endings[i], length) == 0) {
            size -= length;
            i = SIZE_MAX; /* tries all endings again */
        }
    }
    return size;
}

/* The name of the file without its folder and endings. */
static void name_of(const char *path, char name[256])
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    size_t size = without_endings(base, strlen(base));
    size = size < 255 ? size : 255;
    memcpy(name, base, size);
    name[size] = '\0';
}

static gcast_status run(const args *a)
{
    char name[256];
    importing x;
    prof_trace *t = NULL;
    name_of(a->operands[0], name);
    gcast_status status = import_open(&x, a, name);
    if (status == GCAST_OK)
        status = read_profile(a->operands[0], &t);
    if (status == GCAST_OK)
        status = import_writes(a) ? import_trace(&x, t) : show(t);
    import_close(&x);
    prof_trace_free(t);
    return status;
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "write the workload; - is standard output; without -o: list the profile's contents"},
    {"replay", 0, NULL, "simulate the workload and compare it with the recorded times"},
    {"json", 0, NULL, "with --replay: print JSON"},
    IMPORT_OPTIONS,
    {"step", 0, "N", "only calls made in ProfilerStep#N"},
    {"quiet", 'q', NULL, "print no notes (what is missing, open or assumed)"},
    {"force", 'f', NULL, "overwrite FILE"},
    {NULL, 0, NULL, NULL},
};

const command cmd_import = {
    .name = "import",
    .operands = "PROFILE",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "make a workload from a profile of Nsight Systems or PyTorch",
    .options = options,
    .examples = {"gridcast import tests/data/profiles/gemm-beside-memory.json.gz -o -",
                 "gridcast import tests/data/profiles/graph-small.json.gz --replay"},
    .run = run,
};

/* gridcast import: from a profile of a CUDA program to a workload. */
#include <stdint.h>
#include <string.h>

#include "cli/import/import_trace.h"
#include "cli/import/profile_table.h"
#include "cli/output/print_text.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "profile/read_profile.h"
#include "profile/recorded/recorded.h"

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
        return say(GCAST_INPUT, "%s: holds no kernel, copy or memset of a GPU: only the CPU was recorded", t->source);
    text_open(&out, NULL, NULL);
    profile_table(&out, t);
    return print_text(&out, GCAST_OK);
}

/* Endings of profiles, the last one first. */
static size_t without_endings(const char *name, size_t size)
{
    static const char *const endings[] = {".gz", ".json", ".trace", ".pt", ".sqlite", ".db", ".rec"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (size > length && strncmp(name + size - length, endings[i], length) == 0) {
            size -= length;
            i = SIZE_MAX; /* from the first on */
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
    {"output", 'o', "FILE", "the workload; - is standard output. Without: what the profile holds"},
    {"replay", 0, NULL, "simulate the workload, and compare with the recorded times"},
    {"json", 0, NULL, "--replay as JSON"},
    IMPORT_OPTIONS,
    {"step", 0, "N", "calls made in ProfilerStep#N"},
    {"quiet", 'q', NULL, "without notes of what is missing, open or assumed"},
    {"force", 'f', NULL, "overwrite FILE"},
    {NULL, 0, NULL, NULL},
};

const command cmd_import = {
    .name = "import",
    .operands = "PROFILE",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "make a workload of a profile: Nsight Systems, PyTorch",
    .options = options,
    .examples = {"gridcast import tests/data/profiles/gemm-beside-memory.json.gz -o -",
                 "gridcast import tests/data/profiles/graph-small.json.gz --replay"},
    .run = run,
};

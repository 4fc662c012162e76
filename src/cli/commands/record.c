/* gridcast record: runs a CUDA program and records what it does with the GPU. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/import/import_trace.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/record/keep_recording.h"
#include "cli/record/record_folder.h"
#include "cli/record/record_library.h"
#include "cli/record/recorded_result.h"
#include "cli/record/run_program.h"
#include "cli/say.h"
#include "profile/recorded/recorded.h"

/* The program is run once all that can be checked before is. */
static gcast_status check_kept(const args *a)
{
    const char *kept = args_value(a, "keep");
    static const char *const others[] = {"output", "recorded"};
    gcast_status status = kept ? output_check(kept, args_has(a, "force")) : GCAST_OK;
    for (size_t i = 0; i < 2 && status == GCAST_OK && kept; i++) {
        const char *path = args_value(a, others[i]);
        if (path && (output_is_standard(path) ? output_is_standard(kept) : atomic_file_same(path, kept)))
            status = say(GCAST_USAGE, "--%s and --keep name the same file", others[i]);
    }
    return status;
}

/* The program may change its folder before CUDA starts, so the paths are complete. */
static gcast_status run_program(const args *a, const char *folder, int *program_status, bool *has_run)
{
    char library[PATH_MAX], cupti[PATH_MAX];
    const char *named = args_value(a, "cupti");
    gcast_status status = record_library_find(library);
    if (status != GCAST_OK)
        return status;
    if (named && !realpath(named, cupti))
        return say(GCAST_USAGE, "--cupti %s: is not there", named);
    const environment variables[] = {{"CUDA_INJECTION64_PATH", library},
                                     {"NVTX_INJECTION64_PATH", library},
                                     {"GRIDCAST_RECORD", folder},
                                     {named ? "GRIDCAST_CUPTI" : NULL, cupti},
                                     {NULL, NULL}};
    return program_run(a->operands, variables, program_status, has_run);
}

static bool show_progress(void *data, double fraction)
{
    return !program_is_stopped() && progress_show(data, fraction);
}

static gcast_status read_recording(const args *a, const record_folder *f, prof_trace **t)
{
    progress shown;
    gcast_error err;
    const prof_read_options options = {.progress = show_progress, .progress_data = &shown};
    progress_start(&shown, "reading");
    gcast_status status =
        recorded_read_files(a->operands[0], (const char *const *)f->files, f->count, &options, t, NULL, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* From the files of all processes to what is asked for. */
static gcast_status use_recording(importing *x, const args *a, record_folder *f)
{
    prof_trace *t = NULL;
    gcast_status status = record_folder_list(f);
    if (status == GCAST_OK && !f->count)
        status = say(GCAST_GPU,
                     f->unwritten ? "%s: was killed before anything was recorded"
                                  : "%s: has not started CUDA, so nothing is recorded",
                     a->operands[0]);
    if (status == GCAST_OK && f->unwritten && !args_has(a, "quiet"))
        say_note("a process was killed before it recorded anything");
    if (status == GCAST_OK && args_has(a, "keep"))
        status = keep_recording(f, args_value(a, "keep"), args_has(a, "force"));
    if (status == GCAST_OK)
        status = read_recording(a, f, &t);
    record_folder_remove(f);
    program_stop();
    if (status == GCAST_OK)
        status = recorded_result(x, t);
    prof_trace_free(t);
    return status;
}

static gcast_status record(importing *x, const args *a, int *program_status)
{
    record_folder folder;
    bool has_run = false;
    gcast_status status = record_folder_create(&folder);
    if (status != GCAST_OK)
        return status;
    status = run_program(a, folder.path, program_status, &has_run);
    if (status == GCAST_OK && has_run)
        status = use_recording(x, a, &folder);
    record_folder_remove(&folder);
    return status;
}

static gcast_status run(const args *a)
{
    importing x;
    int program_status = 0;
    const char *slash = strrchr(a->operands[0], '/');
    gcast_status status = import_open(&x, a, slash ? slash + 1 : a->operands[0]);
    if (status == GCAST_OK)
        status = check_kept(a);
    if (status == GCAST_OK)
        status = record(&x, a, &program_status);
    import_close(&x);
    return program_status ? (gcast_status)program_status : status; /* the program's own counts most */
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "the workload; - is standard output"},
    {"keep", 0, "FILE", "the recording itself, for gridcast import"},
    IMPORT_OPTIONS,
    {"cupti", 0, "FILE", "this libcupti, not the one that is found"},
    {"quiet", 'q', NULL, "without notes, and without a line of what was recorded"},
    {"force", 'f', NULL, "overwrite FILE"},
    {NULL, 0, NULL, NULL},
};

const command cmd_record = {
    .name = "record",
    .operands = "PROGRAM [ARGUMENT...]",
    .min_operands = 1,
    .max_operands = -1,
    .runs_operands = true,
    .summary = "run a CUDA program and record what it does with the GPU",
    .options = options,
    .examples = {"gridcast record -o run.json gridcast measure examples/thesis.json",
                 "gridcast record -q --keep run.rec -- gridcast measure examples/thesis.json --sms 2"},
    .run = run,
};

/* gridcast record: runs a CUDA program and records what it does with the GPU. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "cli/args.h"
#include "cli/commands/import_trace.h"
#include "cli/commands/run_program.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/error.h"
#include "profile/recorded/frames.h"
#include "profile/recorded/recorded.h"
#include "profile/recorded/recorded_format.h"

/* The recorder is a library, libgridcast-record.so. */

#define LIBRARY "libgridcast-record.so"
#ifndef GRIDCAST_LIBRARIES /* from the folder of the installed command to that of libraries */
#define GRIDCAST_LIBRARIES "../lib"
#endif

/* Finds the library: beside the command as it is built, or in the folder of libraries as it is installed.
 * GRIDCAST_RECORD_LIBRARY names another. Errors are printed. */
static gcast_status record_library_find(char path[PATH_MAX])
{
    static const char *const folders[] = {"", GRIDCAST_LIBRARIES "/", "../lib/"};
    char own_path[PATH_MAX], candidate[PATH_MAX + sizeof GRIDCAST_LIBRARIES + sizeof LIBRARY + 2];
    const char *named = getenv("GRIDCAST_RECORD_LIBRARY");
    if (named && *named)
        return realpath(named, path) ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", named, strerror(errno));
    ssize_t size = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
    if (size < 0)
        return say(GCAST_RESOURCE, "/proc/self/exe: %s", strerror(errno));
    own_path[size] = '\0';
    char *slash = strrchr(own_path, '/');
    own_path[slash ? slash + 1 - own_path : 0] = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(candidate, sizeof candidate, "%s%s" LIBRARY, own_path, folders[i]);
        if (realpath(candidate, path))
            return GCAST_OK;
    }
    return say(GCAST_RESOURCE, "%s" LIBRARY ": is neither there nor in %s%s", own_path, own_path, GRIDCAST_LIBRARIES);
}

/* Every process of the program records to a file of its own in a temporary folder. */

typedef struct record_folder {
    char path[PATH_MAX]; /* "": none */
    char **files;        /* paths, in the order of their names */
    size_t count;        /* how many files there are */
    size_t unwritten;    /* further files, of processes that were killed before they wrote anything */
} record_folder;

#define MAX_DEPTH 64 /* of folders that others made in it */

/* Creates a folder in $TMPDIR, else in /tmp. Errors are printed. */
static gcast_status record_folder_create(record_folder *f)
{
    const char *named = getenv("TMPDIR");
    char temporary[PATH_MAX];
    *f = (record_folder){0};
    if (!named || !*named)
        named = "/tmp";
    if (!realpath(named, temporary)) /* the program may change its current folder */
        return say(GCAST_RESOURCE, "%s: %s", named, strerror(errno));
    int n = snprintf(f->path, sizeof f->path, "%s/gridcast-record-XXXXXX", temporary);
    errno = ENAMETOOLONG;
    if (n > 0 && (size_t)n < sizeof f->path && mkdtemp(f->path))
        return GCAST_OK;
    gcast_status status = say(GCAST_RESOURCE, "%s: %s", f->path, strerror(errno));
    f->path[0] = '\0';
    return status;
}

/* Is the name that of a file of the recorder? */
static bool is_recording(const char *name)
{
    static const char ending[] = ".gridcast-record";
    size_t size = strlen(name), length = sizeof ending - 1;
    return name[0] != '.' && size > length && strcmp(name + size - length, ending) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Fills `files`, and counts files without contents. What others put there is left out. */
static gcast_status record_folder_list(record_folder *f)
{
    VEC(char *) list = {0};
    DIR *folder = opendir(f->path);
    if (!folder)
        return say_unreadable(f->path, errno);
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(folder));) {
        char path[PATH_MAX + 300];
        struct stat about;
        /* only regular files: opening a FIFO would wait for its writer */
        if (!is_recording(e->d_name) || fstatat(dirfd(folder), e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        if (about.st_size < RECORDED_MAGIC_SIZE) {
            f->unwritten++;
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
        char *copy = strdup(path);
        ok = copy && vec_push(&list, copy);
        if (!ok)
            free(copy);
    }
    closedir(folder);
    f->files = list.at;
    f->count = list.count;
    if (f->count)
        qsort(f->files, f->count, sizeof *f->files, by_name);
    return ok ? GCAST_OK : say_no_memory();
}

/* Removes the contents of a folder, and closes its descriptor; links are not followed. */
static void empty_folder(int descriptor, int depth)
{
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!folder && descriptor >= 0)
        close(descriptor);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || unlinkat(dirfd(folder), e->d_name, 0) == 0)
            continue;
        if (depth < MAX_DEPTH)
            empty_folder(openat(dirfd(folder), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1);
        unlinkat(dirfd(folder), e->d_name, AT_REMOVEDIR);
    }
    if (folder)
        closedir(folder);
}

/* Removes the folder with its files; prints a line if that fails. */
static void record_folder_remove(record_folder *f)
{
    if (f->path[0]) {
        empty_folder(open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
        if (rmdir(f->path) != 0)
            say(GCAST_OK, "%s: the folder of the recording is kept: %s", f->path, strerror(errno));
    }
    for (size_t i = 0; i < f->count; i++)
        free(f->files[i]);
    free(f->files);
    *f = (record_folder){0};
}

/* --keep writes the recordings of all processes to one file. */

/* How many bytes of a file are whole frames: the last frame of a process that was killed may be cut off. */
static gcast_status whole_size(const char *path, uint64_t *size, gcast_error *err)
{
    frame_reader r;
    frame f;
    gcast_status status = frames_open(&r, path, NULL, 0, err);
    if (status != GCAST_OK)
        return status;
    frame_result result;
    while ((result = frames_next(&r, &f, err)) == FRAME_READ)
        ;
    *size = r.whole;
    frames_close(&r);
    return result == FRAME_FAILED ? err->code : GCAST_OK;
}

/* Appends the first file as it is, the others without their magic bytes. False: the output has failed, or errno says
 * why. */
static bool append(output *o, const char *path, uint64_t size, bool is_first)
{
    char bytes[1 << 16];
    uint64_t at = 0;
    FILE *in = fopen(path, "rb");
    bool ok = in != NULL;
    if (ok && !is_first) {
        ok = fseek(in, RECORDED_MAGIC_SIZE, SEEK_SET) == 0;
        at = RECORDED_MAGIC_SIZE;
    }
    while (ok && at < size) {
        size_t wanted = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        size_t got = fread(bytes, 1, wanted, in);
        ok = got == wanted && output_write(o, bytes, got);
        at += got;
    }
    if (in)
        fclose(in);
    return ok;
}

/* Writes the file of --keep. Errors are printed. */
static gcast_status keep_recording(const record_folder *f, const char *path, bool force)
{
    output o;
    gcast_error err;
    if (program_is_stopped())
        return GCAST_RESOURCE; /* the signal is about to end this process */
    gcast_status status = output_open(&o, path, force);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < f->count && status == GCAST_OK; i++) {
        uint64_t size = 0;
        if (program_is_stopped())
            status = gcast_error_set(&err, GCAST_RESOURCE, NULL, "stopped");
        else
            status = whole_size(f->files[i], &size, &err);
        errno = 0;
        if (status == GCAST_OK && !append(&o, f->files[i], size, i == 0) && !o.error)
            status = gcast_error_set(&err, GCAST_RESOURCE, NULL, "a recording cannot be read again");
    }
    return output_finish(&o, status, &err);
}

/* The recording is then imported as `gridcast import` does. */

static const char *plural(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

static void say_counts(const prof_trace *t)
{
    size_t counts[GCAST_KINDS] = {0};
    for (size_t i = 0; i < t->op_count; i++)
        counts[t->ops[i].kind]++;
    size_t kernels = counts[GCAST_KIND_KERNEL], copies = counts[GCAST_KIND_COPY], memsets = counts[GCAST_KIND_MEMSET];
    say(GCAST_OK, "recorded %zu %s, %zu %s, %zu %s, %zu %s by %zu %s", kernels, plural(kernels, "kernel", "kernels"),
        copies, plural(copies, "copy", "copies"), memsets, plural(memsets, "memset", "memsets"), t->call_count,
        plural(t->call_count, "call", "calls"), t->thread_count, plural(t->thread_count, "thread", "threads"));
}

/* Prints what was recorded, and writes the outputs. Errors are printed. */
static gcast_status recorded_result(importing *x, const prof_trace *t)
{
    bool quiet = args_has(x->a, "quiet");
    if (!quiet)
        say_counts(t);
    if (import_writes(x->a))
        return import_trace(x, t);
    if (!quiet)
        import_say_findings(t->findings, t->finding_count);
    return GCAST_OK;
}

/* Can the file of --keep be written? Asked before the program runs. */
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

/* The paths are absolute, since the program may change its folder before CUDA starts. */
static gcast_status run_program(const args *a, const char *folder, int *program_status, bool *has_run)
{
    char library[PATH_MAX], cupti[PATH_MAX];
    const char *named = args_value(a, "cupti");
    gcast_status status = record_library_find(library);
    if (status != GCAST_OK)
        return status;
    if (named && !realpath(named, cupti))
        return say(GCAST_USAGE, "--cupti %s: there is no such file", named);
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

/* Reads the files of all processes, and writes the outputs. */
static gcast_status use_recording(importing *x, const args *a, record_folder *f)
{
    prof_trace *t = NULL;
    gcast_status status = record_folder_list(f);
    if (status == GCAST_OK && !f->count)
        status = say(GCAST_GPU,
                     f->unwritten ? "%s: was killed before anything was recorded"
                                  : "%s: the program did not use CUDA, so nothing is recorded",
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
    return program_status ? (gcast_status)program_status : status; /* that of the program counts most */
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "write the workload; - is standard output"},
    {"keep", 0, "FILE", "write the recording itself, for gridcast import"},
    IMPORT_OPTIONS,
    {"cupti", 0, "FILE", "use this libcupti, not the one that is found"},
    {"quiet", 'q', NULL, "print no notes and no summary"},
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

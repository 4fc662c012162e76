/* libgridcast-record.so. If CUDA_INJECTION64_PATH names this library, the CUDA driver loads it into the program and
 * calls InitializeInjection; NVTX does the same with NVTX_INJECTION64_PATH and InitializeInjectionNvtx2. The library
 * finds CUPTI, and records the program's use of the GPU into a new file in the folder that GRIDCAST_RECORD names. It
 * prints nothing: errors are notes in that file, which `gridcast record` reads. */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/activity.h"
#include "record/callbacks.h"

/* Tries a library: can it be used? `name` is for dlopen: a path, or a name that the system finds. With `loaded`, the
 * program must have loaded it already. */
typedef bool try_cupti(void *data, const char *name, bool loaded);

#define MAX_FOLDERS 64
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define EXPORT __attribute__((visibility("default")))

static const char *const names[] = {"libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8", "libcupti.so.11.7",
                                    "libcupti.so.11.6", "libcupti.so.11.5", "libcupti.so.11.4", "libcupti.so.11.3",
                                    "libcupti.so.11.2", "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so"};

static bool try_names(const char *folder, bool loaded, try_cupti *try, void *data)
{
    char path[4096];
    for (size_t i = 0; i < COUNT(names); i++) {
        int n = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", names[i]);
        if (n > 0 && (size_t)n < sizeof path && try(data, path, loaded))
            return true;
    }
    return false;
}

/* Folders of loaded libraries beside which a CUPTI may be installed. */
typedef struct folders {
    char *at[MAX_FOLDERS];
    size_t count;
} folders;

static bool is_of_cuda(const char *name)
{
    static const char *const starts[] = {"libcudart.", "libcublas.", "libcudnn.", "libnvrtc.", "libtorch_", "libc10_"};
    for (size_t i = 0; i < COUNT(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static int note_folder(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    folders *f = data;
    const char *slash = strrchr(info->dlpi_name, '/');
    if (!slash || !is_of_cuda(slash + 1) || f->count == MAX_FOLDERS)
        return 0;
    char *folder = strndup(info->dlpi_name, (size_t)(slash - info->dlpi_name));
    for (size_t i = 0; folder && i < f->count; i++)
        if (strcmp(f->at[i], folder) == 0) {
            free(folder);
            folder = NULL;
        }
    if (folder)
        f->at[f->count++] = folder;
    return 0;
}

/* Python packages have nvidia/cuda_cupti/lib beside nvidia/cuda_runtime/lib and torch/lib, or nvidia/cu13/lib. A
 * toolkit has extras/CUPTI/lib64 beside lib64. */
static bool try_beside(const char *folder, try_cupti *try, void *data)
{
    static const char *const places[] = {"", "/../../cuda_cupti/lib", "/../../nvidia/cuda_cupti/lib",
                                         "/../../nvidia/cu13/lib", "/../extras/CUPTI/lib64"};
    char path[4096];
    for (size_t i = 0; i < COUNT(places); i++) {
        int n = snprintf(path, sizeof path, "%s%s", folder, places[i]);
        if (n > 0 && (size_t)n < sizeof path && try_names(path, false, try, data))
            return true;
    }
    return false;
}

static bool try_loaded_folders(try_cupti *try, void *data)
{
    folders f = {0};
    bool found = false;
    dl_iterate_phdr(note_folder, &f);
    for (size_t i = 0; i < f.count; i++) {
        found = found || try_beside(f.at[i], try, data);
        free(f.at[i]);
    }
    return found;
}

static bool try_toolkit(const char *toolkit, try_cupti *try, void *data)
{
    static const char *const places[] = {"/extras/CUPTI/lib64", "/lib64", "/lib"};
    char path[4096];
    for (size_t i = 0; toolkit && *toolkit && i < COUNT(places); i++) {
        int n = snprintf(path, sizeof path, "%s%s", toolkit, places[i]);
        if (n > 0 && (size_t)n < sizeof path && try_names(path, false, try, data))
            return true;
    }
    return false;
}

/* Tries libraries until one can be used: first the one that the program has loaded, then those that LD_LIBRARY_PATH and
 * the system find, then those beside loaded CUDA libraries (as in PyTorch's packages), then those of toolkits. Newer
 * ones come first. If `named` is given, only that one is tried. */
static bool find_cupti(const char *named, try_cupti *try, void *data)
{
    static const char *const toolkits[] = {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12", "/opt/cuda"};
    if (named && *named)
        return try(data, named, false);
    if (try_names("", true, try, data) || try_names("", false, try, data) || try_loaded_folders(try, data) ||
        try_toolkit(getenv("CUDA_HOME"), try, data) || try_toolkit(getenv("CUDA_PATH"), try, data))
        return true;
    for (size_t i = 0; i < COUNT(toolkits); i++)
        if (try_toolkit(toolkits[i], try, data))
            return true;
    return false;
}

static recorder of_process = {.file = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER},
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .spare_lock = PTHREAD_MUTEX_INITIALIZER,
                              .flush_lock = PTHREAD_MUTEX_INITIALIZER,
                              .flush_wake = PTHREAD_COND_INITIALIZER};

static bool open_cupti(cupti *c, const char *name, bool loaded)
{
    *c = (cupti){.library = dlopen(name, RTLD_NOW | RTLD_LOCAL | (loaded ? RTLD_NOLOAD : 0))};
    if (!c->library)
        return false;
    bool complete = true;
#define X(function, parameters, needed)                                                                                \
    *(void **)&c->function = dlsym(c->library, #function);                                                             \
    complete = complete && (c->function || !(needed));
    CUPTI_FUNCTION_TABLE(X)
#undef X
    if (complete && c->cuptiGetVersion(&c->version) == CUPTI_SUCCESS)
        return true;
    dlclose(c->library);
    return false;
}

/* Why the first library that was found cannot be used. */
typedef struct attempt {
    recorded_note code; /* 0: none was found so far */
    char words[512];
} attempt;

static void fail_attempt(attempt *a, recorded_note code, const char *name, const char *call, const char *reason)
{
    if (a->code)
        return;
    a->code = code;
    snprintf(a->words, sizeof a->words, "%s%s%s%s%s", name, *call ? ": " : "", call, *reason ? ": " : "", reason);
}

static void put_cupti(recorder *s, const char *name)
{
    uint64_t ns = 0;
    struct timespec real = {0};
    s->cupti.cuptiGetTimestamp(&ns);
    clock_gettime(CLOCK_REALTIME, &real);
    const int64_t f[CUPTI_COUNT] = {[CUPTI_VERSION] = s->cupti.version,
                                    [CUPTI_CUPTI_NS] = (int64_t)ns,
                                    [CUPTI_REAL_NS] = (int64_t)real.tv_sec * 1000000000 + real.tv_nsec};
    raw_put(&s->file, RECORDED_CUPTI, f, CUPTI_COUNT, name, strlen(name));
    if (s->cupti.version > CUPTI_NEWEST)
        put_note(s, RECORDED_NOTE_NEWER, s->cupti.version, name);
}

/* A try_cupti. It also starts the recording: a CUPTI that is too new for the driver can be opened, but not started. */
static bool try_library(void *data, const char *name, bool loaded)
{
    attempt *a = data;
    recorder *s = &of_process;
    const char *call, *reason = NULL;
    CUptiResult result;
    if (!open_cupti(&s->cupti, name, loaded))
        return false;
    if (s->cupti.version < CUPTI_OLDEST) {
        fail_attempt(a, RECORDED_NOTE_OLDER, name, "", "");
    } else if (activity_start(s, &call, &result)) {
        put_cupti(s, name);
        return true;
    } else {
        if (s->cupti.cuptiGetResultString(result, &reason) != CUPTI_SUCCESS)
            reason = NULL;
        fail_attempt(a, RECORDED_NOTE_FAILED, name, call, reason ? reason : "failed");
    }
    return false; /* the library stays open, as threads that CUPTI started may still run */
}

static void put_process(recorder *s)
{
    char name[64] = "";
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, name, sizeof name);
    if (fd >= 0)
        close(fd);
    size = size > 0 ? size - (name[size - 1] == '\n') : 0;
    const int64_t f[PROCESS_COUNT] = {[PROCESS_PID] = getpid()};
    raw_put(&s->file, RECORDED_PROCESS, f, PROCESS_COUNT, name, (size_t)size);
}

/* Runs at the end of the program, unless it is killed or calls _exit. */
static void end(void)
{
    recorder *s = &of_process;
    if (s->file.fd < 0)
        return;
    activity_flush(s);
    raw_close(&s->file);
}

static void start(void)
{
    recorder *s = &of_process;
    attempt a = {0};
    const char *folder = getenv("GRIDCAST_RECORD");
    if (!folder || !*folder || !raw_open(&s->file, folder))
        return;
    put_process(s);
    texts_open(&s->texts);
    if (find_cupti(getenv("GRIDCAST_CUPTI"), try_library, &a)) {
        callbacks_start(s);
        activity_flush_often(s);
        atexit(end); /* registered after CUPTI's own handler, so that it runs earlier */
        raw_flush(&s->file);
        return;
    }
    const char *named = getenv("GRIDCAST_CUPTI");
    put_note(s, a.code ? a.code : RECORDED_NOTE_NO_CUPTI, 1, a.code ? a.words : named ? named : "");
    raw_close(&s->file);
}

static void start_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
}

/* The CUDA driver calls this while it starts. The result is always 1 (success): a program must not fail because it
 * cannot be recorded. */
EXPORT int InitializeInjection(void);
int InitializeInjection(void)
{
    start_once();
    return 1;
}

/* NVTX calls this, before or after CUDA starts. CUPTI's library has the same function, which does the work. */
EXPORT int InitializeInjectionNvtx2(void *get_table);
int InitializeInjectionNvtx2(void *get_table)
{
    start_once();
    union {
        void *found;
        int (*function)(void *);
    } init = {0};
    if (of_process.file.fd >= 0)
        init.found = dlsym(of_process.cupti.library, "InitializeInjectionNvtx2");
    return init.found ? init.function(get_table) : 0;
}

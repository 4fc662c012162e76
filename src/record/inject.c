/* libgridcast-record.so: the CUDA driver loads it into a program whose CUDA_INJECTION64_PATH names it, and calls
 * InitializeInjection; NVTX does the same by NVTX_INJECTION64_PATH and InitializeInjectionNvtx2. It records what the
 * program does with the GPU, by CUPTI, into a file of its own in the folder that GRIDCAST_RECORD names. It prints
 * nothing: what goes wrong is a note in that file, which `gridcast record` reads. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/activity.h"
#include "record/callbacks.h"
#include "record/find_cupti.h"

#define EXPORT __attribute__((visibility("default")))

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

/* Why the first library that was found does not do. */
typedef struct attempt {
    recorded_note code; /* 0: none was found */
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

/* A try_cupti: opens it and starts it, as a CUPTI that is too new for the driver opens as well. */
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
    return false; /* stays open: what CUPTI started may still be there */
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

/* At the end of the program; not where it is killed, or calls _exit. */
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
        atexit(end); /* after CUPTI is open, so that its own comes later */
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

/* Called by the CUDA driver while it starts. 1: all is well, as a program must not fail for not being recorded. */
EXPORT int InitializeInjection(void);
int InitializeInjection(void)
{
    start_once();
    return 1;
}

/* Called by NVTX, before or after CUDA starts: the library of CUPTI has the same function. */
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

/* A program that loads the library, uses it, unloads it and goes on: with its own jansson, and with everything of the
 * process as it was.
 *   unload LIBRARY WORKLOAD */
#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <gridcast/gridcast.h>
#include <jansson.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* With sanitizers: what libraries of libraries (fontconfig, libxml2) keep until the process ends cannot be named once
 * they are unloaded, and is no leak of this one. Other tests look for those. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* The functions that are used, as the headers declare them. */
#define FUNCTIONS(X)                                                                                                   \
    X(gcast_workload_load)                                                                                             \
    X(gcast_workload_simulate)                                                                                         \
    X(gcast_workload_analyze)                                                                                          \
    X(gcast_workload_write_native)                                                                                     \
    X(gcast_run_report)                                                                                                \
    X(gcast_analysis_free)                                                                                             \
    X(gcast_run_free)                                                                                                  \
    X(gcast_workload_free)                                                                                             \
    X(gcast_memory_free)

static void *library;
#define X(name) static __typeof__(&name) call_##name;
FUNCTIONS(X)
#undef X

static int failed;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        printf("FAIL %s\n", what);
        failed++;
    }
}

static bool load(const char *path)
{
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        printf("FAIL %s\n", dlerror());
#define X(name)                                                                                                        \
    if (library && !(*(void **)&call_##name = dlsym(library, #name)))                                                  \
        library = NULL;
    FUNCTIONS(X)
#undef X
    return library;
}

static bool drop(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return true;
}

static void use(const char *path)
{
    gcast_workload *w = NULL;
    gcast_run *run = NULL;
    gcast_analysis *analysis = NULL;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    char *text = NULL;
    size_t size;
    expect(call_gcast_workload_load(path, NULL, &w, NULL) == GCAST_OK, "the workload is read");
    expect(call_gcast_workload_simulate(w, NULL, &options, &run, NULL) == GCAST_OK, "it is simulated");
    expect(call_gcast_workload_analyze(w, NULL, GCAST_METHOD_BOUND, NULL, &analysis, NULL) == GCAST_OK, "analysed");
    expect(call_gcast_workload_write_native(w, &text, &size, NULL) == GCAST_OK, "and written");
    static const gcast_format formats[] = {GCAST_FORMAT_JSON, GCAST_FORMAT_SVG, GCAST_FORMAT_PDF, GCAST_FORMAT_HTML};
    for (size_t i = 0; run && i < sizeof formats / sizeof formats[0]; i++)
        call_gcast_run_report(run, formats[i], NULL, drop, NULL, NULL);
    call_gcast_memory_free(text);
    call_gcast_analysis_free(analysis);
    call_gcast_run_free(run);
    call_gcast_workload_free(w);
}

static int entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        count++;
    if (d)
        closedir(d);
    return count;
}

/* What a program has that is not the library's. */
typedef struct process_state {
    struct sigaction actions[NSIG];
    sigset_t blocked;
    char locale[64], folder[4096];
    char **environment;
    size_t variables;
    mode_t mask;
    int rounding, descriptors, threads;
    json_malloc_t allocate;
    json_free_t release;
} process_state;

static void look(process_state *s)
{
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &s->actions[i]) != 0)
            s->actions[i].sa_handler = SIG_DFL;
    sigprocmask(SIG_SETMASK, NULL, &s->blocked);
    snprintf(s->locale, sizeof s->locale, "%s", setlocale(LC_ALL, NULL));
    if (!getcwd(s->folder, sizeof s->folder))
        s->folder[0] = '\0';
    s->environment = environ;
    for (s->variables = 0; environ[s->variables];)
        s->variables++;
    s->mask = umask(0);
    umask(s->mask);
    s->rounding = fegetround();
    s->descriptors = entries("/proc/self/fd");
    s->threads = entries("/proc/self/task");
    json_get_alloc_funcs(&s->allocate, &s->release);
}

static void compare(const process_state *before, const process_state *after)
{
    for (int i = 1; i < NSIG; i++)
        expect(before->actions[i].sa_handler == after->actions[i].sa_handler, "signals do what they did");
    for (int i = 1; i < NSIG; i++)
        expect(sigismember(&before->blocked, i) == sigismember(&after->blocked, i), "the same signals are blocked");
    expect(strcmp(before->locale, after->locale) == 0, "the locale is the same");
    expect(strcmp(before->folder, after->folder) == 0, "the current folder is the same");
    expect(before->environment == after->environment && before->variables == after->variables,
           "the environment is the same");
    expect(before->mask == after->mask, "the mask of new files is the same");
    expect(before->rounding == after->rounding, "numbers are rounded as they were");
    expect(before->descriptors == after->descriptors, "no file is left open");
    expect(before->threads == after->threads, "no thread is left");
    expect(before->allocate == after->allocate && before->release == after->release, "jansson allocates as it did");
}

int main(int argc, char **argv)
{
    static process_state before, after;
    setvbuf(stdout, NULL, _IONBF, 0); /* what was found is told also if it crashes then */
    if (argc != 3 || !setlocale(LC_ALL, ""))
        return 2;
    look(&before);
    if (!load(argv[1]))
        return 1;
    use(argv[2]);
    look(&after);
    compare(&before, &after);
    expect(dlclose(library) == 0, "it is unloaded");
    void *again = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    expect(!again, "it is not in memory any more");
    look(&after);
    compare(&before, &after);
    json_t *root = json_loads("{\"host\": [1, 2.5, \"text\"]}", 0, NULL);
    expect(root && json_array_size(json_object_get(root, "host")) == 3, "jansson parses");
    json_decref(root);
    if (!failed)
        printf("everything is as it was\n");
    return failed != 0;
}

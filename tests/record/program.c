/* A program that does what the CUDA driver does for `gridcast record`: it loads the library that CUDA_INJECTION64_PATH
 * names and calls it. Then the stub of CUPTI plays, and the program ends as it is told:
 *   program [play=N] [say=TEXT] [exit=N | signal=N | quick=N | wait] [child] [fork] [again] [nvtx]
 *     play    how often (default 1; 0: CUDA is never used)
 *     say     a line on standard output
 *     quick   _exit, without handlers
 *     wait    for SIGTERM, and exit with 44
 *     child   another process of the same program, first
 *     fork    a child that uses nothing and ends by exit
 *     again   execute the same program once more
 *     nvtx    load the library as NVTX does, too */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t got_signal;

static void on_signal(int number)
{
    got_signal = number;
}

static const char *value_of(int argc, char **argv, const char *name)
{
    size_t size = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, size) == 0 && (argv[i][size] == '=' || !argv[i][size]))
            return argv[i][size] ? argv[i] + size + 1 : "";
    return NULL;
}

static void *load(const char *variable, const char *function)
{
    const char *path = getenv(variable);
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (path && !library)
        fprintf(stderr, "%s\n", dlerror());
    return library ? dlsym(library, function) : NULL;
}

static int play(int rounds)
{
    int (*initialize)(void) = (int (*)(void))load("CUDA_INJECTION64_PATH", "InitializeInjection");
    if (!initialize)
        return 0;
    if (initialize() != 1)
        return 90;
    const char *path = getenv("STUB_CUPTI") ? getenv("STUB_CUPTI") : getenv("GRIDCAST_CUPTI");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    int (*stub_play)(int) = library ? (int (*)(int))dlsym(library, "stub_play") : NULL;
    void (*deliver)(void) = library ? (void (*)(void))dlsym(library, "stub_deliver") : NULL;
    if (stub_play && getenv("STUB_CUPTI_UNUSED") == NULL && stub_play(rounds))
        return 91;
    if (deliver)
        deliver();
    return 0;
}

static int run_child(char **argv, const char *ending)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (strcmp(ending, "exit") == 0)
            exit(0);
        execl(argv[0], argv[0], "play=2", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 92;
}

static int end(int argc, char **argv)
{
    const char *code = value_of(argc, argv, "exit"), *number = value_of(argc, argv, "signal"),
               *quick = value_of(argc, argv, "quick");
    if (number)
        raise(atoi(number));
    if (quick)
        _exit(atoi(quick));
    if (value_of(argc, argv, "wait")) {
        sigset_t none;
        sigemptyset(&none);
        printf("waiting\n");
        fflush(stdout);
        while (!got_signal)
            sigsuspend(&none);
        return 44;
    }
    return code ? atoi(code) : 0;
}

int main(int argc, char **argv)
{
    const char *rounds = value_of(argc, argv, "play"), *words = value_of(argc, argv, "say");
    int failed = 0;
    if (value_of(argc, argv, "wait")) {
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        sigprocmask(SIG_BLOCK, &blocked, NULL); /* until it is waited for */
        signal(SIGTERM, on_signal);
    }
    if (words)
        printf("%s\n", words);
    fflush(stdout);
    if (value_of(argc, argv, "child"))
        failed = run_child(argv, "exec");
    if (value_of(argc, argv, "nvtx"))
        load("NVTX_INJECTION64_PATH", "InitializeInjectionNvtx2");
    if (!failed && (!rounds || atoi(rounds)))
        failed = play(rounds ? atoi(rounds) : 1);
    if (!failed && value_of(argc, argv, "fork"))
        failed = run_child(argv, "exit");
    if (!failed && value_of(argc, argv, "again"))
        execl(argv[0], argv[0], "play=1", (char *)NULL);
    return failed ? failed : end(argc, argv);
}

/* Calls every function of the library with wrong arguments, each call in a process of its own: it may refuse, and it
 * may not crash, hang or make a sanitizer speak. The calls are generated from the headers (misuse.py).
 *   misuse [FUNCTION [VARIANT]]   all, or those of a function */
#include "misuse.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_S 10 /* of the processor: a call that takes longer hangs; they take milliseconds */

/* With sanitizers: memory that is not there is NULL, as without; what children leave when they end is no leak. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:detect_leaks=0";
}

static misuse_outcome *shared; /* what the child saw */

static void run_child(const misuse_function *f, int variant)
{
    const struct rlimit no_core = {0, 0}, cpu = {LIMIT_S, LIMIT_S};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &cpu);
    alarm(60 * LIMIT_S);
    if (f->needs_driver && !world_open_driver())
        _exit(3);
    f->call(variant, false, shared);
    _exit(0);
}

/* Prints what is wrong with the call; false: nothing is. */
static bool is_wrong(const misuse_function *f, const misuse_outcome *o, int variant, int state)
{
    char why[200] = "";
    if (WIFSIGNALED(state))
        snprintf(why, sizeof why, "ends with signal %d (%s)", WTERMSIG(state), strsignal(WTERMSIG(state)));
    else if (WEXITSTATUS(state) != 0)
        snprintf(why, sizeof why, "ends the process with status %d", WEXITSTATUS(state));
    else if (o->expected == FINE && o->has_status && o->status != GCAST_OK && o->status != GCAST_NO &&
             o->status != GCAST_CONDITION)
        snprintf(why, sizeof why, "does not work: status %d", (int)o->status);
    else if (o->expected == REFUSED && o->has_status && o->status == GCAST_OK)
        snprintf(why, sizeof why, "is not refused");
    else if (o->expected == REFUSED && !o->has_status && o->is_true)
        snprintf(why, sizeof why, "gives an answer");
    else if (o->has_status && o->left_result && o->status != GCAST_OK && o->status != GCAST_NO &&
             o->status != GCAST_CONDITION)
        snprintf(why, sizeof why, "fails, and its result is not NULL");
    else if (o->has_status && o->status == GCAST_INTERNAL)
        snprintf(why, sizeof why, "is an internal error");
    if (why[0])
        printf("FAIL %s(%s) %s [%d]\n", f->name, o->what ? o->what : "", why, variant);
    return why[0];
}

static bool try_call(const misuse_function *f, int variant)
{
    int state;
    *shared = (misuse_outcome){0};
    f->call(variant, true, shared); /* its name, also where it crashes */
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_child(f, variant);
    if (child < 0 || waitpid(child, &state, 0) != child) {
        printf("FAIL no process\n");
        return false;
    }
    return !is_wrong(f, shared, variant, state);
}

int main(int argc, char **argv)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* a real GPU would measure for minutes */
    int calls = 0, failed = 0, functions = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !world_make())
        return 1;
    for (int i = 0; i < misuse_function_count; i++) {
        const misuse_function *f = &misuse_functions[i];
        misuse_outcome o = {0};
        if (argc > 1 && strcmp(f->name, argv[1]) != 0)
            continue;
        functions++;
        if (getenv("MISUSE_VERBOSE"))
            fprintf(stderr, "%s\n", f->name);
        for (int variant = 0; f->call(variant, true, &o); variant++) {
            if (argc > 2 && variant != atoi(argv[2]))
                continue;
            calls++;
            failed += !try_call(f, variant);
        }
    }
    printf("%d functions, %d calls, %d failed\n", functions, calls, failed);
    return failed != 0 || calls == 0;
}

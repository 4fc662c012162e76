/* Calls every function of the library with wrong arguments in processes of their own: it may refuse, and it may not
 * crash, hang or make a sanitizer speak. The calls are generated from the headers (misuse.py). Calls that change
 * nothing share a process, and get one each where something is wrong. Besides one wrong argument: every choice of an
 * enum with every wrong argument, and some pairs of wrong ones. misuse [FUNCTION [VARIANT [SECOND]]]   all, or those of
 * a function; 0: no SECOND */
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

/* With sanitizers: memory that is not there is NULL, as without; what children leave when they end is no leak; and
 * little is kept for uses after free, as each fork copies the tables of all pages. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:detect_leaks=0:quarantine_size_mb=16";
}

#define PAIRS 3        /* tried of each function */
#define SHARED 50      /* calls of a process */
#define MAX_CALLS 4096 /* of a function */
#define MAX_CHOICES 32 /* of a function */

static misuse_outcome *shared; /* what the child saw */

void misuse_say(misuse_outcome *out, int turn, const char *what, misuse_expected expected, bool is_choice)
{
    out->what[turn] = what;
    out->expected = turn ? ANY : expected;
    out->is_choice = is_choice;
}

bool misuse_call_case(const misuse_case *cases, int count, int variant, bool dry, misuse_outcome *out)
{
    gcast_error error = {0};
    if (variant < 0 || variant >= count)
        return false;
    misuse_say(out, 0, cases[variant].what, cases[variant].expected, false);
    if (dry)
        return true;
    out->has_status = true;
    out->status = cases[variant].call(&error);
    return true;
}

/* The functions of the headers, and the structs that are written by hand. */
static const misuse_function by_hand[] = {{"models", false, true, misuse_call_models},
                                          {"results", false, true, misuse_call_results}};
#define BY_HAND ((int)(sizeof by_hand / sizeof *by_hand))

static const misuse_function *function_at(int i)
{
    return i < BY_HAND ? &by_hand[i] : &misuse_functions[i - BY_HAND];
}

/* What is wrong with an answer; NULL: nothing is. */
static const char *wrong_answer(const misuse_outcome *o)
{
    bool works = o->status == GCAST_OK || o->status == GCAST_NO || o->status == GCAST_CONDITION;
    if (!o->has_status)
        return o->expected == REFUSED && o->is_true ? "gives an answer" : NULL;
    if (o->expected == FINE && !works)
        return "does not work";
    if (o->expected == REFUSED && o->status == GCAST_OK)
        return "is not refused";
    if (o->left_result && !works)
        return "fails, and its result is not NULL";
    return o->status == GCAST_INTERNAL ? "is an internal error" : NULL;
}

/* A call: a variant, and a second one together with it; 0: none. */
typedef struct call {
    int variant, second;
} call;

/* The calls of a function. */
typedef struct calls {
    call at[MAX_CALLS];
    int count;
} calls;

static void add_call(calls *c, int variant, int second)
{
    if (c->count == MAX_CALLS) {
        printf("FAIL more than %d calls of a function\n", MAX_CALLS);
        exit(1);
    }
    c->at[c->count++] = (call){variant, second};
}

/* Calls it once; false: the answer is wrong. */
static bool call_once(const misuse_function *f, call c)
{
    *shared = (misuse_outcome){0};
    f->call(c.variant, c.second, true, shared); /* what it is, also where it crashes */
    f->call(c.variant, c.second, false, shared);
    return !wrong_answer(shared);
}

/* Makes some calls, one after the other; the process ends. */
static void run_child(const misuse_function *f, const call *c, int count)
{
    const struct rlimit no_core = {0, 0}, cpu = {LIMIT_S, LIMIT_S};
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &cpu);
    alarm(60 * LIMIT_S);
    if (f->needs_driver && !world_open_driver())
        _exit(3);
    for (int i = 0; i < count; i++)
        if (!call_once(f, c[i]))
            _exit(2);
    _exit(0);
}

static bool run(const misuse_function *f, const call *c, int count, int *state)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_child(f, c, count);
    if (child < 0 || waitpid(child, state, 0) != child) {
        printf("FAIL no process\n");
        exit(1);
    }
    return WIFEXITED(*state) && WEXITSTATUS(*state) == 0;
}

/* Each call in a process of its own. Returns how many were wrong, and says it. */
static int try_each(const misuse_function *f, const call *c, int count)
{
    int failed = 0, state;
    for (int i = 0; i < count; i++) {
        if (run(f, &c[i], 1, &state))
            continue;
        const misuse_outcome *o = shared;
        printf("FAIL %s(%s%s%s) ", f->name, o->what[0] ? o->what[0] : "", o->what[1] ? ", " : "",
               o->what[1] ? o->what[1] : "");
        if (WIFSIGNALED(state))
            printf("ends with signal %d (%s)", WTERMSIG(state), strsignal(WTERMSIG(state)));
        else if (WEXITSTATUS(state) == 2)
            printf("%s: status %d", wrong_answer(o), (int)o->status);
        else
            printf("ends the process with status %d", WEXITSTATUS(state));
        printf(" [%d %d]\n", c[i].variant, c[i].second);
        failed++;
    }
    return failed;
}

/* Makes the calls; returns how many were wrong. */
static int try_calls(const misuse_function *f, const calls *c)
{
    int failed = 0, state;
    for (int at = 0, part; at < c->count; at += part) {
        part = f->changes ? 1 : c->count - at < SHARED ? c->count - at : SHARED;
        if (part == 1 || !run(f, &c->at[at], part, &state))
            failed += try_each(f, &c->at[at], part);
    }
    return failed;
}

/* Each argument that is missing with all choices, each other wrong one with one of them; and pairs: the same ones each
 * time. */
static void add_together(calls *c, const misuse_function *f, int variants)
{
    misuse_outcome o = {0};
    int choice[MAX_CHOICES], choices = 0;
    uint32_t random = 1;
    for (int v = 1; v < variants && choices < MAX_CHOICES; v++)
        if (f->call(v, 0, true, &o) && o.is_choice)
            choice[choices++] = v;
    for (int v = 1; v < variants && choices; v++) {
        bool is_number = f->call(v, 0, true, &o) && !strstr(o.what[0], "NULL") && !strstr(o.what[0], "array");
        for (int i = 0; i < choices && !o.is_choice; i++)
            if (!is_number || i == v % choices)
                add_call(c, v, choice[i]);
    }
    for (int i = 0; i < PAIRS && variants > 2; i++) {
        int pair[2];
        for (int k = 0; k < 2; k++) {
            random = random * 1103515245 + 12345;
            pair[k] = 1 + (int)((random >> 16) % (uint32_t)(variants - 1));
        }
        add_call(c, pair[0], pair[1]);
    }
}

static void add_calls(calls *c, const misuse_function *f, bool is_by_hand)
{
    misuse_outcome o = {0};
    int variants = 0;
    for (; f->call(variants, 0, true, &o); variants++)
        add_call(c, variants, 0);
    if (!is_by_hand)
        add_together(c, f, variants);
}

int main(int argc, char **argv)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* a real GPU would measure for minutes */
    int functions = 0, made = 0, failed = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !world_make())
        return 1;
    for (int i = 0; i < BY_HAND + misuse_function_count; i++) {
        const misuse_function *f = function_at(i);
        if (argc > 1 && strcmp(f->name, argv[1]) != 0)
            continue;
        functions++;
        if (getenv("MISUSE_VERBOSE"))
            fprintf(stderr, "%s\n", f->name);
        static calls c;
        c.count = 0;
        if (argc > 2)
            add_call(&c, atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
        else
            add_calls(&c, f, i < BY_HAND);
        made += c.count;
        failed += try_calls(f, &c);
    }
    printf("%d functions, %d calls, %d failed\n", functions, made, failed);
    return failed != 0 || made == 0;
}

#include "cli/commands/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/say.h"

static const int caught[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
#define CAUGHT_COUNT (sizeof caught / sizeof caught[0])

/* The state of the signal handler. */
static struct {
    atomic_int program;                      /* the process; 0: it has ended */
    atomic_int stopped;                      /* the signal that came after its end; 0: none */
    struct sigaction previous[CAUGHT_COUNT]; /* actions of signals before */
    struct sigaction previous_child;         /* action of SIGCHLD before */
} signals;

/* Interrupts the call that waits now, and again each second. */
static void on_alarm(int number)
{
    (void)number;
    alarm(1);
}

/* A call that waits for a reader, or for room in a pipe, may begin after the signal and would wait for ever: an alarm
 * interrupts it. */
static void stop_by(int number)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigfillset(&action.sa_mask);
    signals.stopped = number;
    sigaction(SIGALRM, &action, NULL);
    alarm(1);
}

/* Has the program ended, also if this process has not yet waited for it? */
static bool has_ended(int program)
{
    siginfo_t info = {0};
    return !program || (waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid);
}

/* Sends a signal on to the program. The terminal sends its signals (SI_KERNEL) to the program itself. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    int program = signals.program, error = errno;
    if (has_ended(program))
        stop_by(number);
    else if (info->si_code != SI_KERNEL)
        kill(program, number);
    errno = error;
}

/* Ignored signals stay ignored. Calls are not restarted: a signal ends a call that waits. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_signal;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < CAUGHT_COUNT; i++)
        if (sigaction(caught[i], NULL, &signals.previous[i]) == 0 && signals.previous[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
}

void program_stop(void)
{
    for (size_t i = 0; i < CAUGHT_COUNT; i++)
        if (signals.previous[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &signals.previous[i], NULL);
    if (!signals.stopped)
        return;
    alarm(0);
    raise(signals.stopped);
}

int program_is_stopped(void)
{
    return signals.stopped;
}

/* Sets the variables in this process, which needs none of them; the program inherits them. */
static bool set_environment(const environment *variables)
{
    for (; variables->name; variables++)
        if (setenv(variables->name, variables->value, 1) != 0)
            return false;
    return true;
}

/* Replaces the new process by the program. Returns only on failure: errno says why. */
static void exec_program(const char *const *argv)
{
    char **writable;
    memcpy(&writable, &argv, sizeof writable); /* execvp changes no argument */
    execvp(argv[0], writable);
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* Starts the program. *failure is the reading end of a pipe that gets errno if the program cannot be executed. */
static pid_t start(const char *const *argv, int *failure)
{
    int ends[2];
    sigset_t all, before;
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    if (pipe(ends) != 0)
        return -1;
    sigaction(SIGCHLD, &usual, &signals.previous_child); /* while it is ignored no exit status is kept */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* none may come before signals.program is known */
    pid_t pid = fork();
    if (pid == 0) {
        sigaction(SIGCHLD, &signals.previous_child, NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        exec_program(argv);
        int error = errno;
        ssize_t written = write(ends[1], &error, sizeof error);
        _exit(written < 0 ? 126 : 127);
    }
    if (pid > 0) {
        signals.program = (int)pid;
        catch_signals();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    *failure = ends[0];
    return pid;
}

/* Waits for the end of the program. False: the process is gone, and its status is not known. */
static bool wait_for(pid_t pid, int *wait_status)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    signals.program = 0; /* while the number is still its own */
    pid_t ended;
    while ((ended = waitpid(pid, wait_status, 0)) < 0 && errno == EINTR)
        ;
    return ended == pid;
}

gcast_status program_run(const char *const *argv, const environment *variables, int *status, bool *has_run)
{
    int failure = -1, error = 0, wait_status = 0;
    ssize_t got;
    *has_run = false;
    if (!set_environment(variables))
        return say_no_memory();
    pid_t pid = start(argv, &failure);
    if (pid < 0)
        return say(GCAST_RESOURCE, "%s: %s", argv[0], strerror(errno));
    while ((got = read(failure, &error, sizeof error)) < 0 && errno == EINTR)
        ;
    close(failure);
    if (!wait_for(pid, &wait_status))
        return say(GCAST_RESOURCE, "%s: its exit status is not known: %s", argv[0], strerror(errno));
    *has_run = got != (ssize_t)sizeof error;
    *status = *has_run ? status_of(wait_status) : error == ENOENT ? 127 : 126;
    if (!*has_run)
        say(GCAST_RESOURCE, "%s: %s", argv[0], strerror(error));
    return GCAST_OK;
}

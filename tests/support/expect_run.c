#include "support/expect_run.h"

#include <stdio.h>

#include "support/support.h"

/* The execution with all that is recorded, at the longest times unless the options say otherwise. */
sys_run *expect_run(const sys_system *s, const sys_simulate_options *given)
{
    gcast_error err;
    sys_run *run = NULL;
    sys_simulate_options options = given ? *given : (sys_simulate_options){.durations = GCAST_DURATIONS_MAX};
    options.record = true;
    assert_ok(system_simulate(s, NULL, &options, &run, &err), &err);
    return run;
}

const sys_job *expect_the_job(const sys_run *run, int task, uint32_t number)
{
    for (size_t i = 0; i < run->job_count; i++)
        if (run->jobs[i].task == task && run->jobs[i].number == number)
            return &run->jobs[i];
    fail_msg("task %d has no job %u", task, number);
    return NULL;
}

/* The times of a job: release, start, end. */
void expect_job(const sys_run *run, int task, uint32_t number, int64_t release, int64_t start, int64_t end)
{
    const sys_job *job = expect_the_job(run, task, number);
    assert_int_equal(job->release_ns, release);
    assert_int_equal(job->start_ns, start);
    assert_int_equal(job->end_ns, end);
}

void expect_done(sys_run *run, sys_system *s)
{
    system_run_free(run);
    system_free(s);
}

/* Slices of one job, as text: "0-4 7-11", with w before those in which it waits. */
void expect_slices(const sys_run *run, int task, uint32_t number, const char *expected)
{
    char text[200] = "";
    size_t at = 0;
    for (size_t i = 0; i < run->slice_count; i++) {
        const sys_slice *s = &run->slices[i];
        if (&run->jobs[s->job] == expect_the_job(run, task, number))
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%lld-%lld", at ? " " : "", s->waits ? "w" : "",
                                   (long long)s->start_ns, (long long)s->end_ns);
    }
    assert_string_equal(text, expected);
}

/* The checker of executions: for each rule a run that breaks it, by the smallest change of one that keeps all. */
#include <string.h>

#include "support/expect_run.h"
#include "support/make_system.h"
#include "support/support.h"

#define ROOM 8 /* jobs and slices of a forged run */

/* A run that was made by hand. */
typedef struct forged {
    sys_run run;
    sys_job jobs[ROOM];
    sys_slice slices[ROOM];
} forged;

static void add_job(forged *f, int task, uint32_t number, int64_t release, int64_t start, int64_t end)
{
    f->jobs[f->run.job_count++] = (sys_job){task, number, release, release, start, end};
}

static void add_slice(forged *f, int core, uint32_t job, uint32_t step, int64_t start, int64_t end)
{
    f->slices[f->run.slice_count++] =
        (sys_slice){.core = core, .job = job, .step = step, .start_ns = start, .end_ns = end};
}

static void start_forging(forged *f, const sys_system *s, int64_t horizon)
{
    *f = (forged){.run = {.of = s, .places = s->places, .is_recorded = true, .horizon_ns = horizon}};
    f->run.jobs = f->jobs;
    f->run.slices = f->slices;
}

/* `message` NULL: it is sound. */
static void expect_verdict(const forged *f, const char *message)
{
    gcast_error err = {0};
    gcast_status status = system_run_check(&f->run, &err);
    if (message && (status != GCAST_INTERNAL || strcmp(err.message, message) != 0))
        fail_msg("expected \"%s\", got \"%s\"", message, status == GCAST_OK ? "" : err.message);
    if (!message)
        assert_ok(status, &err);
}

/* As expect_verdict, of a copy of *f, called g, in which one thing is changed. */
#define WITH(f, change, message)                                                                                       \
    do {                                                                                                               \
        forged g = *(f);                                                                                               \
        g.run.jobs = g.jobs;                                                                                           \
        g.run.slices = g.slices;                                                                                       \
        change;                                                                                                        \
        expect_verdict(&g, message);                                                                                   \
    } while (0)

/* A root with a period of 100, jobs at 10 and 110. */
static void test_roots(void **state)
{
    (void)state;
    for (int sporadic = 0; sporadic < 2; sporadic++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A");
        int task = sporadic ? add_sporadic(m, "t", core, 1, 100) : add_periodic(m, "t", core, 1, 100);
        made_task(m, task)->offset_ns = 10;
        made_task(m, task)->jitter_ns = 5;
        add_run(m, task, 3, 5);
        sys_system *s = make_system_done(m);
        forged f;
        start_forging(&f, s, 150);
        f.run.is_recorded = false;
        add_job(&f, task, 0, 10, 10, 14);
        add_job(&f, task, 1, 110, 110, 113);
        expect_verdict(&f, NULL);
        WITH(&f, g.jobs[1].number = 2, "job 2 of task t: it does not follow the job before it in number");
        WITH(&f, g.jobs[1].task = 1, "the jobs are not in the order of their tasks");
        WITH(&f, g.run.job_count = 0, "task t: its first job is missing");
        WITH(&f, g.run.job_count = 1, sporadic ? NULL : "task t: a job before the horizon is missing");
        WITH(&f, g.jobs[0].root_release_ns = 100, "job 0 of task t: it is not released at the offset of its task");
        WITH(&f, (g.jobs[0].root_release_ns = g.jobs[0].release_ns = g.jobs[0].start_ns = 11),
             "job 1 of task t: its distance from the job before it is not that of its task");
        WITH(&f, g.jobs[1].root_release_ns = 111,
             sporadic ? "job 1 of task t: it is not released when it is due"
                      : "job 1 of task t: its distance from the job before it is not that of its task");
        WITH(&f, g.run.horizon_ns = 110, "job 1 of task t: it is released after the horizon");
        WITH(&f, g.jobs[1].release_ns = 116, "job 1 of task t: it is not released when it is due");
        WITH(&f, g.jobs[1].release_ns = 109, "job 1 of task t: it is not released when it is due");
        WITH(&f, g.jobs[1].start_ns = 109, "job 1 of task t: its times are out of order");
        WITH(&f, g.jobs[1].end_ns = 109, "job 1 of task t: its times are out of order");
        WITH(&f, g.jobs[1].end_ns = 112, "job 1 of task t: it takes less time than its steps");
        WITH(&f, g.jobs[0].end_ns = 112, "job 1 of task t: its times are out of order");
        WITH(&f, (g.jobs[0].end_ns = -1, g.jobs[1].start_ns = -1),
             "job 1 of task t: it has ended before the job before it");
        system_free(s);
    }
}

/* A root on core A runs 3, triggers one on core B, waits for it, runs 2. */
static sys_system *pair_system(bool busy, sys_preemption preemption)
{
    make_system *m = make_system_new(NULL);
    int a = add_core(m, "A"), b = add_core(m, "B");
    int root = add_periodic(m, "root", a, 1, 100), other = add_triggered(m, "other", b, 1);
    add_run(m, root, 3, 5);
    add_trigger(m, root, other);
    add_wait(m, root, other);
    add_run(m, root, 2, 2);
    add_run(m, root, 4, 4);
    made_place(m, root)->busy = busy;
    made_task(m, root)->preemption = preemption;
    add_run(m, other, 6, 6);
    return make_system_done(m);
}

static void forge_pair(forged *f, const sys_system *s)
{
    start_forging(f, s, 100);
    add_job(f, 0, 0, 0, 0, 16);
    add_job(f, 1, 0, 0, 4, 10);
    f->jobs[1].release_ns = 4;
    add_slice(f, 0, 0, 0, 0, 4);
    if (s->places[0].busy) {
        add_slice(f, 0, 0, 2, 4, 10);
        f->slices[1].waits = true;
    }
    add_slice(f, 1, 1, 0, 4, 10);
    add_slice(f, 0, 0, 3, 10, 12);
    add_slice(f, 0, 0, 4, 12, 16);
}

static void test_triggers_and_waits(void **state)
{
    (void)state;
    sys_system *s = pair_system(false, SYS_PREEMPTIVE);
    forged f;
    forge_pair(&f, s);
    expect_verdict(&f, NULL);
    WITH(&f, g.jobs[1].root_release_ns = 1, "job 0 of task other: nothing triggers it");
    WITH(&f, g.jobs[1].release_ns = 17,
         "job 0 of task other: it is released while the job that triggers it does not run");
    WITH(&f, g.run.job_count = 1, "job 0 of task root: it has ended before a job that it waits for");
    WITH(&f, g.jobs[1].end_ns = 17, "job 0 of task root: it has ended before a job that it waits for");
    WITH(&f, g.jobs[1].release_ns = 3, "job 0 of task root: it triggers a task when it is not at that step");
    WITH(&f, (g.jobs[1].release_ns = 5, g.jobs[1].start_ns = 5, g.jobs[1].end_ns = 11),
         "job 0 of task root: it triggers a task when it is not at that step");
    WITH(&f, (g.jobs[1].end_ns = 11, g.slices[1].end_ns = 11), "job 0 of task root: it runs before it can");
    WITH(&f, g.slices[0].core = 1, "job 0 of task root: it runs on a core that is not its own");
    WITH(&f, g.slices[0].core = 2, "slice 0 is of no job or core, or out of order");
    WITH(&f, g.slices[0].job = 2, "slice 0 is of no job or core, or out of order");
    WITH(&f, g.slices[0].start_ns = 5, "slice 0 is of no job or core, or out of order");
    WITH(&f, g.slices[0].waits = true, "job 0 of task root: it does not start with its first slice");
    WITH(&f, g.slices[2].waits = true, "job 0 of task root: it waits in a step that runs code");
    WITH(&f, g.jobs[0].start_ns = 1, "job 0 of task root: it does not start with its first slice");
    WITH(&f, g.jobs[0].end_ns = 17, "job 0 of task root: it does not end when its steps do");
    WITH(&f, (g.jobs[0].end_ns = 17, g.slices[3].end_ns = 17),
         "job 0 of task root: a step does not take as long as it may");
    WITH(&f, g.slices[2].step = 4, "job 0 of task root: a step does not take as long as it may");
    WITH(&f, g.slices[2].step = 5, "job 0 of task root: a step does not take as long as it may");
    WITH(&f, g.jobs[0].end_ns = -1, "job 0 of task root: it has done its steps and has not ended");
    WITH(&f,
         (g.slices[2].start_ns++, g.slices[2].end_ns++, g.slices[3].start_ns++, g.slices[3].end_ns++,
          g.jobs[0].end_ns++),
         "task root waits while core A is idle");
    WITH(&f, (g.slices[3].start_ns++, g.slices[3].end_ns++, g.jobs[0].end_ns++),
         "task root waits while core A is idle");
    system_free(s);
}

static void test_busy(void **state)
{
    (void)state;
    sys_system *s = pair_system(true, SYS_PREEMPTIVE);
    forged f;
    forge_pair(&f, s);
    expect_verdict(&f, NULL);
    WITH(&f, (g.slices[1].end_ns = 9), "task root waits while core A is idle");
    WITH(&f,
         (g.slices[1].end_ns = 11, g.slices[3].start_ns = 11, g.slices[3].end_ns = 13, g.slices[4].start_ns = 13,
          g.slices[4].end_ns = 17, g.jobs[0].end_ns = 17),
         "job 0 of task root: it waits when its wait is over");
    WITH(&f, g.slices[1].waits = false, "job 0 of task root: it holds its core where it does not");
    sys_place places[] = {s->places[0], s->places[1]};
    places[0].busy = false;
    WITH(&f, g.run.places = places, "job 0 of task root: it holds its core where it does not");
    system_free(s);
}

/* Pauses of tasks that cannot be preempted. */
static void test_kinds(void **state)
{
    (void)state;
    for (int kind = SYS_COOPERATIVE; kind <= SYS_NON_PREEMPTIVE; kind++) {
        sys_system *s = pair_system(false, (sys_preemption)kind);
        forged f;
        forge_pair(&f, s);
        expect_verdict(&f, NULL);
        WITH(&f, (g.slices[3].start_ns++, g.slices[3].end_ns++, g.jobs[0].end_ns++),
             kind == SYS_COOPERATIVE ? "task root waits while core A is idle"
                                     : "job 0 of task root: it is preempted where it cannot be");
        forge_pair(&f, s);
        f.slices[3].end_ns = 14;
        add_slice(&f, 0, 0, 4, 15, 17);
        f.jobs[0].end_ns = 17;
        expect_verdict(&f, "job 0 of task root: it is preempted where it cannot be");
        system_free(s);
    }
}

/* Two tasks of one core, released at 0 and 2, of these priorities and kinds; each runs 5. */
static sys_system *rivals(int64_t first, int64_t second, sys_preemption preemption)
{
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    add_run(m, add_periodic(m, "first", core, first, 100), 5, 5);
    add_run(m, add_periodic(m, "second", core, second, 100), 5, 5);
    made_task(m, 1)->offset_ns = 2;
    made_task(m, 0)->preemption = preemption;
    return make_system_done(m);
}

static void forge_rivals(forged *f, const sys_system *s, int64_t second_start)
{
    start_forging(f, s, 100);
    add_job(f, 0, 0, 0, 0, second_start == 5 ? 5 : 10);
    add_job(f, 1, 0, 2, second_start, second_start + 5);
    add_slice(f, 0, 0, 0, 0, second_start);
    add_slice(f, 0, 1, 0, second_start, second_start + 5);
    if (second_start < 5)
        add_slice(f, 0, 0, 0, second_start + 5, 10);
}

static void test_priorities(void **state)
{
    (void)state;
    forged f;
    sys_system *s = rivals(1, 2, SYS_PREEMPTIVE);
    forge_rivals(&f, s, 2);
    expect_verdict(&f, NULL);
    WITH(&f, (g.slices[0].end_ns = 3, g.slices[2].start_ns = 8),
         "job 0 of task second: it runs while another task has "
         "its core");
    forge_rivals(&f, s, 5);
    expect_verdict(&f, "job 0 of task first: it runs while one of higher priority waits");
    system_free(s);
    s = rivals(2, 1, SYS_PREEMPTIVE);
    forge_rivals(&f, s, 5);
    expect_verdict(&f, NULL);
    forge_rivals(&f, s, 2);
    expect_verdict(&f, "job 0 of task second: it runs while one of higher priority waits");
    system_free(s);
    s = rivals(1, 2, SYS_NON_PREEMPTIVE);
    forge_rivals(&f, s, 5);
    expect_verdict(&f, NULL);
    forge_rivals(&f, s, 2);
    expect_verdict(&f, "job 0 of task first: it is preempted where it cannot be");
    system_free(s);
}

/* The one that was not released first, or has the lower priority, gets the core first. */
static void test_who_comes_first(void **state)
{
    (void)state;
    for (int equal = 0; equal < 2; equal++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A");
        add_run(m, add_periodic(m, "blocker", core, 9, 100), 5, 5);
        add_run(m, add_periodic(m, "first", core, equal ? 1 : 2, 100), 5, 5);
        add_run(m, add_periodic(m, "second", core, 1, 100), 5, 5);
        made_task(m, 2)->preemption = SYS_NON_PREEMPTIVE;
        sys_system *s = make_system_done(m);
        for (int wrong = 0; wrong < 2; wrong++) {
            forged f;
            start_forging(&f, s, 100);
            add_job(&f, 0, 0, 0, 0, 5);
            add_job(&f, 1, 0, 0, wrong ? 10 : 5, wrong ? 15 : 10);
            add_job(&f, 2, 0, 0, wrong ? 5 : 10, wrong ? 10 : 15);
            add_slice(&f, 0, 0, 0, 0, 5);
            add_slice(&f, 0, wrong ? 2 : 1, 0, 5, 10);
            add_slice(&f, 0, wrong ? 1 : 2, 0, 10, 15);
            expect_verdict(&f, !wrong  ? NULL
                               : equal ? "job 0 of task second: it gets its core before one of its priority that was "
                                         "released first"
                                       : "job 0 of task second: it gets its core while one of higher priority waits");
        }
        system_free(s);
    }
}

/* A root triggers another task and goes on; two jobs of each. */
static void test_jobs_in_order(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int a = add_core(m, "A"), b = add_core(m, "B");
    int root = add_periodic(m, "root", a, 1, 10), other = add_triggered(m, "other", b, 1);
    add_run(m, root, 1, 1);
    add_trigger(m, root, other);
    add_run(m, root, 2, 2);
    add_run(m, other, 12, 12);
    sys_system *s = make_system_done(m);
    forged f;
    start_forging(&f, s, 20);
    add_job(&f, root, 0, 0, 0, 3);
    add_job(&f, root, 1, 10, 10, 13);
    add_job(&f, other, 0, 0, 1, 13);
    add_job(&f, other, 1, 10, 13, 25);
    f.jobs[2].release_ns = 1;
    f.jobs[3].release_ns = 11;
    add_slice(&f, 0, 0, 0, 0, 1);
    add_slice(&f, 0, 0, 2, 1, 3);
    add_slice(&f, 1, 2, 0, 1, 13);
    add_slice(&f, 0, 1, 0, 10, 11);
    add_slice(&f, 0, 1, 2, 11, 13);
    add_slice(&f, 1, 3, 0, 13, 25);
    expect_verdict(&f, NULL);
    WITH(&f, (g.run.job_count = 3, g.run.slice_count = 5),
         "job 1 of task root: it has ended and has not triggered all that it triggers");
    WITH(&f, g.jobs[3].start_ns = 12, "job 1 of task other: its times are out of order");
    WITH(&f, (g.jobs[2].end_ns = -1, g.jobs[3].start_ns = -1),
         "job 1 of task other: it has ended before the job before it");
    WITH(&f, (g.jobs[2].end_ns = g.jobs[3].end_ns = g.jobs[3].start_ns = -1),
         "job 0 of task other: it has done its steps and has not ended");
    WITH(&f, (g.jobs[2].end_ns = g.jobs[3].end_ns = g.jobs[3].start_ns = -1, g.slices[2].end_ns = 12),
         "job 1 of task other: it runs before the job before it has ended");
    system_free(s);
}

/* One that is not preemptive holds its core while it waits, and one of higher priority waits beside it. */
static void test_busy_before_higher(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int a = add_core(m, "A"), b = add_core(m, "B");
    int root = add_periodic(m, "root", a, 1, 100), other = add_triggered(m, "other", b, 1),
        high = add_periodic(m, "high", a, 2, 100);
    add_run(m, root, 3, 3);
    add_trigger(m, root, other);
    add_wait(m, root, other);
    add_run(m, other, 6, 6);
    add_run(m, high, 4, 4);
    made_place(m, root)->busy = true;
    made_task(m, root)->preemption = SYS_NON_PREEMPTIVE;
    made_task(m, high)->offset_ns = 5;
    sys_system *s = make_system_done(m);
    for (int wrong = 0; wrong < 2; wrong++) {
        forged f;
        start_forging(&f, s, 100);
        add_job(&f, root, 0, 0, 0, 9);
        add_job(&f, other, 0, 0, 3, 9);
        add_job(&f, high, 0, 5, wrong ? 9 : 5, wrong ? 13 : 9);
        f.jobs[1].release_ns = 3;
        add_slice(&f, 0, 0, 0, 0, 3);
        add_slice(&f, 0, 0, 2, 3, wrong ? 9 : 5);
        f.slices[1].waits = true;
        add_slice(&f, 1, 1, 0, 3, 9);
        add_slice(&f, 0, 2, 0, wrong ? 9 : 5, wrong ? 13 : 9);
        expect_verdict(&f, wrong ? "job 0 of task root: it runs while one of higher priority waits" : NULL);
    }
    system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots),         cmocka_unit_test(test_triggers_and_waits),
        cmocka_unit_test(test_busy),          cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_priorities),    cmocka_unit_test(test_who_comes_first),
        cmocka_unit_test(test_jobs_in_order), cmocka_unit_test(test_busy_before_higher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

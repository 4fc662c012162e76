/* Executions of random systems against an oracle that goes nanosecond by nanosecond. */
#include <stdlib.h>

#include "support/builders.h"
#include "support/random_system.h"
#include "support/support.h"
#include "support/system_oracle.h"

static void compare_with_oracle(const sys_system *s, const sys_simulate_options *options, uint64_t seed)
{
    gcast_error err;
    sys_run *run = NULL;
    sys_job *jobs;
    size_t count;
    assert_ok(system_simulate(s, NULL, options, &run, &err), &err);
    system_oracle(s, options, run->horizon_ns, &jobs, &count);
    if (run->job_count != count)
        fail_msg("seed %llu: %zu jobs, expected %zu", (unsigned long long)seed, run->job_count, count);
    for (size_t i = 0; i < count; i++) {
        const sys_job *a = &run->jobs[i], *b = &jobs[i];
        if (a->task != b->task || a->number != b->number || a->root_release_ns != b->root_release_ns ||
            a->release_ns != b->release_ns || a->start_ns != b->start_ns || a->end_ns != b->end_ns)
            fail_msg("seed %llu: job %u of task %d: %lld %lld %lld, expected %lld %lld %lld", (unsigned long long)seed,
                     a->number, a->task, (long long)a->release_ns, (long long)a->start_ns, (long long)a->end_ns,
                     (long long)b->release_ns, (long long)b->start_ns, (long long)b->end_ns);
    }
    free(jobs);
    system_run_free(run);
}

static void try_many(const random_system_options *how, uint64_t tries)
{
    for (uint64_t seed = 1; seed <= support_runs(tries); seed++) {
        support_random r = {seed};
        sys_system *s = random_system(&r, how);
        sys_simulate_options options = {.durations = (gcast_durations)support_between(&r, 0, GCAST_DURATIONS_COUNT - 1),
                                        .seed = (uint64_t)support_between(&r, 0, 1) * seed,
                                        .random_offsets = support_between(&r, 0, 1),
                                        .random_jitter = support_between(&r, 0, 1),
                                        .record = support_between(&r, 0, 3) > 0};
        compare_with_oracle(s, &options, seed);
        system_free(s);
    }
}

static void test_cores(void **state)
{
    (void)state;
    try_many(&(random_system_options){.unit_ns = 1}, 500);
    try_many(&(random_system_options){.unit_ns = 1, .any_preemption = true}, 500);
}

static void test_busy(void **state)
{
    (void)state;
    try_many(&(random_system_options){.unit_ns = 1, .busy = true}, 500);
    try_many(&(random_system_options){.unit_ns = 1, .busy = true, .any_preemption = true}, 1000);
}

static void test_one_kernel(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("small", 7, 5, 1, &err);
    assert_non_null(gpu);
    try_many(
        &(random_system_options){
            .gpu = gpu, .gpu_tasks = 1, .one_kernel = true, .unit_ns = 1, .busy = true, .any_preemption = true},
        1000);
    gcast_gpu_free(gpu);
}

/* Contexts that take turns have no oracle, but each execution passes the checker, and all that can end does. */
static void test_turns(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("small", 7, 5, 2, &err);
    assert_non_null(gpu);
    gpu->launch_latency_ns = 3;
    gpu->copy_latency_ns = 2;
    random_system_options how = {.gpu = gpu, .gpu_tasks = 4, .slices = true, .unit_ns = 10, .any_preemption = true};
    for (uint64_t seed = 1; seed <= support_runs(1000); seed++) {
        support_random r = {seed};
        sys_system *s = random_system(&r, &how);
        sys_simulate_options options = {.durations = GCAST_DURATIONS_RANDOM,
                                        .seed = seed,
                                        .random_offsets = true,
                                        .random_jitter = true,
                                        .record = true};
        sys_run *run;
        assert_ok(system_simulate(s, NULL, &options, &run, &err), &err);
        for (size_t i = 0; i < run->job_count; i++)
            assert_true(run->jobs[i].end_ns >= run->jobs[i].release_ns);
        system_run_free(run);
        system_free(s);
    }
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_one_kernel),
        cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

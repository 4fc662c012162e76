/* Executions of systems: releases, drawn times, horizons. */
#include "support/expect_run.h"
#include "support/make_system.h"
#include "support/support.h"

/* Releases with jitter, at sporadic distances, at drawn times; the same for the same seed. */
static void test_releases(void **state)
{
    (void)state;
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    int jitter = add_periodic(m, "jitter", core, 1, 100), sporadic = add_sporadic(m, "sporadic", core, 2, 100);
    add_run(m, jitter, 1, 50);
    add_run(m, sporadic, 1, 50);
    made_task(m, jitter)->jitter_ns = 250;
    made_task(m, jitter)->offset_ns = made_task(m, sporadic)->offset_ns = 30;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
    for (uint32_t k = 0; k < 10; k++) {
        assert_int_equal(expect_the_job(run, jitter, k)->release_ns, 30 + 100 * k);
        assert_int_equal(expect_the_job(run, sporadic, k)->release_ns, 30 + 100 * k);
    }
    system_run_free(run);
    int64_t later = 0, far = 0, near = 0, begins = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        sys_simulate_options options = {.durations = GCAST_DURATIONS_RANDOM,
                                        .seed = seed,
                                        .horizon_ns = 1000,
                                        .random_jitter = true,
                                        .random_offsets = true};
        run = expect_run(s, &options);
        sys_run *again = expect_run(s, &options);
        assert_int_equal(run->job_count, again->job_count);
        assert_memory_equal(run->jobs, again->jobs, run->job_count * sizeof *run->jobs);
        begins += expect_the_job(run, jitter, 0)->root_release_ns;
        later += expect_the_job(run, jitter, 1)->release_ns > expect_the_job(run, jitter, 1)->root_release_ns;
        int64_t distance =
            expect_the_job(run, sporadic, 1)->root_release_ns - expect_the_job(run, sporadic, 0)->root_release_ns;
        far += distance > 100;
        near += distance == 100;
        system_run_free(run);
        system_run_free(again);
    }
    assert_true(begins > 0 && later > 0 && far > 0 && near > 0);
    system_free(s);
}

/* What a step takes does not depend on what else runs. */
static void test_drawn_times(void **state)
{
    (void)state;
    int64_t took[2][10];
    for (int with = 0; with < 2; with++) {
        make_system *m = make_system_new(NULL);
        int core = add_core(m, "A");
        int task = add_periodic(m, "task", core, 1, 1000), other = add_periodic(m, "other", core, 2, 100);
        add_run(m, task, 10, 400);
        add_run(m, other, with ? 5 : 0, with ? 50 : 0);
        sys_system *s = make_system_done(m);
        sys_run *run =
            expect_run(s, &(sys_simulate_options){.durations = GCAST_DURATIONS_RANDOM, .seed = 7, .horizon_ns = 10000});
        for (uint32_t k = 0; k < 10; k++) {
            took[with][k] = 0;
            for (size_t i = 0; i < run->slice_count; i++)
                if (&run->jobs[run->slices[i].job] == expect_the_job(run, task, k))
                    took[with][k] += run->slices[i].end_ns - run->slices[i].start_ns;
        }
        assert_true(took[with][0] != took[with][1]);
        expect_done(run, s);
    }
    assert_memory_equal(took[0], took[1], sizeof took[0]);
}

static void expect_error(const sys_system *s, const sys_simulate_options *options, gcast_status status,
                         const char *message)
{
    gcast_error err;
    sys_run *run = NULL;
    assert_int_equal(system_simulate(s, NULL, options, &run, &err), status);
    assert_null(run);
    assert_string_equal(err.message, message);
}

static void test_horizon(void **state)
{
    (void)state;
    static const int64_t primes[] = {999999937, 999999929, 999999893};
    make_system *m = make_system_new(NULL);
    int core = add_core(m, "A");
    for (int i = 0; i < 3; i++)
        add_run(m, add_periodic(m, "t", core, 1, primes[i]), 1, 1);
    sys_system *s = make_system_done(m);
    expect_error(s, &(sys_simulate_options){0}, GCAST_INPUT,
                 "the least common multiple of the periods is 2^59 ns or more; give a horizon");
    expect_error(s, &(sys_simulate_options){.horizon_ns = INT64_MAX}, GCAST_USAGE, "the horizon is at most 2^60 ns");
    expect_error(s, &(sys_simulate_options){.horizon_ns = -1}, GCAST_USAGE, "the horizon must not be negative");
    expect_error(s, &(sys_simulate_options){.horizon_ns = INT64_MAX / 8}, GCAST_INPUT,
                 "more than 10000000 jobs before the horizon; give a shorter horizon");
    expect_error(s, &(sys_simulate_options){.durations = GCAST_DURATIONS_COUNT}, GCAST_USAGE,
                 "there is no choice of durations number 3");
    system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_releases),
        cmocka_unit_test(test_drawn_times),
        cmocka_unit_test(test_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Executions of systems with a GPU: one context with streams, or contexts that take turns. */
#include <stdlib.h>

#include "support/builders.h"
#include "support/expect_run.h"
#include "support/make_system.h"
#include "support/random_system.h"
#include "support/support.h"

/* A GPU without latencies: `sms` SMs of 1024 threads each. */
static gcast_gpu *small_gpu(int sms)
{
    gcast_error err;
    gcast_gpu *gpu = support_gpu("small", 7, 5, sms, &err);
    assert_non_null(gpu);
    return gpu;
}

/* A root that runs `code`, triggers the task and waits for it. */
static int add_root(make_system *m, int core, int64_t offset, int64_t code, int gpu_task)
{
    int root = add_periodic(m, "root", core, 1, 1000);
    made_task(m, root)->offset_ns = offset;
    add_run(m, root, code, code);
    add_trigger(m, root, gpu_task);
    add_wait(m, root, gpu_task);
    add_run(m, root, 5, 5);
    return root;
}

/* Two kernels that fit together run side by side; where each fills the GPU, one after the other. */
static void test_two_kernels(void **state)
{
    (void)state;
    for (int sms = 1; sms <= 2; sms++) {
        gcast_gpu *gpu = small_gpu(sms);
        make_system *m = make_system_new(gpu);
        int core[2] = {add_core(m, "A"), add_core(m, "B")}, task[2], root[2];
        for (int i = 0; i < 2; i++) {
            task[i] = add_triggered(m, "gpu", SYS_GPU, 0);
            add_kernel(m, task[i], 1, 1024, 100, 100);
            root[i] = add_root(m, core[i], 0, 10 + 20 * i, task[i]);
        }
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
        expect_job(run, task[0], 0, 10, 10, 110);
        expect_job(run, root[0], 0, 0, 0, 115);
        expect_job(run, task[1], 0, 30, sms == 2 ? 30 : 110, sms == 2 ? 130 : 210);
        expect_job(run, root[1], 0, 0, 0, sms == 2 ? 135 : 215);
        assert_int_equal(run->gpu->op_count, 2);
        assert_true(run->gpu->blocks_recorded);
        assert_int_equal(run->jobs[run->op_job[0]].task, task[0]);
        expect_done(run, s);
        gcast_gpu_free(gpu);
    }
}

/* All operations of a job are called at its release and take their latencies from there; meanwhile the root runs. */
static void test_asynchronous(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    gpu->launch_latency_ns = 7;
    gpu->copy_latency_ns = 3;
    for (int busy = 0; busy < 2; busy++) {
        make_system *m = make_system_new(gpu);
        int core = add_core(m, "A");
        int root = add_periodic(m, "root", core, 2, 1000), low = add_periodic(m, "low", core, 1, 1000),
            task = add_triggered(m, "gpu", SYS_GPU, 0);
        add_copy(m, task, GCAST_H2D, 2, 2);
        add_kernel(m, task, 1, 32, 20, 20);
        add_copy(m, task, GCAST_D2H, 4, 4);
        add_run(m, root, 10, 10);
        add_trigger(m, root, task);
        add_run(m, root, 6, 6);
        add_wait(m, root, task);
        add_run(m, root, 5, 5);
        made_place(m, root)->busy = busy;
        add_run(m, low, 8, 8);
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
        expect_job(run, task, 0, 10, 13, 41); /* copy 13-15, kernel 17-37, copy 37-41 */
        expect_slices(run, root, 0, busy ? "0-10 10-16 w16-41 41-46" : "0-10 10-16 41-46");
        expect_slices(run, low, 0, busy ? "46-54" : "16-24");
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(run->gpu->ops[i].call_ns, 10);
        expect_done(run, s);
    }
    gcast_gpu_free(gpu);
}

/* A kernel of many waves is under way when another of higher priority is called: it comes in between, whether blocks
 * are recorded or waves skipped. */
static void test_call_between_waves(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    gpu->priority_levels = 2;
    make_system *m = make_system_new(gpu);
    int core[2] = {add_core(m, "A"), add_core(m, "B")}, task[2];
    task[0] = add_triggered(m, "long", SYS_GPU, 0);
    task[1] = add_triggered(m, "urgent", SYS_GPU, 1);
    add_kernel(m, task[0], 50, 1024, 10, 10);
    add_kernel(m, task[1], 1, 1024, 30, 30);
    add_root(m, core[0], 0, 5, task[0]);
    add_root(m, core[1], 100, 113, task[1]);
    sys_system *s = make_system_done(m);
    for (int record = 0; record < 2; record++) {
        gcast_error err;
        sys_run *run;
        sys_simulate_options options = {.horizon_ns = 1000, .record = record};
        assert_ok(system_simulate(s, NULL, &options, &run, &err), &err);
        expect_job(run, task[1], 0, 213, 215, 245);
        expect_job(run, task[0], 0, 5, 5, 535);
        system_run_free(run);
    }
    system_free(s);
    gcast_gpu_free(gpu);
}

/* A job on the GPU waits for the one before it, in its stream. */
static void test_jobs_in_order(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    for (int slices = 0; slices < 2; slices++) {
        make_system *m = make_system_new(gpu);
        if (slices)
            make_slices(m, 7, 1);
        int core = add_core(m, "A"), task = add_triggered(m, "gpu", SYS_GPU, 0),
            root = add_periodic(m, "root", core, 1, 10);
        add_kernel(m, task, 1, 32, 15, 15);
        add_run(m, root, 1, 1);
        add_trigger(m, root, task);
        sys_system *s = make_system_done(m);
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 30});
        expect_job(run, task, 0, 1, 1, 16);
        expect_job(run, task, 1, 11, 16, 31);
        expect_job(run, task, 2, 21, 31, 46);
        expect_done(run, s);
    }
    gcast_gpu_free(gpu);
}

/* Turns of 10 with a switch of 2 between contexts; a slice ends with its kernel; a context alone needs no switch. */
static void test_turns(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    make_system *m = make_system_new(gpu);
    make_slices(m, 10, 2);
    int task[3];
    static const int64_t takes[] = {25, 14, 3}, from[] = {0, 5, 6};
    for (int i = 0; i < 3; i++) {
        task[i] = add_triggered(m, "gpu", SYS_GPU, 0);
        add_kernel(m, task[i], 1, 32, takes[i], takes[i]);
        add_root(m, add_core(m, "core"), from[i], 0, task[i]);
    }
    made_task(m, task[1])->slice_ns = 6;
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
    expect_slices(run, task[0], 0, "0-10 25-35 45-50");
    expect_slices(run, task[1], 0, "12-18 37-43 52-54");
    expect_slices(run, task[2], 0, "20-23");
    expect_job(run, task[0], 0, 0, 0, 50);
    assert_null(run->gpu);
    expect_done(run, s);
    gcast_gpu_free(gpu);
}

/* Copies of all contexts go through one engine in the order in which they come, beside kernels. */
static void test_copies_and_turns(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    gpu->copy_latency_ns = 1;
    gpu->launch_latency_ns = 20;
    make_system *m = make_system_new(gpu);
    make_slices(m, 100, 4);
    int task[2];
    for (int i = 0; i < 2; i++) {
        task[i] = add_triggered(m, "gpu", SYS_GPU, 0);
        add_copy(m, task[i], GCAST_H2D, 10, 10);
        add_kernel(m, task[i], 1, 32, 30, 30);
        add_copy(m, task[i], GCAST_D2H, 5, 5);
        add_root(m, add_core(m, "core"), 2 - 2 * i, 0, task[i]);
    }
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
    expect_slices(run, task[1], 0, "1-11 20-50 50-55"); /* the kernel is called at 0 */
    expect_slices(run, task[0], 0, "11-21 54-84 84-89");
    expect_done(run, s);
    gcast_gpu_free(gpu);
}

/* Operations of jobs that are never released are skipped. */
static void test_never_called(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu(1);
    make_system *m = make_system_new(gpu);
    int core = add_core(m, "A"), other = add_core(m, "B");
    int stuck = add_periodic(m, "stuck", core, 2, 100), away = add_triggered(m, "away", other, 1),
        back = add_triggered(m, "back", core, 1), task = add_triggered(m, "gpu", SYS_GPU, 0);
    add_kernel(m, task, 1, 32, 10, 10);
    add_run(m, stuck, 1, 1);
    add_trigger(m, stuck, task);
    add_trigger(m, stuck, away);
    add_wait(m, stuck, away);
    made_place(m, stuck)->busy = true;
    add_trigger(m, away, back);
    add_wait(m, away, back);
    add_run(m, back, 1, 1);
    sys_system *s = make_system_done(m);
    sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 300});
    expect_job(run, task, 0, 1, 1, 11);
    expect_job(run, stuck, 0, 0, 0, -1);
    assert_int_equal(run->gpu->op_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run->gpu->ops[i].skipped, i > 0);
        assert_int_equal(run->op_job[i] == SYS_NO_JOB, i > 0);
    }
    expect_done(run, s);
    gcast_gpu_free(gpu);
}

/* The run of the GPU is that of the workload alone whose operations are called at the same times. */
static void compare_with_workload(const sys_run *run, const sys_simulate_options *of, uint64_t seed)
{
    gcast_error err;
    gcast_run *alone;
    gcast_simulate_options options = gcast_simulate_options_default();
    int64_t *releases = malloc((run->gpu->op_count + 1) * sizeof *releases);
    assert_non_null(releases);
    for (size_t i = 0; i < run->gpu->op_count; i++)
        releases[i] = run->gpu->ops[i].call_ns;
    options.durations = of->durations;
    options.seed = of->seed;
    options.horizon_ns = run->horizon_ns;
    options.releases = releases;
    options.release_count = run->gpu->op_count;
    assert_ok(gcast_workload_simulate(run->workload, run->of->gpu, &options, &alone, &err), &err);
    for (size_t i = 0; i < run->gpu->op_count; i++) {
        const gcast_run_op *a = &run->gpu->ops[i], *b = &alone->ops[i];
        if (a->arrive_ns != b->arrive_ns || a->enter_ns != b->enter_ns || a->start_ns != b->start_ns ||
            a->dispatched_ns != b->dispatched_ns || a->end_ns != b->end_ns || a->launch != b->launch)
            fail_msg("seed %llu: operation %zu differs", (unsigned long long)seed, i);
    }
    gcast_run_free(alone);
    free(releases);
}

static void test_same_as_workload(void **state)
{
    (void)state;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= support_runs(1000); seed++) {
        support_random r = {seed};
        gcast_gpu *gpu = small_gpu((int)support_between(&r, 1, 3));
        gpu->launch_latency_ns = support_between(&r, 0, 5);
        gpu->copy_latency_ns = support_between(&r, 0, 5);
        gpu->stream_gap_ns = support_between(&r, 0, 3);
        gpu->handover_ns = support_between(&r, 0, 3);
        gpu->switch_ns = support_between(&r, 0, 3);
        gpu->copy_engines = (int)support_between(&r, 1, 2);
        random_system_options how = {.gpu = gpu, .gpu_tasks = 4, .unit_ns = support_between(&r, 1, 20), .busy = true};
        sys_system *s = random_system(&r, &how);
        sys_simulate_options options = {.durations = (gcast_durations)support_between(&r, 0, GCAST_DURATIONS_COUNT - 1),
                                        .seed = seed,
                                        .record = support_between(&r, 0, 1)};
        gcast_error err;
        sys_run *run;
        assert_ok(system_simulate(s, NULL, &options, &run, &err), &err);
        bool all = run->gpu != NULL;
        for (size_t i = 0; run->gpu && i < run->gpu->op_count; i++)
            all = all && !run->gpu->ops[i].skipped;
        if (all)
            compare_with_workload(run, &options, seed);
        compared += all;
        system_run_free(run);
        system_free(s);
        gcast_gpu_free(gpu);
    }
    assert_true(compared > support_runs(1000) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_kernels),
        cmocka_unit_test(test_asynchronous),
        cmocka_unit_test(test_call_between_waves),
        cmocka_unit_test(test_jobs_in_order),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_copies_and_turns),
        cmocka_unit_test(test_never_called),
        cmocka_unit_test(test_same_as_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

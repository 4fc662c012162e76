/* The checker of executions on GPUs: runs that are sound, and a change of each that is not. */
#include <string.h>

#include "support/builders.h"
#include "support/expect_run.h"
#include "support/make_system.h"
#include "support/support.h"

static gcast_gpu *small_gpu(void)
{
    gcast_error err;
    gcast_gpu *gpu = support_gpu("small", 7, 5, 1, &err);
    assert_non_null(gpu);
    gpu->launch_latency_ns = gpu->copy_latency_ns = 1;
    return gpu;
}

/* Two GPU tasks with copies and kernels; both are triggered at 0. */
static sys_system *two_tasks(const gcast_gpu *gpu, bool slices)
{
    make_system *m = make_system_new(gpu);
    if (slices)
        make_slices(m, 10, 2);
    for (int i = 0; i < 2; i++) {
        int core = add_core(m, "core"), root = add_periodic(m, "root", core, 1, 1000),
            task = add_triggered(m, i ? "second" : "first", SYS_GPU, 0);
        add_copy(m, task, GCAST_H2D, 5, 5);
        add_kernel(m, task, 1, 1024, 15, 16);
        add_run(m, root, 0, 0);
        add_trigger(m, root, task);
    }
    return make_system_done(m);
}

/* What a test may change, although a run is not to be. */
static sys_job *job(sys_run *run, int task)
{
    return (sys_job *)(uintptr_t)expect_the_job(run, task, 0);
}

static sys_slice *slice(sys_run *run, int task, size_t number)
{
    for (size_t i = 0; i < run->slice_count; i++)
        if (run->jobs[run->slices[i].job].task == task && number-- == 0)
            return (sys_slice *)(uintptr_t)&run->slices[i];
    fail_msg("there is no such slice");
    return NULL;
}

static gcast_run_op *operation(sys_run *run, size_t i)
{
    return (gcast_run_op *)(uintptr_t)&run->gpu->ops[i];
}

static void expect_broken(const sys_run *run, const char *message)
{
    gcast_error err = {0};
    assert_int_equal(system_run_check(run, &err), GCAST_INTERNAL);
    if (!strstr(err.message, message))
        fail_msg("expected \"%s\", got \"%s\"", message, err.message);
}

/* Moves the slices of a task from a number on. */
static void shift(sys_run *run, int task, size_t from, int64_t by)
{
    for (size_t i = 0; i < run->slice_count; i++) {
        sys_slice *s = (sys_slice *)(uintptr_t)&run->slices[i];
        if (run->jobs[s->job].task == task && from-- == 0) {
            s->start_ns += by;
            s->end_ns += by;
            from = 0;
        }
    }
    job(run, task)->end_ns += by;
}

enum { FIRST = 1, SECOND = 3 }; /* the tasks on the GPU */

static void test_turns(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu();
    sys_system *s = two_tasks(gpu, true);
    for (int broken = 0; broken < 11; broken++) {
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
        /* copies 1-6 and 6-11; kernels 6-16, 18-28, 30-36, 38-44 */
        expect_slices(run, FIRST, 0, "1-6 6-16 30-36");
        expect_slices(run, SECOND, 0, "6-11 18-28 38-44");
        switch (broken) {
        case 0:
            slice(run, SECOND, 0)->start_ns = slice(run, SECOND, 0)->start_ns - 1;
            job(run, SECOND)->start_ns--;
            expect_broken(run, "job 0 of task second: a step does not take as long as it may");
            break;
        case 1:
            slice(run, FIRST, 0)->start_ns--;
            slice(run, FIRST, 0)->end_ns--;
            job(run, FIRST)->start_ns--;
            expect_broken(run, "job 0 of task first: an operation starts before it can");
            break;
        case 2:
            shift(run, SECOND, 2, -1);
            expect_broken(run, "job 0 of task second: its slice starts before the GPU has switched to it");
            break;
        case 3:
            shift(run, SECOND, 2, 1);
            expect_broken(run, "job 0 of task second: a kernel waits while the GPU is idle");
            break;
        case 4:
            slice(run, SECOND, 2)->end_ns = 49;
            slice(run, SECOND, 1)->end_ns = 23;
            job(run, SECOND)->end_ns = 49;
            expect_broken(run, "job 0 of task second: a slice is longer than it may be, or a copy has several");
            break;
        case 5:
            job(run, SECOND)->end_ns++;
            expect_broken(run, "job 0 of task second: it does not end when its steps do");
            break;
        case 6:
            job(run, SECOND)->start_ns++;
            expect_broken(run, "job 0 of task second: it does not start with its first slice");
            break;
        case 7:
            slice(run, SECOND, 1)->step = 0;
            expect_broken(run, "job 0 of task second: a slice is longer than it may be, or a copy has several");
            break;
        case 8:
            slice(run, SECOND, 2)->step = 2;
            expect_broken(run, "job 0 of task second: a step does not take as long as it may");
            break;
        case 9:
            slice(run, FIRST, 1)->core = 0;
            expect_broken(run, "job 0 of task first: it runs on a core that is not its own");
            break;
        default: /* first goes on at once and has the turn of second */
            slice(run, FIRST, 2)->start_ns = 16;
            slice(run, FIRST, 2)->end_ns = 22;
            job(run, FIRST)->end_ns = 22;
            slice(run, SECOND, 1)->start_ns = 24;
            slice(run, SECOND, 1)->end_ns = 34;
            slice(run, SECOND, 2)->start_ns = 34;
            slice(run, SECOND, 2)->end_ns = 40;
            job(run, SECOND)->end_ns = 40;
            { /* by start */
                sys_slice *at = (sys_slice *)(uintptr_t)run->slices, last = *slice(run, FIRST, 2);
                at[4] = at[3];
                at[3] = last;
            }
            expect_broken(run, "job 0 of task first: it takes the turn of another context");
        }
        system_run_free(run);
    }
    system_free(s);
    gcast_gpu_free(gpu);
}

/* Copies that come at another time, or in another order, than the engine takes them. */
static void test_copies(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu();
    make_system *m = make_system_new(gpu);
    make_slices(m, 10, 2);
    for (int i = 0; i < 2; i++) {
        int root = add_periodic(m, "root", add_core(m, "core"), 1, 1000),
            task = add_triggered(m, i ? "second" : "first", SYS_GPU, 0);
        add_copy(m, task, GCAST_H2D, 5, 5);
        add_run(m, root, i, i);
        add_trigger(m, root, task);
    }
    sys_system *s = make_system_done(m);
    for (int swapped = 0; swapped < 2; swapped++) {
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
        expect_slices(run, FIRST, 0, "1-6");
        expect_slices(run, SECOND, 0, "6-11");
        for (int i = 0; i < 2; i++) {
            int task = i ? SECOND : FIRST;
            slice(run, task, 0)->start_ns = job(run, task)->start_ns = swapped ? 7 - 5 * i : 1 + 6 * i;
            slice(run, task, 0)->end_ns = job(run, task)->end_ns = swapped ? 12 - 5 * i : 6 + 6 * i;
        }
        if (swapped) { /* by start */
            sys_slice *at = (sys_slice *)(uintptr_t)run->slices, first = at[run->slice_count - 2];
            at[run->slice_count - 2] = at[run->slice_count - 1];
            at[run->slice_count - 1] = first;
        }
        expect_broken(run, swapped ? "job 0 of task first: its copy comes after one that came later"
                                   : "job 0 of task second: its copy does not start when the copy engine is free");
        system_run_free(run);
    }
    system_free(s);
    gcast_gpu_free(gpu);
}

static void test_operations(void **state)
{
    (void)state;
    gcast_gpu *gpu = small_gpu();
    sys_system *s = two_tasks(gpu, false);
    for (int broken = 0; broken < 6; broken++) {
        sys_run *run = expect_run(s, &(sys_simulate_options){.horizon_ns = 1000});
        uint32_t *op_job = (uint32_t *)(uintptr_t)run->op_job;
        expect_job(run, FIRST, 0, 0, 1, 22);
        switch (broken) {
        case 0:
            job(run, FIRST)->end_ns++;
            expect_broken(run, "job 0 of task first: its times are not those of its operations");
            break;
        case 1:
            job(run, FIRST)->start_ns++;
            expect_broken(run, "job 0 of task first: its times are not those of its operations");
            break;
        case 2:
            op_job[0] = op_job[1] = SYS_NO_JOB;
            expect_broken(run, "operation 0 of the GPU has no job");
            break;
        case 3:
            op_job[1] = op_job[2];
            expect_broken(run, "job 0 of task first: an operation is not called when it is released");
            break;
        case 4:
            op_job[0] = op_job[1] = op_job[2];
            expect_broken(run, "job 0 of task second: its times are not those of its operations");
            break;
        default:
            operation(run, 0)->end_ns--;
            expect_broken(run, "C-");
        }
        system_run_free(run);
    }
    system_free(s);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

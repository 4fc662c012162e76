/* Systems whose tasks use a GPU, by hand. */
#include <stdlib.h>

#include "unit/analyze/analyzed.h"

typedef struct gpu_fixture {
    gcast_gpu *gpu;
    gcast_error err;
} gpu_fixture;

static int set_up(void **state)
{
    gpu_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->gpu = support_gpu("small", 7, 5, 1, &f->err);
    assert_non_null(f->gpu);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    gpu_fixture *f = *state;
    gcast_gpu_free(f->gpu);
    free(f);
    return 0;
}

/* A task that has a copy, a kernel that fills the GPU and a copy back. */
static int add_offload(make_system *m, int core, int64_t period, int64_t kernel, bool busy)
{
    int task = add_periodic(m, "host", core, 1, period), gpu = add_triggered(m, "device", SYS_GPU, 0);
    add_copy(m, gpu, GCAST_H2D, 5, 5);
    add_kernel(m, gpu, 1, 1024, kernel, kernel);
    add_copy(m, gpu, GCAST_D2H, 3, 3);
    add_run(m, task, 8, 10);
    add_trigger(m, task, gpu);
    add_wait(m, task, gpu);
    add_run(m, task, 4, 4);
    made_place(m, task)->busy = busy;
    return task;
}

/* Alone: 10, then 5 + 20 + 3, then 4. */
static void a_task_waits_for_the_gpu(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    int core = add_core(m, "core"), task = add_offload(m, core, 1000, 20, true);
    made_task(m, task)->deadline_ns = 42;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_worst_times(a, 42, 38);
    assert_int_equal(a->tasks[1].release_min_ns, 8);
    assert_int_equal(a->tasks[1].release_max_ns, 10);
    assert_int_equal(a->tasks[1].best_ns, 36);
    assert_int_equal(a->tasks[1].steps[0].end_worst_ns, 15);
    assert_int_equal(a->tasks[1].steps[1].end_worst_ns, 35);
    assert_int_equal(a->tasks[1].steps[1].own_worst_ns, 20);
    assert_int_equal(a->tasks[0].waiting_ns, 28);
    assert_true(a->gpu_bounded);
    /* how long calls take to reach this GPU was not measured */
    assert_int_equal(a->tasks[0].verdict, GCAST_DEADLINE_MET_IF);
    assert_true(a->all_met);
    system_answer_free(a);
    sys_analyze_options options = system_analyze_options_default();
    options.gpu.launch_max_ns = 0;
    options.gpu.copy_max_ns = 0;
    a = analyzed(s, &options);
    assert_int_equal(a->tasks[0].verdict, GCAST_DEADLINE_MET);
    system_answer_free(a);
    options.gpu.launch_max_ns = 100;
    a = analyzed(s, &options);
    assert_int_equal(a->tasks[0].worst_ns, 10 + 100 + 20 + 3 + 4);
    assert_int_equal(a->tasks[0].verdict, GCAST_DEADLINE_OPEN);
    free_both(s, a);
}

/* The kernels of two tasks on two cores meet: each waits for the other's, and for its copies. */
static void kernels_of_two_tasks_meet(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    add_offload(m, add_core(m, "left"), 1000, 20, true);
    add_offload(m, add_core(m, "right"), 1000, 30, false);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    for (int i = 0; i < 4; i += 2) {
        assert_true(a->tasks[i].worst_ns >= 10 + 5 + 20 + 30 + 3 + 4);
        assert_true(a->tasks[i].worst_ns <= 10 + 5 + 5 + 20 + 30 + 3 + 5 + 4);
    }
    sys_analyze_options options = system_analyze_options_default();
    options.tasks_only = true;
    options.cache = system_gpu_cache_create();
    for (int i = 0; i < 2; i++) {
        sys_answer *quick = analyzed(s, &options);
        assert_int_equal(quick->tasks[0].worst_ns, a->tasks[0].worst_ns);
        system_answer_free(quick);
    }
    system_gpu_cache_free(options.cache);
    free_both(s, a);
}

/* Explore and exact are asked too, and give no larger times. */
static void other_methods_are_asked(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    add_offload(m, add_core(m, "left"), 1000, 20, true);
    add_offload(m, add_core(m, "right"), 500, 30, false);
    sys_system *s = make_system_done(m);
    sys_answer *bound = analyzed(s, NULL);
    const gcast_method methods[] = {GCAST_METHOD_EXPLORE, GCAST_METHOD_EXACT, GCAST_METHODS};
    for (int i = 0; i < 3; i++) {
        sys_analyze_options options = system_analyze_options_default();
        options.gpu_method = methods[i];
        sys_answer *a = analyzed(s, &options);
        for (size_t k = 0; k < s->task_count; k++)
            assert_true(a->tasks[k].worst_ns <= bound->tasks[k].worst_ns || methods[i] == GCAST_METHOD_EXACT);
        system_answer_free(a);
    }
    free_both(s, bound);
}

static void a_gpu_that_is_overloaded_is_told(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    int core = add_core(m, "core");
    int task = add_periodic(m, "host", core, 1, 10), gpu = add_triggered(m, "device", SYS_GPU, 0);
    add_trigger(m, task, gpu);
    add_kernel(m, gpu, 1, 1024, 11, 11);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    assert_int_equal(a->tasks[1].worst_ns, SYS_UNBOUNDED);
    assert_false(a->gpu_bounded);
    assert_non_null(a->gpu_why_not);
    assert_non_null(strstr(a->tasks[1].why_not, "GPU"));
    assert_int_equal(a->tasks[0].worst_ns, 0);
    free_both(s, a);
}

/* A kernel of 25 has 3 turns of 10. Before each, the other context has one of 7 or less, with switches of 2 to that and
 * back: 25 + 3 * (7 + 2 + 2). Before its copy there may be one of 6. The kernel of 7 needs one turn: 7 + 10 + 2 + 2. */
static void contexts_take_turns(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    int core = add_core(m, "core");
    make_slices(m, 10, 2);
    int left = add_periodic(m, "left", core, 2, 1000), long_one = add_triggered(m, "long", SYS_GPU, 0);
    int right = add_periodic(m, "right", core, 1, 90), short_one = add_triggered(m, "short", SYS_GPU, 0);
    add_trigger(m, left, long_one);
    add_trigger(m, right, short_one);
    add_copy(m, long_one, GCAST_H2D, 4, 4);
    add_kernel(m, long_one, 1, 1024, 25, 25);
    add_copy(m, short_one, GCAST_H2D, 6, 6);
    add_kernel(m, short_one, 1, 1024, 7, 7);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    /* in so short a time there is one job of the other: it has one slice, not three */
    assert_int_equal(a->tasks[long_one].steps[0].end_worst_ns, 4 + 6);
    assert_int_equal(a->tasks[long_one].worst_ns, 4 + 6 + 25 + 3 * 2 + (7 + 2));
    assert_int_equal(a->tasks[short_one].worst_ns, 6 + 4 + 7 + 2 + (10 + 2));
    assert_true(a->gpu_bounded);
    free_both(s, a);
}

/* A context that has more to do than its turns let it. */
static void a_context_may_lag_behind(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    int core = add_core(m, "core");
    make_slices(m, 1, 0);
    int left = add_periodic(m, "left", core, 2, 10), a_context = add_triggered(m, "first", SYS_GPU, 0);
    int right = add_periodic(m, "right", core, 1, 10), other = add_triggered(m, "second", SYS_GPU, 0);
    add_trigger(m, left, a_context);
    add_trigger(m, right, other);
    add_kernel(m, a_context, 1, 1024, 6, 6);
    add_kernel(m, other, 1, 1024, 6, 6);
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed_anyhow(s);
    assert_int_equal(a->tasks[a_context].worst_ns, SYS_UNBOUNDED);
    assert_false(a->gpu_bounded);
    assert_non_null(strstr(a->tasks[a_context].why_not, "time slices"));
    free_both(s, a);
}

static void the_gpu_part_is_a_workload(void **state)
{
    gpu_fixture *f = *state;
    make_system *m = make_system_new(f->gpu);
    int task = add_offload(m, add_core(m, "core"), 1000, 20, false), index[8];
    made_task(m, task)->offset_ns = 100;
    made_place(m, task + 1)->priority = 3;
    sys_system *s = make_system_done(m);
    sys_answer *a = analyzed(s, NULL);
    gcast_workload *w;
    assert_ok(system_gpu_workload(s, NULL, a->tasks, &w, index, &f->err), &f->err);
    assert_int_equal(w->task_count, 1);
    assert_int_equal(index[0], 1);
    assert_int_equal(w->tasks[0].period_ns, 1000);
    assert_int_equal(w->tasks[0].offset_ns, 108);
    assert_int_equal(w->tasks[0].jitter_ns, 2);
    assert_int_equal(w->op_count, 3);
    assert_int_equal(w->ops[1].kind, GCAST_KIND_KERNEL);
    assert_int_equal(w->ops[1].stream, w->ops[0].stream);
    assert_true(w->streams[0].priority <= 0 && w->streams[0].priority >= -3);
    assert_ok(gcast_workload_check(w, &f->err), &f->err);
    gcast_workload_free(w);
    assert_ok(system_gpu_workload(s, NULL, NULL, &w, NULL, &f->err), &f->err);
    assert_int_equal(w->tasks[0].offset_ns, 100);
    assert_int_equal(w->tasks[0].jitter_ns, 0);
    gcast_workload_free(w);
    free_both(s, a);
}

static void a_system_without_a_gpu_has_no_workload(void **state)
{
    gpu_fixture *f = *state;
    gcast_workload *w;
    make_system *m = make_system_new(NULL);
    add_simple(m, add_core(m, "core"), 1, 10, 1);
    sys_system *s = make_system_done(m);
    assert_int_equal(system_gpu_workload(s, NULL, NULL, &w, NULL, &f->err), GCAST_INPUT);
    assert_null(w);
    system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_task_waits_for_the_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_of_two_tasks_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_methods_are_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_gpu_that_is_overloaded_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contexts_take_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_context_may_lag_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_gpu_part_is_a_workload, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_system_without_a_gpu_has_no_workload, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

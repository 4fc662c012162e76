#include "support/support.h"

#include <string.h>

#include "model/workload/workload.h"
#include "support/builders.h"

static gcast_workload *two_kernels(void)
{
    gcast_error err;
    gcast_workload *w = support_workload("two", &err);
    assert_non_null(w);
    for (int i = 0; i < 2; i++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = i ? "K#2" : "K";
        op.stream = support_get_stream(w, 7, &err);
        op.grid[0] = 4;
        op.block[0] = 64, op.block[1] = 2;
        op.min_ns = op.max_ns = 10;
        assert_int_equal(support_add_op(w, &op, &err), i);
    }
    return w;
}

static void fills_in_products(void **state)
{
    (void)state;
    gcast_workload *w = two_kernels();
    assert_int_equal(w->stream_count, 1);
    assert_int_equal(w->streams[0].id, 7);
    assert_false(w->streams[0].blocking);
    assert_int_equal(w->ops[1].blocks, 4);
    assert_int_equal(w->ops[1].shape.threads, 128);
    assert_int_equal(w->ops[1].task, GCAST_ONCE);
    assert_int_equal(gcast_workload_check(w, NULL), GCAST_OK);
    gcast_workload_free(w);
}

static void stream_zero_is_blocking(void **state)
{
    (void)state;
    gcast_workload *w = support_workload("", NULL);
    int null = support_get_stream(w, 0, NULL);
    assert_true(w->streams[null].blocking);
    assert_int_equal(workload_find_stream(w, 0), null);
    assert_int_equal(workload_find_stream(w, 1), -1);
    gcast_workload_free(w);
}

static void finds_many_streams(void **state)
{
    (void)state;
    gcast_workload *w = support_workload("", NULL);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(support_get_stream(w, i * 977 + 1, NULL), i);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(support_get_stream(w, i * 977 + 1, NULL), i);
    assert_int_equal(gcast_workload_check(w, NULL), GCAST_OK);
    gcast_error err;
    support_add_stream(w, (gcast_stream){.id = 978}, NULL);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "stream 978 is listed twice");
    gcast_workload_free(w);
}

static void shares_equal_masks(void **state)
{
    (void)state;
    gcast_workload *w = support_workload("", NULL);
    gcast_mask a = {{3}}, b = {{0, 3}};
    assert_int_equal(support_add_mask(w, &a, NULL), 0);
    assert_int_equal(support_add_mask(w, &b, NULL), 1);
    assert_int_equal(support_add_mask(w, &a, NULL), 0);
    assert_int_equal(w->mask_count, 2);
    gcast_workload_free(w);
}

static void durations_reach_iterations(void **state)
{
    (void)state;
    gcast_workload *w = two_kernels();
    assert_int_equal(gcast_workload_set_duration(w, "K", 5), 2);
    assert_int_equal(w->ops[1].max_ns, 5);
    assert_int_equal(gcast_workload_set_duration(w, "K#2", 6), 1);
    assert_int_equal(w->ops[0].min_ns, 5);
    assert_int_equal(w->ops[1].min_ns, 6);
    assert_int_equal(gcast_workload_set_duration(w, "K#", 6), 0);
    assert_int_equal(gcast_workload_set_duration(w, "L", 6), 0);
    gcast_workload_free(w);
}

static void label_stems(void **state)
{
    (void)state;
    assert_int_equal(workload_label_stem("K1#12"), 2);
    assert_int_equal(workload_label_stem("K1"), 2);
    assert_int_equal(workload_label_stem("K1#"), 3);
    assert_int_equal(workload_label_stem("#1"), 2);
    assert_int_equal(workload_label_stem(""), 0);
}

static void unknown_durations_are_named(void **state)
{
    (void)state;
    gcast_workload *w = two_kernels();
    gcast_error err;
    gcast_workload_set_duration(w, "K#2", GCAST_UNKNOWN_NS);
    assert_int_equal(workload_check_form(w, &err), GCAST_OK);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the duration of a block of \"K\" is not known");
    assert_string_equal(err.path, "/ops/1");
    gcast_workload_free(w);
}

typedef struct invalid_case {
    size_t offset; /* of an int64_t in gcast_op */
    int64_t value;
    const char *path;
} invalid_case;

static void checks_ranges(void **state)
{
    (void)state;
    const invalid_case cases[] = {
        {offsetof(gcast_op, release_ns), -1, "/ops/2/release_ns"},
        {offsetof(gcast_op, delay_ns), INT64_MAX, "/ops/2/delay_ns"},
        {offsetof(gcast_op, shape.static_smem), -1, "/ops/2/static_smem"},
        {offsetof(gcast_op, min_ns), 11, "/ops/2/duration_ns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_workload *w = two_kernels();
        gcast_error err;
        gcast_op op = w->ops[0];
        memcpy((char *)&op + cases[i].offset, &cases[i].value, sizeof cases[i].value);
        support_add_op(w, &op, NULL);
        assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
        assert_string_equal(err.path, cases[i].path);
        gcast_workload_free(w);
    }
}

static void checks_tasks(void **state)
{
    (void)state;
    gcast_workload *w = two_kernels();
    gcast_error err;
    gcast_op op = w->ops[0];
    gcast_task task = {.name = "t", .stream = 0, .period_ns = 100, .deadline_ns = 100};
    assert_int_equal(support_add_task(w, &task, NULL), 0);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/tasks/0");
    support_add_op(w, &op, NULL);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_OK);
    char path[64];
    gcast_workload_op_path(w, 2, path, sizeof path);
    assert_string_equal(path, "/tasks/0/ops/0");
    op.kind = GCAST_KIND_SYNC;
    support_add_op(w, &op, NULL);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    gcast_workload_free(w);
}

static void hyperperiods(void **state)
{
    (void)state;
    gcast_workload *w = two_kernels();
    int64_t ns;
    assert_false(gcast_workload_hyperperiod(w, &ns));
    const int64_t periods[] = {4, 6, 10};
    for (size_t i = 0; i < 3; i++)
        support_add_task(w, &(gcast_task){.period_ns = periods[i]}, NULL);
    assert_true(gcast_workload_hyperperiod(w, &ns));
    assert_int_equal(ns, 60);
    support_add_task(w, &(gcast_task){.period_ns = INT64_MAX / 4}, NULL);
    assert_false(gcast_workload_hyperperiod(w, &ns));
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_in_products),
        cmocka_unit_test(stream_zero_is_blocking),
        cmocka_unit_test(finds_many_streams),
        cmocka_unit_test(shares_equal_masks),
        cmocka_unit_test(durations_reach_iterations),
        cmocka_unit_test(label_stems),
        cmocka_unit_test(unknown_durations_are_named),
        cmocka_unit_test(checks_ranges),
        cmocka_unit_test(checks_tasks),
        cmocka_unit_test(hyperperiods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

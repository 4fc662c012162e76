/* Which thresholds make a difference, and the search for the best. */
#include <stdlib.h>

#include "analyze/spawn/threshold_search.h"
#include "support/support.h"

/* Ends of runs by threshold, as a test says. */
typedef struct ends {
    int64_t (*end)(uint32_t items);
    uint32_t calls;
    uint32_t failing; /* the call that fails; 0: none */
} ends;

static gcast_status run(void *data, uint32_t items, int64_t *end_ns, gcast_error *err)
{
    ends *e = data;
    if (++e->calls == e->failing)
        return gcast_error_set(err, GCAST_INTERNAL, NULL, "as the test wants");
    *end_ns = e->end(items);
    return GCAST_OK;
}

/* Thresholds 10, 20 and so on, of one launcher each. */
static threshold_list tens(uint32_t count)
{
    threshold_list t = {.kernels = 1};
    for (uint32_t i = 0; i < count; i++) {
        threshold next = {.items = 10 * (i + 1), .launchers = count - i};
        for (uint32_t k = i; k < count; k++)
            next.offloaded += 10 * (k + 1);
        assert_true(vec_push(&t.list, next));
    }
    return t;
}

static threshold_search search(const threshold_list *t, ends *e, int64_t none_ns, bool exhaustive)
{
    gcast_error err;
    threshold_search s = {
        .thresholds = t, .exhaustive = exhaustive, .none_ns = none_ns, .run = run, .data = e, .err = &err};
    assert_ok(threshold_search_run(&s), &err);
    assert_int_equal(s.tried, e->calls);
    return s;
}

static int64_t v_at_70(uint32_t items)
{
    return 1000 + labs((long)items - 70);
}

static int64_t v_at_8880(uint32_t items)
{
    return 100000 + labs((long)items - 8880);
}

static int64_t all_alike(uint32_t items)
{
    (void)items;
    return 500;
}

static void few_are_all_tried(void **state)
{
    (void)state;
    ends e = {.end = v_at_70};
    threshold_list t = tens(THRESHOLD_FEW);
    threshold_search s = search(&t, &e, 2000, false);
    assert_int_equal(s.best, 6);
    assert_int_equal(s.end_ns, 1000);
    assert_int_equal(s.tried, THRESHOLD_FEW);
    assert_int_equal(threshold_search_calls(&t, false), THRESHOLD_FEW);
    thresholds_free(&t);
}

static void many_are_sampled(void **state)
{
    (void)state;
    ends e = {.end = v_at_8880};
    threshold_list t = tens(2000);
    threshold_search s = search(&t, &e, 200000, false);
    assert_in_range(s.end_ns, 100000, 100020);
    assert_true(s.tried <= threshold_search_calls(&t, false));
    assert_true(s.tried < 60);
    e = (ends){.end = v_at_8880};
    s = search(&t, &e, 200000, true);
    assert_int_equal(s.best, 887);
    assert_int_equal(s.tried, 2000);
    thresholds_free(&t);
}

/* Of equals, the one with the fewest children. */
static void ties(void **state)
{
    (void)state;
    ends e = {.end = all_alike};
    threshold_list t = tens(9);
    assert_int_equal(search(&t, &e, 501, false).best, 8);
    e.calls = 0;
    assert_int_equal(search(&t, &e, 500, false).best, 9);
    thresholds_free(&t);
}

static void none_at_all(void **state)
{
    (void)state;
    ends e = {.end = all_alike};
    threshold_list t = {.kernels = 1};
    threshold_search s = search(&t, &e, 77, false);
    assert_int_equal(s.best, 0);
    assert_int_equal(s.end_ns, 77);
    assert_int_equal(s.tried, 0);
}

static void an_error_ends_it(void **state)
{
    (void)state;
    gcast_error err;
    threshold_list t = tens(100);
    for (uint32_t failing = 1; failing < 30; failing += 7) {
        ends e = {.end = v_at_70, .failing = failing};
        threshold_search s = {.thresholds = &t, .none_ns = 9999, .run = run, .data = &e, .err = &err};
        assert_int_equal(threshold_search_run(&s), GCAST_INTERNAL);
        assert_int_equal(e.calls, failing);
    }
    thresholds_free(&t);
}

static gcast_workload *workload_of(const uint32_t *items, size_t count, uint32_t min_items)
{
    gcast_workload *w;
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL), child = op;
    gcast_launches l = gcast_launches_default();
    assert_ok(gcast_workload_create("w", &w, &err), &err);
    assert_ok(gcast_workload_get_stream(w, 1, &op.stream, &err), &err);
    child.block[0] = 32;
    child.min_ns = child.max_ns = 10;
    op.block[0] = 32;
    op.min_ns = op.max_ns = 10;
    l.items = items;
    l.item_count = count;
    l.min_items = min_items;
    l.child = &child;
    op.launches = &l;
    assert_ok(gcast_workload_add_op(w, &op, NULL, &err), &err);
    l.items = NULL; /* a second kernel: 32 launchers of 70,000 */
    l.items_each = 70000;
    assert_ok(gcast_workload_add_op(w, &op, NULL, &err), &err);
    op.launches = NULL;
    assert_ok(gcast_workload_add_op(w, &op, NULL, &err), &err);
    return w;
}

static void thresholds_of_a_workload(void **state)
{
    (void)state;
    static const uint32_t items[] = {0, 5, 100000, 3, 5, 70000, 8, 2};
    static const threshold expected[] = {{3, 38, 3 + 5 + 5 + 8 + 100000 + 33 * UINT64_C(70000)},
                                         {5, 37, 5 + 5 + 8 + 100000 + 33 * UINT64_C(70000)},
                                         {8, 35, 8 + 100000 + 33 * UINT64_C(70000)},
                                         {70000, 34, 100000 + 33 * UINT64_C(70000)},
                                         {100000, 1, 100000}};
    gcast_workload *w = workload_of(items, sizeof items / sizeof *items, 3);
    threshold_list t;
    assert_true(thresholds_find(w, &t));
    assert_int_equal(t.kernels, 2);
    assert_int_equal(t.list.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < t.list.count; i++) {
        assert_int_equal(t.list.at[i].items, expected[i].items);
        assert_int_equal(t.list.at[i].launchers, expected[i].launchers);
        assert_int_equal(t.list.at[i].offloaded, expected[i].offloaded);
    }
    thresholds_free(&t);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_all_tried),
        cmocka_unit_test(many_are_sampled),
        cmocka_unit_test(ties),
        cmocka_unit_test(none_at_all),
        cmocka_unit_test(an_error_ends_it),
        cmocka_unit_test(thresholds_of_a_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

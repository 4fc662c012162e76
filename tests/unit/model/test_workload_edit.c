#include "support/support.h"

#include "model/workload/workload.h"
#include "property/generate.h"
#include "support/builders.h"
#include "support/same_workload.h"

static void copies_are_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        generated g = generate(seed);
        gcast_error err;
        assert_int_equal(gcast_workload_set_source(g.workload, "a file", NULL), GCAST_OK);
        assert_int_equal(gcast_workload_add_note(g.workload, "a note", &err), GCAST_OK);
        gcast_workload *copy = support_workload_copy(g.workload, &err);
        assert_non_null(copy);
        assert_null(workload_difference(g.workload, copy));
        assert_string_equal(copy->source, "a file");
        assert_int_equal(copy->note_count, g.workload->note_count);
        assert_true(!copy->gpu == !g.workload->gpu);
        assert_true(!copy->gpu || copy->gpu != g.workload->gpu);
        assert_true(copy->ops != g.workload->ops);
        gcast_workload_free(copy);
        generated_free(&g);
    }
}

static gcast_workload *kernel(const int64_t *block_ns, int64_t min, int64_t max)
{
    gcast_workload *w = support_workload("", NULL);
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.stream = support_get_stream(w, 1, NULL);
    op.grid[0] = 3;
    op.block_ns = block_ns;
    op.min_ns = min, op.max_ns = max;
    assert_int_equal(support_add_op(w, &op, NULL), 0);
    return w;
}

static void stretches_the_original(void **state)
{
    (void)state;
    gcast_workload *w = kernel(NULL, 5, 10), *copy = support_workload_copy(w, NULL);
    workload_stretch_op(copy, 0, &w->ops[0], 40);
    assert_int_equal(copy->ops[0].min_ns, 5);
    assert_int_equal(copy->ops[0].max_ns, 40);
    workload_stretch_op(copy, 0, &w->ops[0], 1);
    assert_int_equal(copy->ops[0].min_ns, 1);
    assert_int_equal(copy->ops[0].max_ns, 1);
    workload_stretch_op(copy, 0, &w->ops[0], workload_longest_block(&w->ops[0]));
    assert_null(workload_difference(w, copy));
    gcast_workload_free(copy);
    gcast_workload_free(w);
}

static void stretches_each_block(void **state)
{
    (void)state;
    gcast_workload *w = kernel((const int64_t[]){3, 10, 7}, GCAST_UNKNOWN_NS, GCAST_UNKNOWN_NS);
    gcast_workload *copy = support_workload_copy(w, NULL);
    assert_int_equal(workload_longest_block(&w->ops[0]), 10);
    workload_stretch_op(copy, 0, &w->ops[0], 15);
    assert_int_equal(copy->ops[0].block_ns[0], 5); /* 4.5 */
    assert_int_equal(copy->ops[0].block_ns[1], 15);
    assert_int_equal(copy->ops[0].block_ns[2], 11); /* 10.5 */
    workload_stretch_op(copy, 0, &w->ops[0], 10);
    assert_null(workload_difference(w, copy));
    gcast_workload_free(copy);
    gcast_workload_free(w);
}

static void a_copy_by_bytes_gets_a_duration(void **state)
{
    (void)state;
    gcast_workload *w = support_workload("", NULL);
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.stream = support_get_stream(w, 1, NULL);
    op.bytes = 100;
    support_add_op(w, &op, NULL);
    gcast_workload *copy = support_workload_copy(w, NULL);
    workload_stretch_op(copy, 0, &w->ops[0], 1);
    assert_int_equal(copy->ops[0].min_ns, 1);
    assert_int_equal(copy->ops[0].max_ns, 1);
    workload_stretch_op(copy, 0, &w->ops[0], workload_longest_block(&w->ops[0]));
    assert_null(workload_difference(w, copy));
    gcast_workload_free(copy);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_the_same),
        cmocka_unit_test(stretches_the_original),
        cmocka_unit_test(stretches_each_block),
        cmocka_unit_test(a_copy_by_bytes_gets_a_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/sample_run.h"
#include "support/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *parsed(const gcast_run *run, bool blocks)
{
    gcast_report_options o = gcast_report_options_default();
    json_error_t err;
    o.blocks = blocks;
    sample_text t = sample_report(run, GCAST_FORMAT_JSON, &o);
    json_t *root = json_loadb(t.data, t.size, JSON_REJECT_DUPLICATES, &err);
    if (!root)
        print_error("%d:%d: %s\n", err.line, err.column, err.text);
    assert_non_null(root);
    free(t.data);
    return root;
}

static int64_t number(json_t *o, const char *key)
{
    assert_true(json_is_integer(json_object_get(o, key)));
    return json_integer_value(json_object_get(o, key));
}

static void as_the_schema_says(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    json_t *root = parsed(sample_run(s), true);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "gridcast.run/1");
    assert_string_equal(json_string_value(json_object_get(root, "source")), "simulated");
    assert_string_equal(json_string_value(json_object_get(root, "gpu")), "sample");
    assert_int_equal(number(root, "sms"), 2);
    json_t *ops = json_object_get(root, "ops");
    assert_int_equal(json_array_size(ops), 4);
    json_t *k3 = json_array_get(ops, 2);
    assert_string_equal(json_string_value(json_object_get(k3, "label")), "K3");
    assert_string_equal(json_string_value(json_object_get(k3, "kind")), "kernel");
    assert_int_equal(number(k3, "job"), 0);
    assert_int_equal(number(k3, "stream"), 3);
    assert_int_equal(number(k3, "call_ns"), 1000000);
    assert_int_equal(number(k3, "start_ns"), 4000000);
    assert_int_equal(number(k3, "end_ns"), 12000000);
    assert_null(json_object_get(k3, "skipped"));
    json_t *blocks = json_object_get(k3, "blocks"), *second = json_array_get(blocks, 1);
    assert_int_equal(json_array_size(blocks), 2);
    static const int64_t want[] = {0, 6000000, 12000000};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(json_integer_value(json_array_get(second, i)), want[i]);
    json_decref(root);
    root = parsed(sample_run(s), false);
    assert_null(json_object_get(json_array_get(json_object_get(root, "ops"), 0), "blocks"));
    json_decref(root);
    sample_free(s);
}

static void skipped_and_copies(void **state)
{
    (void)state;
    sample *s = sample_create("few", 1);
    int k = sample_kernel(s, "k", 1, 32, 1, 0);
    gcast_run_op *o = sample_op(s, k);
    o->skipped = true;
    o->call_ns = o->arrive_ns = o->head_ns = o->enter_ns = -1;
    sample_copy(s, "c", 1, 0, GCAST_H2D, 5, 9);
    json_t *root = parsed(sample_run(s), false);
    json_t *first = json_array_get(json_object_get(root, "ops"), 0);
    assert_true(json_is_true(json_object_get(first, "skipped")));
    assert_null(json_object_get(first, "start_ns"));
    assert_null(json_object_get(first, "call_ns"));
    json_t *copy = json_array_get(json_object_get(root, "ops"), 1);
    assert_string_equal(json_string_value(json_object_get(copy, "kind")), "copy");
    assert_int_equal(number(copy, "end_ns"), 9);
    json_decref(root);
    sample_free(s);
}

static void hostile_labels(void **state)
{
    (void)state;
    sample *s = sample_create("\"}\n\\", 1);
    sample_kernel(s, "\x01\"]}\xff\xe2\x80\xa8</script>", 1, 32, 1, 0);
    json_t *root = parsed(sample_run(s), false);
    assert_string_equal(json_string_value(json_object_get(root, "workload")), "\"}\n\\");
    json_t *op = json_array_get(json_object_get(root, "ops"), 0);
    assert_string_equal(json_string_value(json_object_get(op, "label")), "\x01\"]}\xef\xbf\xbd\xe2\x80\xa8</script>");
    json_decref(root);
    sample_free(s);
}

static void any_run_parses(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        sample *s = sample_random(seed);
        const gcast_run *run = sample_run(s);
        json_t *root = parsed(run, run->blocks_recorded);
        assert_int_equal(json_array_size(json_object_get(root, "ops")), run->op_count);
        json_decref(root);
        sample_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_schema_says),
        cmocka_unit_test(skipped_and_copies),
        cmocka_unit_test(hostile_labels),
        cmocka_unit_test(any_run_parses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

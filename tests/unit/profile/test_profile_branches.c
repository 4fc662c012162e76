/* Graphs with branches: in which stream they are launched, and in which order their nodes are queued. */
#include <string.h>

#include "gridcast/simulate.h"
#include "support/small_trace.h"
#include "whatif/whatif.h"

#define GPU "h200"

static int64_t launch(prof_trace *t, int64_t start_ns)
{
    return small_call(t, 7, "cudaGraphLaunch", start_ns, start_ns + 5000);
}

/* Two branches of two nodes each, in two streams; which of them starts first differs from launch to launch. */
static void branches(prof_trace *t, int64_t call, int64_t at, int64_t left_ns, int64_t right_ns)
{
    small_node(t, 9, call, "a1", 1, at + left_ns, at + left_ns + 10000);
    small_node(t, 9, call, "a2", 2, at + left_ns + 11000, at + left_ns + 21000);
    small_node(t, 5, call, "b1", 3, at + right_ns, at + right_ns + 10000);
    small_node(t, 5, call, "b2", 4, at + right_ns + 11000, at + right_ns + 21000);
}

/* As many nodes in each stream: all launches are in the same one all the same. */
static void test_one_stream(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    for (int i = 0; i < 4; i++)
        branches(t, launch(t, i * 100000), i * 100000 + 7000, i % 2 ? 0 : 3000, i % 2 ? 3000 : 0);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_int_equal(w->graph_count, 4);
    assert_int_equal(w->stream_count, 1);
    assert_int_equal(w->streams[0].id, 5); /* the older of the two */
    assert_int_equal(small_found(&m, "without a stream in the profile"), 4);
    small_made_free(&m);
}

/* A stream that the program uses otherwise, even outside of the launches, is no stream of the driver. */
static void test_named_stream(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    small_kernel(t, 9, small_call(t, 7, "cudaLaunchKernel", 0, 1000), "x", 1, 2000, 3000);
    branches(t, launch(t, 100000), 107000, 0, 3000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_int_equal(m.made.workload->stream_count, 1);
    assert_int_equal(m.made.workload->streams[0].id, 9);
    small_made_free(&m);
}

static void assert_order(const gcast_workload *w, const char *wanted)
{
    char list[256] = "";
    for (size_t i = 0; i < w->op_count; i++) {
        strcat(list, i ? " " : "");
        strcat(list, w->ops[i].label);
    }
    assert_string_equal(list, wanted);
}

/* Nodes are queued as they were made, whichever started first; so that with one connection the second branch waits for
 * the first. */
static void test_order(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    branches(t, launch(t, 0), 7000, 3000, 0);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_order(m.made.workload, "a1 a2 b1 b2");
    assert_order(m.made.recorded, "a1 a2 b1 b2");
    assert_int_equal(small_found(&m, "have no numbers"), 0);
    small_made_free(&m);
}

/* A node that was made before what it is after comes behind it all the same. */
static void test_order_of_edges(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    small_node(t, 5, call, "late", 1, 30000, 40000);
    small_node(t, 5, call, "first", 2, 10000, 20000);
    small_node(t, 5, call, "next", 3, 20500, 29500);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_order(m.made.workload, "first next late");
    assert_int_equal(small_op(m.made.workload, "late")->after_count, 1);
    small_made_free(&m);
}

static void test_without_numbers(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    small_kernel(t, 5, call, "a", 1, 10000, 20000);
    small_kernel(t, 5, call, "b", 1, 20400, 30000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_order(m.made.workload, "a b");
    assert_int_equal(small_found(&m, "have no numbers"), 1);
    small_made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_stream),     cmocka_unit_test(test_named_stream),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_order_of_edges), cmocka_unit_test(test_without_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* From a trace to a workload: times of calls, waits, block durations, parts. */
#include <string.h>

#include "gridcast/simulate.h"
#include "support/small_trace.h"

#define GPU "sms:2 cc:9.0 launch:5us copy:5us handover:100ns gap:1us"

/* Launches arrive at the return of their call and the median lag of 2 us, and no later than they start. */
static void test_calls(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    for (int i = 0; i < 3; i++) {
        int64_t at_ns = 1000000 * (i + 1);
        int64_t c = small_call(t, 7, "cudaLaunchKernel_v7000", at_ns, at_ns + 10000);
        small_kernel(t, 5, c, "a", 1, at_ns + (i == 1 ? 6000 : 12000), at_ns + 50000);
    }
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_int_equal(w->op_count, 3);
    assert_int_equal(w->host_count, 1);
    assert_string_equal(w->hosts[0], "thread 7");
    assert_int_equal(w->streams[0].id, 5);
    assert_int_equal(small_op(w, "a")->release_ns, 0);
    assert_int_equal(small_op(w, "a#2")->delay_ns, 1000000 - 6000); /* it started 6 us before the others would have */
    assert_int_equal(small_op(w, "a#3")->delay_ns, 1000000 + 6000);
    assert_int_equal(m.made.run->ops[0].start_ns, 5000); /* the launch latency */
    assert_int_equal(m.made.run->ops[1].start_ns - m.made.run->ops[0].start_ns, 994000);
    small_made_free(&m);
}

/* A wait returns when what it waits for ends; a wait that returned before is a pause. */
static void test_waits(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = small_call(t, 7, "cudaLaunchKernel", 0, 1000);
    small_kernel(t, 5, a, "a", 1, 3000, 103000);
    small_call(t, 7, "cudaDeviceSynchronize", 10000, 110000);
    int64_t b = small_call(t, 7, "cudaLaunchKernel", 120000, 121000);
    small_kernel(t, 5, b, "b", 1, 123000, 223000);
    int64_t stream = small_call(t, 7, "cudaStreamSynchronize", 130000, 140000); /* of another stream, but not told */
    int64_t told = small_call(t, 7, "cudaStreamSynchronize", 150000, 230000);
    small_tell(t, told, 5, PROF_UNKNOWN, PROF_UNKNOWN);
    small_call(t, 7, "cudaFree", 240000, 240500);
    (void)stream;
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_int_equal(w->op_count, 5);
    assert_int_equal(small_op(w, "device-sync")->delay_ns, 10000 - (3000 - 5000));
    assert_int_equal(small_op(w, "b")->delay_ns, 123000 - 5000 - 103000); /* from the end of a */
    assert_int_equal(small_op(w, "stream-sync")->stream, 0);
    assert_int_equal(small_op(w, "free")->kind, GCAST_KIND_FREE);
    assert_int_equal(small_op(w, "free")->delay_ns, 240000 - 223000);
    assert_int_equal(small_found(&m, "{wait} for a stream: the profile does not say which; it becomes a pause"), 1);
    small_made_free(&m);
}

/* What cudaMemcpy copies is done when the call returns; copies of page-locked memory are not waited for. */
static void test_copies(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = small_call(t, 7, "cudaMemcpy", 0, 20000);
    small_copy(t, 5, a, false, 8000, 18000);
    int64_t b = small_call(t, 7, "cudaMemcpyAsync", 30000, 50000);
    small_copy(t, 5, b, false, 38000, 48000);
    int64_t c = small_call(t, 7, "cudaMemcpyAsync", 60000, 80000);
    small_copy(t, 5, c, true, 68000, 78000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_true(small_op(w, "h2d")->host_waits);
    assert_false(small_op(w, "h2d#2")->host_waits);
    assert_true(small_op(w, "h2d#3")->host_waits);
    assert_int_equal(small_op(w, "h2d#2")->delay_ns, 38000 - 5000 - 18000);
    assert_int_equal(small_op(w, "h2d")->max_ns, 10000);
    assert_int_equal(small_op(w, "h2d")->bytes, 4096);
    small_made_free(&m);
}

/* 2 SMs hold 8 blocks of 256 threads each: 40 blocks are 3 waves with 2 hand-overs. */
static void test_durations(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = small_call(t, 7, "cudaLaunchKernel", 0, 1000), b = small_call(t, 7, "cudaLaunchKernel", 2000, 3000);
    small_kernel(t, 5, a, "void ns::k<int>(float*)", 40, 3000, 3000 + 3 * 10000 + 200);
    small_kernel(t, 5, b, "void ns::k<float>(float*)", 16, 50000, 70000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_int_equal(small_op(m.made.workload, "k")->max_ns, 10000);
    assert_int_equal(small_op(m.made.workload, "k.2")->max_ns, 20000);
    assert_int_equal(small_found(&m, "fit on the GPU at once"), 1);
    gcast_run *run;
    gcast_error err;
    assert_ok(gcast_workload_simulate(m.made.workload, NULL, NULL, &run, &err), &err);
    assert_int_equal(run->ops[0].end_ns - run->ops[0].start_ns, 30200); /* as recorded */
    gcast_run_free(run);
    small_made_free(&m);
}

/* Launches of one name give an interval, whatever their grids. */
static void test_intervals(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = small_call(t, 7, "cudaLaunchKernel", 0, 1000), b = small_call(t, 7, "cudaLaunchKernel", 2000, 3000);
    small_kernel(t, 5, a, "k", 16, 3000, 13000);
    small_kernel(t, 5, b, "k", 32, 50000, 50000 + 2 * 12000 + 100);
    prof_make_options options = prof_make_options_default();
    options.durations = PROF_DURATIONS_KERNEL;
    small_made m = small_make(t, GPU, options);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(m.made.workload->ops[i].min_ns, 10000);
        assert_int_equal(m.made.workload->ops[i].max_ns, 12000);
    }
    small_made_free(&m);
}

/* A kernel that others slowed down takes as long as the shortest launch alone; another that never ran alone is told. */
static void test_beside(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t c[4];
    for (int i = 0; i < 4; i++)
        c[i] = small_call(t, 7, "cudaLaunchKernel", 1000 * i, 1000 * i + 500);
    small_kernel(t, 5, c[0], "a", 4, 10000, 20000);
    small_kernel(t, 5, c[1], "a", 4, 30000, 48000);
    small_kernel(t, 6, c[2], "b", 4, 31000, 47000);
    small_kernel(t, 5, c[3], "a", 8, 60000, 90000); /* another shape */
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_int_equal(small_op(m.made.workload, "a")->max_ns, 10000);
    assert_int_equal(small_op(m.made.workload, "a#2")->max_ns, 10000);
    assert_int_equal(small_op(m.made.workload, "a#3")->max_ns, 30000);
    assert_int_equal(small_op(m.made.workload, "b")->max_ns, 16000);
    assert_int_equal(small_found(&m, "those of the shortest launch"), 1);
    assert_int_equal(small_found(&m, "never alone"), 1);
    small_made_free(&m);
}

/* Operations without a call are released when they started, and before later ones of their stream were called. */
static void test_lone(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t c = small_call(t, 7, "cudaLaunchKernel", 20000, 21000);
    small_kernel(t, 5, PROF_UNKNOWN, "first", 1, 10000, 90000);
    small_kernel(t, 5, 4711, "second", 1, 91000, 95000); /* of a call that is not there */
    small_kernel(t, 5, c, "third", 1, 96000, 99000);
    small_kernel(t, 5, PROF_UNKNOWN, "fourth", 1, 200000, 210000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    const char *order[] = {"first", "second", "third", "fourth"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(w->ops[i].label, order[i]);
    assert_int_equal(w->ops[0].host, GCAST_NO_HOST);
    assert_int_equal(w->ops[1].release_ns + 1, w->ops[2].release_ns);
    assert_int_equal(w->ops[3].release_ns - w->ops[0].release_ns, 190000);
    assert_int_equal(small_found(&m, "without a recorded call"), 3);
    small_made_free(&m);
}

/* The GPU was idle before one without a call, whose successor had been called long before: it is not early. */
static void test_lone_after_a_pause(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t c = small_call(t, 7, "cudaLaunchKernel", 20000, 21000);
    small_kernel(t, 5, PROF_UNKNOWN, "first", 1, 10000, 19000);
    small_kernel(t, 5, PROF_UNKNOWN, "second", 1, 57000000, 57100000);
    small_kernel(t, 5, c, "third", 1, 57101000, 57200000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_workload_simulate(m.made.workload, m.gpu, &options, &run, &err), &err);
    assert_in_range(run->ops[1].start_ns - run->ops[0].start_ns, 57000000 - 10000 - 1000, 57000000 - 10000 + 1000);
    gcast_run_free(run);
    small_made_free(&m);
}

/* What is assumed about connections is told, where several streams have kernels. */
static void test_connections(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        prof_trace *t = small_trace();
        prof_make_options options = prof_make_options_default();
        int64_t a = small_call(t, 7, "cudaLaunchKernel", 0, 1000), b = small_call(t, 7, "cudaLaunchKernel", 2000, 3000);
        small_kernel(t, 5, a, "a", 1, 4000, 9000);
        small_kernel(t, 6, b, "b", 1, 5000, 9000);
        options.connections = given;
        small_made m = small_make(t, "h200", options);
        assert_int_equal(small_found(&m, "connections assumed"), !given);
        assert_int_equal(m.made.workload->connections, given ? 1 : -1);
        small_made_free(&m);
    }
}

/* The operations of a graph are called at once, in the order of their starts. */
static void test_graphs(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t c = small_call(t, 7, "cudaGraphLaunch_v10000", 0, 50000);
    small_kernel(t, 5, c, "b", 1, 30000, 34000);
    small_kernel(t, 5, c, "a", 1, 20000, 29000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_string_equal(w->ops[0].label, "a");
    assert_int_equal(w->ops[1].delay_ns, 0);
    assert_int_equal(w->ops[1].host, 0);
    assert_int_equal(m.made.run->ops[1].call_ns, m.made.run->ops[0].call_ns);
    assert_int_equal(small_found(&m, "{graph launch} without edges in the profile"), 1);
    small_made_free(&m);
}

/* A clock of the GPU that is behind the host's: no time of the run is negative. */
static void test_clocks(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = small_call(t, 7, "cudaLaunchKernel", 100000, 101000),
            b = small_call(t, 7, "cudaMemcpy", 102000, 150000);
    small_kernel(t, 5, a, "a", 1, 102000, 140000);
    small_copy(t, 6, b, false, 20000, 60000); /* long before its call */
    small_made m = small_make(t, GPU, prof_make_options_default());
    for (size_t i = 0; i < 2; i++)
        assert_true(m.made.run->ops[i].start_ns >= 0 && m.made.run->ops[i].call_ns >= 0);
    small_made_free(&m);
}

static prof_trace *three_launches(void)
{
    prof_trace *t = small_trace();
    prof_range range = {.kind = PROF_RANGE_NVTX, .name = prof_trace_text(t, "part", 4), .start_ns = 90000};
    for (int i = 0; i < 3; i++) {
        int64_t c = small_call(t, 7, "cudaLaunchKernel", 100000 * i, 100000 * i + 1000);
        small_kernel(t, 5, c, "k", 1, 100000 * i + 3000, 100000 * i + 99000 + (i == 0 ? 10000 : 0));
    }
    int64_t other = small_call(t, 8, "cudaLaunchKernel", 100500, 101500);
    small_kernel(t, 6, other, "other", 1, 110000, 120000);
    range.end_ns = 190000;
    assert_true(prof_get_thread(t, 1, 7, &range.thread) && prof_add_range(t, &range));
    range.start_ns = 190000;
    range.end_ns = 300000;
    range.thread = PROF_NONE;
    assert_true(prof_add_range(t, &range));
    return t;
}

/* A part is of calls: by time, or by the thread in a range. */
static void test_parts(void **state)
{
    (void)state;
    prof_make_options options = prof_make_options_default();
    options.from_ns = 50000;
    options.to_ns = 150000;
    small_made m = small_make(three_launches(), GPU, options);
    assert_int_equal(m.made.workload->op_count, 2);
    assert_int_equal(small_found(&m, "outside of the selected part"), 1); /* the first kernel ran on */
    small_made_free(&m);
    options = prof_make_options_default();
    options.range = "part";
    options.range_number = 1;
    m = small_make(three_launches(), GPU, options);
    assert_int_equal(m.made.workload->op_count, 1);
    assert_int_equal(m.made.run->ops[0].end_ns - m.made.run->ops[0].start_ns, 96000);
    small_made_free(&m);
    options.range_number = 2;
    m = small_make(three_launches(), GPU, options);
    assert_int_equal(m.made.workload->op_count, 1);
    small_made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),       cmocka_unit_test(test_waits),
        cmocka_unit_test(test_copies),      cmocka_unit_test(test_durations),
        cmocka_unit_test(test_intervals),   cmocka_unit_test(test_beside),
        cmocka_unit_test(test_lone),        cmocka_unit_test(test_lone_after_a_pause),
        cmocka_unit_test(test_connections), cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

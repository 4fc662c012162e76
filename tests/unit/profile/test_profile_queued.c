/* What operations that waited in queues, hardware queues and events of a profile tell: how long operations hold their
 * stream, how many connections there were, what events cost a host. */
#include "gridcast/simulate.h"
#include "support/small_trace.h"

#define GPU "h200"

static int64_t launch(prof_trace *t, int64_t start_ns)
{
    return small_call(t, 7, "cudaLaunchKernel", start_ns, start_ns + 1000);
}

static prof_op on_channel(int channel, int64_t start_ns, int64_t end_ns)
{
    prof_op op = prof_op_untold(GCAST_KIND_KERNEL);
    op.grid[0] = op.grid[1] = op.grid[2] = 1;
    op.block[0] = 64, op.block[1] = op.block[2] = 1;
    op.registers = 16;
    op.static_smem = op.dynamic_smem = 0;
    op.channel = channel;
    op.start_ns = start_ns;
    op.end_ns = end_ns;
    return op;
}

/* Seven kernels in a queue follow each other after 1.1 us, where blocks do after 1.6: spans are 0.5 us too wide. */
static void test_excess(void **state)
{
    (void)state;
    for (int count = 5; count <= 7; count += 2) { /* four gaps say nothing */
        prof_trace *t = small_trace();
        int64_t calls[7];
        for (int i = 0; i < count; i++)
            calls[i] = launch(t, 2000 * i);
        for (int i = 0; i < count; i++)
            small_kernel(t, 5, calls[i], "k", 1, 20000 + 21100 * i, 40000 + 21100 * i);
        small_made m = small_make(t, GPU, prof_make_options_default());
        assert_int_equal(m.gpu->stream_gap_ns, 1600);
        assert_int_equal(m.made.workload->ops[3].max_ns, count == 7 ? 19500 : 20000);
        small_made_free(&m);
    }
}

/* A copy that waited in the queue started 5 us after the kernel, and a kernel 4 us after the copy. */
static void test_held(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t a = launch(t, 0), b = small_call(t, 7, "cudaMemcpyAsync", 2000, 3000), c = launch(t, 4000);
    small_kernel(t, 5, a, "a", 1, 5000, 25000);
    small_copy(t, 5, b, false, 30000, 40000);
    small_kernel(t, 5, c, "c", 1, 44000, 54000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    int64_t gap = m.gpu->stream_gap_ns;
    assert_int_equal(small_op(m.made.workload, "h2d")->max_ns, 10000 + (5000 - gap) + (4000 - gap));
    gcast_run *run;
    gcast_error err;
    assert_ok(gcast_workload_simulate(m.made.workload, NULL, NULL, &run, &err), &err);
    assert_int_equal(run->ops[2].start_ns - run->ops[0].start_ns, 44000 - 5000); /* as recorded */
    gcast_run_free(run);
    small_made_free(&m);
}

/* Streams 5 and 7 have one hardware queue at the same time, so that there were no more than the two that are seen. */
static void test_connections(void **state)
{
    (void)state;
    for (int overlap = 0; overlap < 2; overlap++) {
        prof_trace *t = small_trace();
        int64_t late_ns = overlap ? 0 : 100000; /* else a stream may have got the queue of one that was destroyed */
        for (int i = 0; i < 3; i++)
            small_op_of(t, 5 + i, launch(t, 2000 * i + (i == 2) * late_ns), "k",
                        on_channel(i % 2, 10000 + i + (i == 2) * late_ns, 50000 + (i == 2) * late_ns));
        small_made m = small_make(t, GPU, prof_make_options_default());
        assert_int_equal(m.made.workload->connections, overlap ? 2 : -1);
        small_made_free(&m);
    }
}

/* Pauses with events are 30 us, others 10: 20 us go to events. */
static void test_event_pauses(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t at_ns = 0;
    for (int i = 0; i < 8; i++) {
        bool has_event = i == 4;
        if (has_event) {
            small_call(t, 7, "cudaEventRecord", at_ns + 2000, at_ns + 4000);
            small_call(t, 7, "cudaStreamWaitEvent", at_ns + 5000, at_ns + 8000);
        }
        at_ns += has_event ? 20000 : 0;
        small_kernel(t, has_event ? 6 : 5, launch(t, at_ns), "k", 1, at_ns + 3000, at_ns + 4000);
        at_ns += 10000;
    }
    small_made m = small_make(t, GPU, prof_make_options_default());
    for (int i = 0; i < 8; i++)
        assert_int_equal(m.made.workload->ops[i].event_pause_ns, i == 4 ? 20000 : 0);
    assert_int_equal(m.made.workload->ops[4].delay_ns, 30000);
    small_made_free(&m);
}

/* A process that had 66 of the GPU's SMs: waves are counted on these, and the workload has them. */
static void test_partition(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    small_kernel(t, 5, launch(t, 0), "k", 132 * 8, 3000, 23000 + 300);
    prof_make_options options = prof_make_options_default();
    gcast_gpu *half;
    gcast_error err;
    assert_ok(gcast_gpu_load(GPU, &half, &err), &err);
    assert_ok(gcast_gpu_partition(half, 66, &err), &err);
    options.recorded_on = half;
    options.partition_sms = 66;
    small_made m = small_make(t, GPU, options);
    assert_int_equal(m.made.workload->partition_sms, 66);
    assert_in_range(m.made.workload->ops[0].max_ns, 9900, 10200); /* two waves */
    assert_int_equal(m.made.run->gpu->sms, 66);
    gcast_gpu_free(half);
    small_made_free(&m);
}

/* CUPTI may tell less shared memory of an SM than a block has, which cannot be. */
static void test_impossible_carveout(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    prof_op op = on_channel(0, 3000, 13000);
    op.grid[0] = 300;
    op.dynamic_smem = 65536;
    op.smem_executed = 32768;
    small_op_of(t, 5, launch(t, 0), "k", op);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_int_equal(small_op(m.made.workload, "k")->max_ns, 10000); /* three blocks an SM, one wave */
    small_made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excess),      cmocka_unit_test(test_held),
        cmocka_unit_test(test_connections), cmocka_unit_test(test_event_pauses),
        cmocka_unit_test(test_partition),   cmocka_unit_test(test_impossible_carveout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

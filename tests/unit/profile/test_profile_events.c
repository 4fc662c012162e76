/* Which operations wait for which: told, open, inferred from times. */
#include "support/small_trace.h"

#define GPU "sms:2 cc:9.0"

/* a in stream 5, a record behind it, a wait in front of b in stream 6; and c in stream 5 behind the record. */
typedef struct program {
    prof_trace *t;
    int64_t record, wait;
} program;

static program events(int64_t b_start_ns)
{
    program p = {.t = small_trace()};
    int64_t a = small_call(p.t, 7, "cudaLaunchKernel", 0, 1000);
    p.record = small_call(p.t, 7, "cudaEventRecord", 1500, 1700);
    int64_t c = small_call(p.t, 7, "cudaLaunchKernel", 2000, 3000);
    p.wait = small_call(p.t, 7, "cudaStreamWaitEvent", 3500, 3700);
    int64_t b = small_call(p.t, 7, "cudaLaunchKernel", 4000, 5000);
    small_kernel(p.t, 5, a, "a", 1, 3000, 100000);
    small_kernel(p.t, 5, c, "c", 1, 101000, 300000);
    small_kernel(p.t, 6, b, "b", 1, b_start_ns, b_start_ns + 50000);
    return p;
}

static void assert_after(const small_made *m, const char *op, const char *before)
{
    const gcast_workload *both[] = {m->made.workload, m->made.recorded};
    for (int i = 0; i < 2; i++) {
        const gcast_op *x = small_op(both[i], op);
        assert_int_equal(x->after_count, before ? 1 : 0);
        if (before)
            assert_string_equal(both[i]->ops[x->after[0]].label, before);
    }
}

static void test_told(void **state)
{
    (void)state;
    program p = events(102000);
    small_tell(p.t, p.wait, 6, p.record, 5);
    small_made m = small_make(p.t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a"); /* not c, which was called after the record */
    assert_after(&m, "c", NULL);
    assert_int_equal(small_found(&m, "dependency"), 0);
    small_made_free(&m);
}

/* d in stream 8, and in front of b waits for what was recorded behind a, behind d, and behind c. */
static void test_several(void **state)
{
    (void)state;
    program p = {.t = small_trace()};
    int64_t a = small_call(p.t, 7, "cudaLaunchKernel", 0, 100);
    int64_t record_a = small_call(p.t, 7, "cudaEventRecord", 150, 170);
    int64_t c = small_call(p.t, 7, "cudaLaunchKernel", 200, 300);
    int64_t record_c = small_call(p.t, 7, "cudaEventRecord", 350, 370);
    int64_t d = small_call(p.t, 7, "cudaLaunchKernel", 400, 500);
    int64_t record_d = small_call(p.t, 7, "cudaEventRecord", 550, 570);
    int64_t wait_c = small_call(p.t, 7, "cudaStreamWaitEvent", 600, 610);
    int64_t wait_d = small_call(p.t, 7, "cudaStreamWaitEvent", 620, 630);
    int64_t wait_a = small_call(p.t, 7, "cudaStreamWaitEvent", 640, 650);
    int64_t b = small_call(p.t, 7, "cudaLaunchKernel", 700, 800);
    small_kernel(p.t, 5, a, "a", 1, 3000, 100000);
    small_kernel(p.t, 5, c, "c", 1, 101000, 300000);
    small_kernel(p.t, 8, d, "d", 1, 3000, 200000);
    small_kernel(p.t, 6, b, "b", 1, 302000, 350000);
    small_tell(p.t, wait_c, 6, record_c, 5);
    small_tell(p.t, wait_d, 6, record_d, 8);
    small_tell(p.t, wait_a, 6, record_a, 5);
    small_made m = small_make(p.t, GPU, prof_make_options_default());
    const gcast_op *op = small_op(m.made.workload, "b");
    assert_int_equal(op->after_count, 2); /* c implies a */
    for (size_t i = 0; i < op->after_count; i++) {
        const char *label = m.made.workload->ops[op->after[i]].label;
        assert_true(strcmp(label, "c") == 0 || strcmp(label, "d") == 0);
    }
    assert_int_equal(small_found(&m, "dependency"), 0);
    small_made_free(&m);
}

/* The thread's last record before the wait is taken. */
static void test_open(void **state)
{
    (void)state;
    program p = events(102000);
    small_tell(p.t, p.wait, 6, PROF_UNKNOWN, PROF_UNKNOWN);
    small_made m = small_make(p.t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_int_equal(small_found(&m, "{open dependency}: the profile does not say"), 1);
    small_made_free(&m);
    p = events(50000); /* while a ran */
    small_tell(p.t, p.wait, 6, PROF_UNKNOWN, PROF_UNKNOWN);
    m = small_make(p.t, GPU, prof_make_options_default());
    assert_after(&m, "b", NULL);
    assert_int_equal(small_found(&m, "{open dependency} contradicted"), 1);
    small_made_free(&m);
}

/* Nothing is told: b started 2 us after a ended, and was ready long before. */
static void test_inferred(void **state)
{
    (void)state;
    small_made m = small_make(events(102000).t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_int_equal(small_found(&m, "{dependency} inferred"), 1);
    assert_int_equal(small_found(&m, "does not say which event"), 1);
    small_made_free(&m);
    m = small_make(events(140000).t, GPU, prof_make_options_default()); /* 40 us later: for another reason */
    assert_after(&m, "b", NULL);
    small_made_free(&m);
    prof_make_options options = prof_make_options_default();
    options.events = PROF_EVENTS_TOLD;
    m = small_make(events(102000).t, GPU, options);
    assert_after(&m, "b", NULL);
    small_made_free(&m);
}

/* Of a part that begins behind a: b waited for what is not there, which is told. */
static void test_outside(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        program p = events(102000);
        if (told)
            small_tell(p.t, p.wait, 6, p.record, 5);
        prof_make_options options = prof_make_options_default();
        options.from_ns = 3200; /* only b's call, and the wait before it, which comes first */
        small_made m = small_make(p.t, GPU, options);
        assert_int_equal(m.made.workload->op_count, 1);
        assert_int_equal(small_found(&m, "may be outside of the selected part"), 1);
        assert_int_equal(small_found(&m, "but outside of the selected part"), 2); /* a ran when b was called */
        small_made_free(&m);
    }
    prof_make_options options = prof_make_options_default();
    options.from_ns = 3200;
    small_made m = small_make(events(50000).t, GPU, options); /* a had not ended: b cannot have waited for it */
    assert_int_equal(small_found(&m, "may be outside of the selected part"), 0);
    small_made_free(&m);
}

/* A wait for an event is one for its stream where nothing was called there after the record. */
static void test_event_sync(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        prof_trace *t = small_trace();
        int64_t a = small_call(t, 7, "cudaLaunchKernel", 0, 1000),
                record = small_call(t, 7, "cudaEventRecord", 1500, 1700);
        small_kernel(t, 5, a, "a", 1, 3000, 100000);
        if (i) {
            int64_t c = small_call(t, 7, "cudaLaunchKernel", 2000, 3000);
            small_kernel(t, 5, c, "c", 1, 101000, 300000);
        }
        int64_t wait = small_call(t, 7, "cudaEventSynchronize", 4000, 105000);
        small_tell(t, wait, PROF_UNKNOWN, record, 5);
        small_made m = small_make(t, GPU, prof_make_options_default());
        assert_int_equal(m.made.workload->op_count, 2);
        assert_int_equal(small_found(&m, "{wait} for an event that cannot become"), i);
        if (!i)
            assert_int_equal(small_op(m.made.workload, "stream-sync")->kind, GCAST_KIND_SYNC);
        small_made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),     cmocka_unit_test(test_several), cmocka_unit_test(test_open),
        cmocka_unit_test(test_inferred), cmocka_unit_test(test_outside), cmocka_unit_test(test_event_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

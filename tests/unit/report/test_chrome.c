#include "support/sample_run.h"
#include "support/support.h"
#include "support/trace.h"

#include <stdlib.h>
#include <string.h>

static void thesis(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    json_t *list = trace_events(sample_run(s), NULL), *e;
    trace_assert_tracks(list);
    trace_assert_flows(list);
    assert_int_equal(trace_count(list, "X"),
                     16 + 3 + 4 + 2 +
                         3); /* blocks, calls (two at once), kernels in streams, waits, for whom: K4 for K2, then K3 */
    assert_int_equal(trace_count(list, "s"), 4);
    assert_int_equal(trace_count(list, "f"), 4);
    size_t i;
    bool process = false, block = false, counter = false;
    json_array_foreach(list, i, e)
    {
        json_t *args = json_object_get(e, "args");
        if (strcmp(trace_word(e, "name"), "process_name") == 0 && trace_number(e, "pid") == 2)
            process = strcmp(trace_word(args, "name"), "SM 1") == 0;
        if (strcmp(trace_word(e, "ph"), "X") == 0 && trace_number(e, "pid") == 1 && trace_ns(e, "ts") == 4000000) {
            assert_string_equal(trace_word(e, "name"), "K2");
            assert_string_equal(trace_word(e, "cat"), "stream 2");
            assert_int_equal(trace_number(args, "block"), 6);
            assert_int_equal(trace_number(args, "threads"), 512);
            assert_int_equal(trace_ns(e, "dur"), 6000000);
            block = true;
        }
        if (strcmp(trace_word(e, "ph"), "C") == 0 && trace_number(e, "pid") == 1 && trace_ns(e, "ts") == 11000000) {
            assert_int_equal(trace_number(args, "threads"), 512);
            counter = true;
        }
    }
    assert_true(process && block && counter);
    json_decref(list);
    sample_free(s);
}

static void text_is_exact(void **state)
{
    (void)state;
    sample *s = sample_create("one", 1);
    int k = sample_kernel(s, "k", 1, 32, 1, 7);
    sample_block(s, k, 0, 0, 1001, 2500001);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_TRACE, NULL);
    /* as a double, 1.001 times 1000 is below 1001 */
    assert_non_null(
        strstr(t.data, "\"pid\": 1, \"tid\": 1, \"ts\": 1.0011, \"dur\": 2499.000, \"args\": {\"block\": 0"));
    assert_non_null(strstr(t.data, "{\"ph\": \"s\", \"name\": \"launch\", \"cat\": \"launch\", \"id\": 1, \"pid\": 2, "
                                   "\"tid\": 1, \"ts\": 0.007}"));
    free(t.data);
    sample_free(s);
}

static void tracks_of_any_run(void **state)
{
    (void)state;
    support_random r = {9};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sample *s = sample_random(seed);
        const gcast_run *run = sample_run(s);
        for (int part = 0; part < 3; part++) {
            gcast_report_options o = gcast_report_options_default();
            if (part && run->end_ns > 10) {
                o.from_ns = support_between(&r, 0, run->end_ns - 1);
                o.to_ns = o.from_ns + support_between(&r, 1, run->end_ns);
                o.first_sm = o.last_sm = (int)support_between(&r, 0, run->gpu->sms - 1);
                o.no_blocks = part == 2;
            }
            json_t *list = trace_events(run, &o);
            trace_assert_tracks(list);
            trace_assert_flows(list);
            json_decref(list);
        }
        sample_free(s);
    }
}

static void ranges(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    gcast_report_options o = gcast_report_options_default();
    o.first_sm = o.last_sm = 1;
    o.from_ns = 10500000;
    json_t *list = trace_events(sample_run(s), &o);
    assert_int_equal(trace_count(list, "X"), 3 + 2); /* K4 on SM 1; K3 and K4 in their streams */
    trace_assert_tracks(list);
    json_decref(list);
    sample_free(s);
}

static void hostile_and_without_blocks(void **state)
{
    (void)state;
    sample *s = sample_create("hostile", 1);
    static char huge[1 << 16];
    memset(huge, '"', sizeof huge - 1);
    int a = sample_kernel(s, "\xff\"}]\n", 1, 32, 1, 0), b = sample_kernel(s, huge, 1, 32, 1, 0);
    sample_times(s, a, 0, 100);
    sample_times(s, b, 50, 150); /* overlaps in its stream: a lane of its own */
    json_t *list = trace_events(sample_run(s), NULL);
    trace_assert_tracks(list);
    trace_assert_flows(list);
    assert_int_equal(trace_count(list, "X"), 1 + 2 + 2); /* the calls, the kernels, the wait of one of them */
    assert_int_equal(trace_count(list, "f"), 2);
    json_decref(list);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_TRACE, NULL);
    assert_true(t.size < 8000);
    free(t.data);
    sample_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thesis),
        cmocka_unit_test(text_is_exact),
        cmocka_unit_test(tracks_of_any_run),
        cmocka_unit_test(ranges),
        cmocka_unit_test(hostile_and_without_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

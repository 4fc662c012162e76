/* Calls, waits and deadlines in Chrome traces. */
#include "support/sample_run.h"
#include "support/support.h"
#include "support/trace.h"

#include <stdio.h>
#include <string.h>

static gcast_workload *read_workload(const char *text)
{
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_read(text, strlen(text), "test", NULL, &w, &err), &err);
    return w;
}

static json_t *simulated(const gcast_workload *w)
{
    gcast_error err;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_simulate(w, NULL, &options, &run, &err), &err);
    json_t *list = trace_events(run, NULL);
    trace_assert_tracks(list);
    trace_assert_flows(list);
    gcast_run_free(run);
    return list;
}

/* The thread of this name; asserts that there is one, and one only. */
static void find_thread(json_t *list, const char *name, int64_t *pid, int64_t *tid)
{
    size_t i, found = 0;
    json_t *e;
    json_array_foreach(list, i, e)
    {
        if (strcmp(trace_word(e, "name"), "thread_name") != 0 ||
            strcmp(trace_word(json_object_get(e, "args"), "name"), name) != 0)
            continue;
        *pid = trace_number(e, "pid");
        *tid = trace_number(e, "tid");
        found++;
    }
    assert_int_equal(found, 1);
}

static size_t threads_of(json_t *list, int64_t pid)
{
    size_t i, n = 0;
    json_t *e;
    json_array_foreach(list, i, e) n +=
        strcmp(trace_word(e, "name"), "thread_name") == 0 && trace_number(e, "pid") == pid;
    return n;
}

/* The n-th slice of a thread in the file. */
static json_t *slice_of(json_t *list, const char *thread, size_t n)
{
    int64_t pid, tid;
    size_t i;
    json_t *e;
    find_thread(list, thread, &pid, &tid);
    json_array_foreach(list, i, e)
    {
        if (strcmp(trace_word(e, "ph"), "X") == 0 && trace_number(e, "pid") == pid && trace_number(e, "tid") == tid &&
            n-- == 0)
            return e;
    }
    return NULL;
}

static void assert_slice(json_t *e, const char *name, int64_t start, int64_t end)
{
    assert_non_null(e);
    assert_string_equal(trace_word(e, "name"), name);
    assert_int_equal(trace_ns(e, "ts"), start);
    assert_int_equal(trace_ns(e, "ts") + trace_ns(e, "dur"), end);
}

/* Calls at one time take one thread, for any number of calls. */
static void calls_at_one_time(void **state)
{
    (void)state;
    sample *s = sample_create("calls", 2);
    for (int i = 0; i < 2000; i++) {
        char label[16];
        snprintf(label, sizeof label, "k%d", i);
        int k = sample_kernel(s, label, i + 1, 32, 1, i == 1999 ? 8 : 7);
        sample_block(s, k, 0, i % 2, 1000 * i + 8, 1000 * i + 900);
    }
    json_t *list = trace_events(sample_run(s), NULL), *e = slice_of(list, "releases", 0);
    trace_assert_tracks(list);
    assert_slice(e, "1999 calls", 7, 8);
    json_t *args = json_object_get(e, "args"), *labels = json_object_get(args, "labels");
    assert_int_equal(trace_number(args, "calls"), 1999);
    assert_int_equal(json_array_size(labels), 100);
    assert_string_equal(json_string_value(json_array_get(labels, 99)), "k99");
    assert_int_equal(trace_number(args, "not_named"), 1899);
    assert_slice(slice_of(list, "releases", 1), "k1999", 8, 9);
    assert_null(slice_of(list, "releases", 2));
    assert_int_equal(threads_of(list, trace_number(e, "pid")), 1);
    assert_int_equal(trace_count(list, "s"), 2000);
    json_decref(list);
    sample_free(s);
}

/* In a host thread, calls that do not wait are inside of one that does. */
static void calls_of_a_host(void **state)
{
    (void)state;
    gcast_workload *w = read_workload(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"a\", \"stream\": 1, \"host\": \"main\", \"grid\": 1, \"block\": 32, "
        "\"duration_ns\": 5000},"
        "{\"kind\": \"kernel\", \"label\": \"b\", \"stream\": 2, \"host\": \"main\", \"grid\": 1, \"block\": 32, "
        "\"duration_ns\": 3000},"
        "{\"kind\": \"sync\", \"label\": \"s\", \"stream\": 1, \"host\": \"main\"},"
        "{\"kind\": \"kernel\", \"label\": \"c\", \"stream\": 2, \"host\": \"main\", \"grid\": 1, \"block\": 32, "
        "\"duration_ns\": 3000}]}");
    json_t *list = simulated(w);
    assert_slice(slice_of(list, "main", 0), "s", 0, 5000);
    assert_slice(slice_of(list, "main", 1), "2 calls", 0, 1);
    assert_slice(slice_of(list, "main", 2), "c", 5000, 5001);
    assert_null(slice_of(list, "main", 3));
    json_decref(list);
    gcast_workload_free(w);
}

/* A wait is from the call, or from the end of the operation before it in its stream, to the start. */
static void waits_lead_operations(void **state)
{
    (void)state;
    gcast_workload *w = read_workload(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"K1\", \"stream\": 1, \"grid\": 8, \"block\": 512, \"duration_ns\": 5000},"
        "{\"kind\": \"kernel\", \"label\": \"K2\", \"stream\": 2, \"grid\": 12, \"block\": 512, \"duration_ns\": 4000},"
        "{\"kind\": \"kernel\", \"label\": \"K3\", \"stream\": 3, \"grid\": 1, \"block\": 512, \"duration_ns\": 2000},"
        "{\"kind\": \"kernel\", \"label\": \"K4\", \"stream\": 3, \"grid\": 1, \"block\": 512, \"duration_ns\": "
        "1000}]}");
    json_t *list = simulated(w), *e = slice_of(list, "stream 3", 0);
    assert_slice(slice_of(list, "stream 1", 0), "K1", 0, 5000);
    assert_slice(slice_of(list, "stream 2", 0), "waiting: K2", 0, 5000);
    assert_slice(slice_of(list, "stream 2", 1), "room", 0, 5000);
    assert_slice(slice_of(list, "stream 2", 2), "K2", 5000, 13000);
    assert_slice(e, "waiting: K3", 0, 9000);
    assert_int_equal(trace_ns(json_object_get(e, "args"), "waited_us"), 9000);
    e = slice_of(list, "stream 3", 1);
    assert_slice(e, "queue order", 0, 9000);
    assert_string_equal(trace_word(json_object_get(e, "args"), "behind"), "K2");
    assert_string_equal(trace_word(json_object_get(e, "args"), "why"),
                        "another kernel was first in the queue and still had blocks to start");
    assert_slice(slice_of(list, "stream 3", 2), "K3", 9000, 11000);
    assert_slice(slice_of(list, "stream 3", 3), "K4", 11000, 12000); /* it waited for K3 only, which is shown */
    assert_null(slice_of(list, "stream 3", 4));
    json_decref(list);
    gcast_workload_free(w);
}

static void deadlines(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
    assert_ok(gcast_workload_load(SOURCE_DIR "/tests/cases/simulate-deadline-missed/tasks.json", NULL, &w, &err), &err);
    json_t *list = simulated(w), *e = slice_of(list, "camera", 1), *args = json_object_get(e, "args");
    assert_slice(slice_of(list, "camera", 0), "camera#0", 0, 10000000);
    assert_slice(e, "MISSED camera#1", 10000000, 20000000);
    assert_true(json_is_true(json_object_get(args, "missed")));
    assert_int_equal(trace_ns(args, "response_us"), 12000000);
    assert_true(json_is_false(json_object_get(json_object_get(slice_of(list, "camera", 0), "args"), "missed")));
    assert_slice(slice_of(list, "map", 0), "MISSED map#0", 0, 12000000);
    /* each from the deadline to the end */
    assert_slice(slice_of(list, "missed deadlines", 0), "map#0 late by 7ms", 12000000, 19000000);
    e = slice_of(list, "missed deadlines", 1);
    assert_slice(e, "camera#1 late by 2ms", 20000000, 22000000);
    assert_int_equal(trace_ns(json_object_get(e, "args"), "deadline_us"), 20000000);
    assert_null(slice_of(list, "missed deadlines", 2));
    json_decref(list);
    gcast_workload_free(w);
}

/* Deadlines later than the next releases overlap: threads for some, not for thousands. */
static void deadlines_that_overlap(void **state)
{
    (void)state;
    gcast_workload *w = read_workload(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": ["
        "{\"name\": \"two\", \"stream\": 1, \"period_ns\": 1000, \"deadline_ns\": 1500, \"ops\": [{\"kind\": "
        "\"kernel\", \"label\": \"a\","
        " \"grid\": 1, \"block\": 32, \"duration_ns\": 100}]},"
        "{\"name\": \"many\", \"stream\": 2, \"period_ns\": 1000, \"deadline_ns\": 900000, \"ops\": [{\"kind\": "
        "\"kernel\", \"label\": \"b\","
        " \"grid\": 1, \"block\": 32, \"duration_ns\": 100}]},"
        "{\"name\": \"rare\", \"stream\": 3, \"period_ns\": 100000, \"deadline_ns\": 0, \"ops\": [{\"kind\": "
        "\"kernel\", \"label\": \"c\","
        " \"grid\": 1, \"block\": 32, \"duration_ns\": 100}]}]}");
    json_t *list = simulated(w);
    int64_t pid, tid;
    find_thread(list, "two (2)", &pid, &tid);
    find_thread(list, "many (16), others not shown", &pid, &tid);
    assert_int_equal(threads_of(list, pid), 2 + 16);
    json_decref(list);
    gcast_workload_free(w);
}

/* Jobs that are late at the same time have threads of their own. */
static void late_at_one_time(void **state)
{
    (void)state;
    gcast_workload *w = read_workload(
        "{\"schema\": \"gridcast.workload/1\", \"gpu\": \"tx2\", \"tasks\": ["
        "{\"name\": \"a\", \"stream\": 1, \"period_ns\": 9000, \"deadline_ns\": 1000, \"ops\": [{\"kind\": "
        "\"kernel\", \"label\": \"a\", \"grid\": 1, \"block\": 32, \"duration_ns\": 3000}]},"
        "{\"name\": \"b\", \"stream\": 2, \"period_ns\": 9000, \"deadline_ns\": 2000, \"ops\": [{\"kind\": "
        "\"kernel\", \"label\": \"b\", \"grid\": 1, \"block\": 32, \"duration_ns\": 4000}]}]}");
    json_t *list = simulated(w);
    assert_slice(slice_of(list, "missed deadlines", 0), "a#0 late by 2us", 1000, 3000);
    assert_slice(slice_of(list, "missed deadlines (2)", 0), "b#0 late by 2us", 2000, 4000);
    json_decref(list);
    gcast_workload_free(w);
}

/* What the examples have: children, dependencies, hosts, the NULL stream, copies, policies. */
static void traces_of_examples(void **state)
{
    (void)state;
    static const char *const names[] = {
        "01-one-kernel",   "02-copies",   "03-null-stream", "04-priorities",   "05-camera", "06-h200", "07-deadlines",
        "08-thesis-tasks", "09-carveout", "10-policies",    "11-dependencies", "children",  "thesis"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        gcast_error err;
        gcast_workload *w;
        snprintf(path, sizeof path, SOURCE_DIR "/examples/%s.json", names[i]);
        assert_ok(gcast_workload_load(path, NULL, &w, &err), &err);
        json_t *list = simulated(w);
        assert_true(trace_count(list, "X") > 2);
        json_decref(list);
        gcast_workload_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_at_one_time),      cmocka_unit_test(calls_of_a_host),
        cmocka_unit_test(waits_lead_operations),  cmocka_unit_test(deadlines),
        cmocka_unit_test(deadlines_that_overlap), cmocka_unit_test(late_at_one_time),
        cmocka_unit_test(traces_of_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

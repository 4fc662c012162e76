#include "support/sample_run.h"
#include "support/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static json_t *events(const gcast_run *run, const gcast_report_options *o)
{
    json_error_t err;
    sample_text t = sample_report(run, GCAST_FORMAT_TRACE, o);
    json_t *root = json_loadb(t.data, t.size, JSON_REJECT_DUPLICATES, &err);
    if (!root)
        print_error("%d:%d: %s\n", err.line, err.column, err.text);
    assert_non_null(root);
    free(t.data);
    json_t *list = json_incref(json_object_get(root, "traceEvents"));
    json_decref(root);
    return list;
}

static const char *word(json_t *e, const char *key)
{
    const char *s = json_string_value(json_object_get(e, key));
    return s ? s : "";
}

static int64_t number(json_t *e, const char *key)
{
    return json_integer_value(json_object_get(e, key));
}

/* Microseconds with three decimals are exact in a double here. */
static int64_t ns(json_t *e, const char *key)
{
    double us = json_number_value(json_object_get(e, key));
    return (int64_t)(us * 1000 + 0.5);
}

typedef struct slice {
    int64_t pid, tid, start, end;
} slice;

static int order(const void *a, const void *b)
{
    const slice *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* What Perfetto's importer wants: threads from 1, X with a duration, and no two slices of a thread overlapping. */
static void assert_tracks(json_t *list)
{
    VEC(slice) slices = {0};
    size_t i;
    json_t *e;
    json_array_foreach(list, i, e)
    {
        if (strcmp(word(e, "ph"), "X") != 0)
            continue;
        assert_true(json_is_number(json_object_get(e, "dur")));
        assert_true(number(e, "tid") >= 1);
        slice s = {number(e, "pid"), number(e, "tid"), ns(e, "ts"), ns(e, "ts") + ns(e, "dur")};
        assert_true(vec_push(&slices, s));
    }
    if (slices.count)
        qsort(slices.at, slices.count, sizeof *slices.at, order);
    for (i = 1; i < slices.count; i++)
        if (slices.at[i].pid == slices.at[i - 1].pid && slices.at[i].tid == slices.at[i - 1].tid)
            assert_true(slices.at[i].start >= slices.at[i - 1].end);
    vec_free(&slices);
}

/* Each arrow starts once and ends at most once, later or at the same time. */
static void assert_flows(json_t *list)
{
    size_t i, k;
    json_t *a, *b;
    json_array_foreach(list, i, a)
    {
        if (strcmp(word(a, "ph"), "f") != 0)
            continue;
        int starts = 0;
        assert_string_equal(word(a, "bp"), "e");
        json_array_foreach(list, k, b) if (strcmp(word(b, "ph"), "s") == 0 && number(b, "id") == number(a, "id"))
        {
            starts++;
            assert_true(ns(b, "ts") <= ns(a, "ts"));
        }
        assert_int_equal(starts, 1);
    }
}

static size_t count(json_t *list, const char *phase)
{
    size_t i, n = 0;
    json_t *e;
    json_array_foreach(list, i, e) n += strcmp(word(e, "ph"), phase) == 0;
    return n;
}

static void thesis(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    json_t *list = events(sample_run(s), NULL), *e;
    assert_tracks(list);
    assert_flows(list);
    assert_int_equal(count(list, "X"), 16 + 4 + 4); /* blocks, calls, kernels in streams */
    assert_int_equal(count(list, "s"), 4);
    assert_int_equal(count(list, "f"), 4);
    size_t i;
    bool process = false, block = false, counter = false;
    json_array_foreach(list, i, e)
    {
        json_t *args = json_object_get(e, "args");
        if (strcmp(word(e, "name"), "process_name") == 0 && number(e, "pid") == 2)
            process = strcmp(word(args, "name"), "SM 1") == 0;
        if (strcmp(word(e, "ph"), "X") == 0 && number(e, "pid") == 1 && ns(e, "ts") == 4000000) {
            assert_string_equal(word(e, "name"), "K2");
            assert_string_equal(word(e, "cat"), "stream 2");
            assert_int_equal(number(args, "block"), 6);
            assert_int_equal(number(args, "threads"), 512);
            assert_int_equal(ns(e, "dur"), 6000000);
            block = true;
        }
        if (strcmp(word(e, "ph"), "C") == 0 && number(e, "pid") == 1 && ns(e, "ts") == 11000000) {
            assert_int_equal(number(args, "threads"), 512);
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
    assert_non_null(
        strstr(t.data, "\"pid\": 1, \"tid\": 1, \"ts\": 1.001, \"dur\": 2499.000, \"args\": {\"block\": 0"));
    assert_non_null(strstr(t.data, "{\"ph\": \"s\", \"name\": \"launch\", \"cat\": \"launch\", \"id\": 1, \"pid\": 2, "
                                   "\"tid\": 1, \"ts\": 0.007}"));
    free(t.data);
    sample_free(s);
}

static void tracks_of_any_run(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sample *s = sample_random(seed);
        json_t *list = events(sample_run(s), NULL);
        assert_tracks(list);
        assert_flows(list);
        json_decref(list);
        sample_free(s);
    }
}

static void ranges(void **state)
{
    (void)state;
    sample *s = sample_thesis();
    gcast_report_options o = gcast_report_defaults();
    o.first_sm = o.last_sm = 1;
    o.from_ns = 10500000;
    json_t *list = events(sample_run(s), &o);
    assert_int_equal(count(list, "X"), 3 + 2); /* K4 on SM 1; K3 and K4 in their streams */
    assert_tracks(list);
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
    json_t *list = events(sample_run(s), NULL);
    assert_tracks(list);
    assert_flows(list);
    assert_int_equal(count(list, "X"), 4);
    assert_int_equal(count(list, "f"), 2);
    json_decref(list);
    sample_text t = sample_report(sample_run(s), GCAST_FORMAT_TRACE, NULL);
    assert_true(t.size < 5000);
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

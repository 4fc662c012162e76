/* Logs for the examiner's viewers compared with a real one from a Jetson TX2: keys, their order and their types must be
 * equal, and times exact. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/examiner_log.h"
#include "support/support.h"

typedef struct bytes {
    char *at;
    size_t size;
} bytes;

static bool collect(void *data, const char *piece, size_t size)
{
    bytes *b = data;
    b->at = realloc(b->at, b->size + size + 1);
    memcpy(b->at + b->size, piece, size);
    b->size += size;
    b->at[b->size] = '\0';
    return true;
}

static bool refuse(void *data, const char *piece, size_t size)
{
    (void)data, (void)piece, (void)size;
    return false;
}

static gcast_workload *workload(const char *text)
{
    gcast_error err;
    gcast_workload *w = NULL;
    assert_ok(gcast_workload_read(text, strlen(text), "test", NULL, &w, &err), &err);
    return w;
}

static gcast_run *simulate(const gcast_workload *w, bool blocks)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = blocks;
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    gcast_gpu_free(gpu);
    return run;
}

static json_t *log_of(const gcast_run *run, int stream, bytes *b)
{
    gcast_error err;
    json_error_t why;
    *b = (bytes){0};
    assert_ok(gcast_run_report_examiner_log(run, stream, collect, b, &err), &err);
    json_t *log = json_loadb(b->at, b->size, 0, &why);
    assert_non_null(log);
    return log;
}

static void assert_same_keys(json_t *written, json_t *recorded)
{
    void *m = json_object_iter(written), *r = json_object_iter(recorded);
    while (m && r) {
        assert_string_equal(json_object_iter_key(m), json_object_iter_key(r));
        json_t *a = json_object_iter_value(m), *b = json_object_iter_value(r);
        assert_int_equal(json_typeof(a), json_typeof(b));
        if (json_is_array(a) && json_array_size(a) && json_array_size(b))
            assert_int_equal(json_typeof(json_array_get(a, 0)), json_typeof(json_array_get(b, 0)));
        m = json_object_iter_next(written, m);
        r = json_object_iter_next(recorded, r);
    }
    assert_null(m);
    assert_null(r);
}

static void test_like_a_real_log(void **state)
{
    (void)state;
    json_error_t why;
    size_t size;
    bytes b;
    char *text = support_read("tests/data/tx2/concurrent_1st_1.json", &size);
    json_t *recorded = json_loadb(text, size, 0, &why);
    assert_non_null(recorded);
    gcast_workload *w =
        workload("{\"schema\": \"gridcast.workload/1\", \"name\": \"one \\\"kernel\\\"\", \"ops\": ["
                 "{\"kind\": \"copy\", \"label\": \"in\", \"stream\": 1, \"direction\": \"h2d\", \"duration_ns\": 7},"
                 "{\"kind\": \"kernel\", \"label\": \"K1\", \"stream\": 1, \"grid\": 2, \"block\": [256, 2], "
                 "\"static_smem\": 1000, \"dynamic_smem\": 24, \"duration_ns\": 1234567890}]}");
    gcast_run *run = simulate(w, true);
    json_t *log = log_of(run, 0, &b), *times = json_object_get(log, "times"),
           *real_times = json_object_get(recorded, "times");
    assert_same_keys(log, recorded);
    assert_int_equal(json_array_size(times), json_array_size(real_times));
    for (size_t i = 0; i < 3; i++)
        assert_same_keys(json_array_get(times, i), json_array_get(real_times, i));
    assert_string_equal(json_string_value(json_object_get(log, "scenario_name")), "one \"kernel\"");
    assert_string_equal(json_string_value(json_object_get(log, "label")), "K1");
    assert_int_equal(json_integer_value(json_object_get(log, "max_resident_threads")), 4096);
    json_t *kernel = json_array_get(times, 2);
    assert_int_equal(json_integer_value(json_object_get(kernel, "thread_count")), 512);
    assert_int_equal(json_integer_value(json_object_get(kernel, "shared_memory")), 1024);
    assert_int_equal(json_array_size(json_object_get(kernel, "block_times")), 4);
    assert_int_equal(json_array_size(json_object_get(kernel, "cuda_launch_times")), 3);
    char expected[64];
    const gcast_block *first = &run->ops[1].blocks[0];
    snprintf(expected, sizeof expected, "\"block_times\": [0.%09d,1.%09d,", (int)first->start_ns,
             (int)(first->end_ns - 1000000000));
    assert_non_null(strstr(b.at, expected));
    json_decref(log);
    json_decref(recorded);
    free(b.at);
    free(text);
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* Jobs are iterations; a stream's label is its task; streams without kernels have no log. */
static void test_jobs(void **state)
{
    (void)state;
    bytes b;
    gcast_workload *w = workload(
        "{\"schema\": \"gridcast.workload/1\", \"name\": \"jobs\", \"ops\": ["
        "{\"kind\": \"copy\", \"label\": \"c\", \"stream\": 5, \"direction\": \"h2d\", \"duration_ns\": 9},"
        "{\"kind\": \"kernel\", \"label\": \"a\", \"stream\": 7, \"grid\": 1, \"block\": 32, \"duration_ns\": 9},"
        "{\"kind\": \"kernel\", \"label\": \"b\", \"stream\": 7, \"host\": \"H\", \"host_waits\": true, \"grid\": 1, "
        "\"block\": 32, \"duration_ns\": 9}],"
        "\"tasks\": [{\"name\": \"T\", \"stream\": 2, \"period_ns\": 1000, \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"x\", \"grid\": 1, \"block\": 32, \"duration_ns\": 5},"
        "{\"kind\": \"kernel\", \"label\": \"y\", \"grid\": 1, \"block\": 32, \"duration_ns\": 5}]},"
        "{\"name\": \"U\", \"stream\": 3, \"period_ns\": 3000, \"ops\": ["
        "{\"kind\": \"kernel\", \"label\": \"z\", \"grid\": 1, \"block\": 32, \"duration_ns\": 5}]}]}");
    gcast_run *run = simulate(w, true);
    size_t logs = 0;
    for (int i = 0; i < (int)w->stream_count; i++) {
        if (!gcast_run_has_examiner_log(run, i)) {
            assert_int_equal(w->streams[i].id, 5);
            continue;
        }
        json_t *log = log_of(run, i, &b), *times = json_object_get(log, "times");
        const char *label = json_string_value(json_object_get(log, "label"));
        if (w->streams[i].id == 2) { /* three jobs: an object of times and two kernels each */
            assert_string_equal(label, "T");
            assert_int_equal(json_array_size(times), 1 + 3 * 3);
            for (size_t k = 0; k < 3; k++)
                assert_non_null(json_object_get(json_array_get(times, 1 + 3 * k), "cpu_times"));
        } else if (w->streams[i].id == 7) {
            assert_string_equal(label, "a, b");
            const char *waits = strstr(b.at, "\"kernel_name\": \"b\"");
            json_t *launch = json_object_get(json_array_get(times, 3), "cuda_launch_times");
            assert_non_null(waits);
            assert_true(json_real_value(json_array_get(launch, 2)) > json_real_value(json_array_get(launch, 1)));
        }
        logs++;
        json_decref(log);
        free(b.at);
    }
    assert_int_equal(logs, 3);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static void test_errors(void **state)
{
    (void)state;
    gcast_error err;
    bytes b = {0};
    gcast_workload *w = workload("{\"schema\": \"gridcast.workload/1\", \"ops\": [{\"kind\": \"kernel\", \"label\": "
                                 "\"K\", \"stream\": 1, \"grid\": 1, \"block\": 32, \"duration_ns\": 9}]}");
    gcast_run *plain = simulate(w, false), *run = simulate(w, true);
    assert_int_equal(gcast_run_report_examiner_log(plain, 0, collect, &b, &err), GCAST_USAGE);
    assert_null(b.at);
    assert_int_equal(gcast_run_report_examiner_log(run, 0, refuse, NULL, &err), GCAST_RESOURCE);
    gcast_run_free(plain);
    gcast_run_free(run);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_a_real_log),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

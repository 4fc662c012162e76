#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/examiner/read_config.h"
#include "support/builders.h"
#include "support/each_file.h"

static gcast_workload *load(const char *name, const gcast_read_options *options)
{
    char path[512];
    gcast_workload *w;
    gcast_error err;
    size_t size;
    snprintf(path, sizeof path, "tests/data/examiner/%s.json", name);
    char *text = support_read(path, &size);
    assert_ok(gcast_workload_read(text, size, path, options, &w, &err), &err);
    assert_string_equal(w->source, path);
    free(text);
    return w;
}

static const gcast_op *find(const gcast_workload *w, const char *label)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (strcmp(w->ops[i].label, label) == 0)
            return &w->ops[i];
    fail_msg("no op %s", label);
    return NULL;
}

static void reads(const char *path)
{
    gcast_error err;
    gcast_workload *w;
    size_t size;
    char *text = support_read(path, &size);
    assert_ok(gcast_workload_read(text, size, path, NULL, &w, &err), &err);
    assert_true(w->op_count > 0 || w->note_count > 0);
    /* Every kernel has a duration, or the check says which has not. */
    gcast_status status = gcast_workload_check(w, &err);
    assert_true(status == GCAST_OK || strstr(err.message, "is not known"));
    gcast_workload_free(w);
    free(text);
}

static void every_file_reads(void **state)
{
    (void)state;
    assert_int_equal(each_file("tests/data/examiner", ".json", reads), 102);
}

static void figure_3(void **state)
{
    (void)state;
    gcast_workload *w = load("rtss_2017_fig3_bigexperiment", NULL);
    assert_int_equal(w->host_count, 3);
    assert_string_equal(w->hosts[1], "K4 and K6");
    assert_int_equal(w->stream_count, 3);
    assert_true(w->streams[0].blocking);
    const gcast_op *k4 = find(w, "K4"), *k6 = find(w, "K6"), *k5 = find(w, "K5");
    assert_int_equal(k4->release_ns, 200000000);
    assert_int_equal(k4->delay_ns, 0);
    assert_int_equal(k4->shape.static_smem, 32768);
    assert_int_equal(k4->body, GCAST_BODY_TIMER_SPIN);
    /* A delay waits for the stream, then sleeps. */
    assert_int_equal(k6[-1].kind, GCAST_KIND_SYNC);
    assert_int_equal(k6[-1].stream, k6->stream);
    assert_int_equal(k6->delay_ns, 800000000);
    assert_int_equal(k6->host, k4->host);
    assert_int_equal(k5->release_ns, 400000000);
    const gcast_op *in = find(w, "K3: copy in"), *out = find(w, "K3: copy out");
    assert_int_equal(in->bytes, 268435456);
    assert_int_equal(in->direction, GCAST_H2D);
    assert_int_equal(out->direction, GCAST_D2H);
    assert_ptr_equal(in + 1, find(w, "K3"));
    assert_ptr_equal(out - 1, find(w, "K3"));
    assert_int_equal(find(w, "K1")->blocks, 6);
    assert_int_equal(find(w, "K1")->max_ns, 1000000000);
    gcast_workload_free(w);
}

static void synchronous_memset(void **state)
{
    (void)state;
    gcast_workload *w = load("memset_doesnt_block", NULL);
    const gcast_op *memset1 = find(w, "memset 1"), *k3 = find(w, "K3");
    assert_int_equal(w->streams[memset1->stream].id, 0);
    assert_true(memset1->host_waits);
    assert_int_equal(memset1->release_ns, 400000000);
    assert_int_equal(memset1->bytes, 1024);
    assert_int_equal(k3->delay_ns, 200000000);
    assert_int_equal(k3->host, memset1->host);
    assert_int_equal(k3->grid[0], 2); /* the benchmark's */
    gcast_workload_free(w);
}

static void masks(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("pairs", 7, 0, 80, &err);
    assert_non_null(gpu);
    gpu->sms_per_tpc = 2;
    gcast_workload *w = load("demo_sm_masking", &(gcast_read_options){.size = sizeof(gcast_read_options), .gpu = gpu});
    /* 0x...aa0 disables TPCs 5, 7, 9, ... */
    const gcast_mask *m = &w->masks[find(w, "K1")->mask];
    assert_int_equal(m->word[0] & 0xffff, 0x33ff);
    assert_int_equal(m->word[1] >> 48, 0x3333);
    assert_int_equal(m->word[2], 0);
    assert_int_equal(find(w, "K1")->mask, find(w, "K4")->mask);
    assert_int_equal(find(w, "K2")->mask, find(w, "K3")->mask);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void nested_hosts(void **state)
{
    (void)state;
    gcast_workload *w = load("task_host_example", NULL);
    assert_int_equal(w->op_count, 4);
    const gcast_op *a = find(w, "Process 1, Task 2"), *b = find(w, "Process 2, Task 1");
    assert_int_equal(w->streams[a->stream].process, 1);
    assert_int_equal(w->streams[b->stream].process, 2);
    assert_int_equal(b->release_ns, 250000000);
    gcast_workload_free(w);
}

static void barriers_between_iterations(void **state)
{
    (void)state;
    gcast_workload *w = load("test_sync_every_iteration", NULL);
    assert_int_equal(w->op_count, 2 * (3 + 3 + 2));
    const char *const labels[] = {"512 threads, 0.25s: barrier", "512 threads, 0.25s: barrier#2",
                                  "512 threads, 0.25s: barrier#3"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(find(w, labels[i])->kind, GCAST_KIND_BARRIER);
        assert_int_equal(find(w, labels[i])->barrier, i);
    }
    assert_int_equal(find(w, "256 threads, 0.5s: end#2")->kind, GCAST_KIND_SYNC);
    gcast_workload_free(w);
}

static void iterations(void **state)
{
    (void)state;
    gcast_workload *w = load("random_isolated_test", NULL);
    assert_int_equal(w->op_count, 1000 + 999);
    assert_int_equal(find(w, "Random walk kernel#1000")->max_ns, GCAST_UNKNOWN_NS);
    assert_int_equal(gcast_workload_set_duration(w, "Random walk kernel", 77), 1000);
    gcast_workload_free(w);
    w = load("random_isolated_test", &(gcast_read_options){.size = sizeof(gcast_read_options), .iterations = 3});
    assert_int_equal(w->op_count, 5);
    gcast_workload_free(w);
}

static void priorities_make_streams_non_blocking(void **state)
{
    (void)state;
    /* -5 is out of the TX2's range, so the stream is blocking there. */
    gcast_workload *w = load("fork-JoshuaJB-rtas23-ae/rtas23_greedy_blocking", NULL);
    assert_true(w->streams[0].blocking);
    assert_int_equal(w->streams[0].priority, 0);
    gcast_workload_free(w);
    gcast_gpu *gpu = support_gpu("six", 7, 0, 80, NULL);
    gpu->priority_levels = 6;
    w = load("fork-JoshuaJB-rtas23-ae/rtas23_greedy_blocking",
             &(gcast_read_options){.size = sizeof(gcast_read_options), .gpu = gpu});
    assert_false(w->streams[0].blocking);
    assert_int_equal(w->streams[0].priority, -5);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void matrices(void **state)
{
    (void)state;
    gcast_workload *w = load("matrix_multiply_test", NULL);
    const gcast_op *k = find(w, "matrix_multiply_0");
    assert_int_equal(k->grid[0], 128);
    assert_int_equal(k->grid[1], 128);
    assert_int_equal(k->shape.threads, 256);
    assert_int_equal(find(w, "matrix_multiply_0: copy B")->bytes, 2048 * 2048 * 4);
    assert_int_equal(w->note_count, 1);
    gcast_workload_free(w);
}

#define CONFIG(benchmarks)                                                                                             \
    "{\"name\": \"t\", \"max_iterations\": 2, \"max_time\": 0, \"cuda_device\": 0, \"benchmarks\": [" benchmarks "]}"
#define BENCH(file, threads, blocks, more)                                                                             \
    "{\"filename\": \"" file "\", \"data_size\": 0, \"thread_count\": " threads ", \"block_count\": " blocks more "}"

/* Plugins of the examiner's users: a kernel of the blocks and threads given, whose duration must be given by label. */
static void plugins_of_users(void **state)
{
    (void)state;
    const char *text = CONFIG(
        BENCH("./bin/spin_fp32.so", "64", "20", ", \"additional_info\": 1000, \"stream_priority\": -1") "," BENCH(
            "/opt/mine/spin_fp32.so", "[8, 16, 2]", "[3, 4]",
            ", \"additional_info\": [{\"a\": 1}, \"b\"]") "," BENCH("other.so", "32", "1",
                                                                    ", \"label\": \"K\", "
                                                                    "\"additional_info\": {\"duration\": 5}, "
                                                                    "\"sm_mask\": \"1\"") "," BENCH("cpu_"
                                                                                                    "sort.so",
                                                                                                    "0", "0",
                                                                                                    ", "
                                                                                                    "\"additi"
                                                                                                    "onal_"
                                                                                                    "info\": "
                                                                                                    "\"fast"
                                                                                                    "\""));
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read(text, strlen(text), "t", NULL, &w, &err), &err);
    assert_int_equal(w->host_count, 3);
    assert_int_equal(w->op_count, 3 * (2 + 1));
    const gcast_op *first = find(w, "spin_fp32_0"), *second = find(w, "spin_fp32_1"), *k = find(w, "K#2");
    assert_int_equal(first->max_ns, GCAST_UNKNOWN_NS);
    assert_int_equal(first->blocks, 20);
    assert_int_equal(first->shape.threads, 64);
    assert_int_equal(first->shape.static_smem, 0);
    assert_int_equal(first->body, GCAST_BODY_SPIN); /* that every thread spins is not known */
    assert_int_equal(w->streams[first->stream].priority, -1);
    assert_int_equal(second->blocks, 12);
    assert_int_equal(second->shape.threads, 256);
    assert_int_equal(second->block[2], 2);
    assert_int_not_equal(first->stream, second->stream);
    assert_int_not_equal(k->mask, GCAST_ALL_SMS);
    /* one note per plugin */
    assert_int_equal(w->note_count, 3);
    assert_non_null(strstr(w->notes[0], "spin_fp32.so is not one"));
    assert_non_null(strstr(w->notes[1], "other.so is not one"));
    assert_non_null(strstr(w->notes[2], "cpu_sort.so is not one"));
    assert_non_null(strstr(w->notes[2], "left out, because"));
    /* the error names the durations that are missing */
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the duration of a block of \"spin_fp32_0\" is not known");
    assert_int_equal(err.hint, GCAST_HINT_DURATIONS);
    assert_string_equal(err.name, "spin_fp32_0");
    assert_int_equal(gcast_workload_set_duration(w, "spin_fp32_0", 1000), 2);
    assert_int_equal(gcast_workload_set_duration(w, "spin_fp32_1", 1000), 2);
    assert_int_equal(gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the duration of a block of \"K\" is not known");
    assert_int_equal(gcast_workload_set_duration(w, "K", 1000), 2);
    assert_ok(gcast_workload_check(w, &err), &err);
    gcast_workload_free(w);
}

static void refuses_other_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path, *message;
    } want[] = {
        {CONFIG(BENCH("./bin/spin_fp32.so", "0", "20", "")), "/benchmarks/0/thread_count",
         "spin_fp32 needs threads: nothing else says what it launches"},
        {CONFIG(BENCH("spin_fp32.so", "32", "[2, 0]", "")), "/benchmarks/0/block_count",
         "spin_fp32 needs blocks: nothing else says what it launches"},
        {CONFIG(BENCH("timer_spin.so", "0", "1", "")), "/benchmarks/0/thread_count", "timer_spin needs threads"},
        {CONFIG(BENCH("./bin/spin_fp32", "32", "1", "")), "/benchmarks/0/filename",
         "must be a plugin such as ./bin/timer_spin.so"},
        {CONFIG(BENCH("./bin/.so", "32", "1", "")), "/benchmarks/0/filename",
         "must be a plugin such as ./bin/timer_spin.so"},
        {CONFIG(BENCH("", "32", "1", "")), "/benchmarks/0/filename", "must be a plugin such as ./bin/timer_spin.so"},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        gcast_workload *w;
        gcast_error err;
        assert_int_equal(gcast_workload_read(want[i].text, strlen(want[i].text), "t", NULL, &w, &err), GCAST_INPUT);
        assert_null(w);
        assert_string_equal(err.path, want[i].path);
        assert_string_equal(err.message, want[i].message);
    }
}

static void labels_are_not_empty(void **state)
{
    (void)state;
    const char *text = "{\"name\": \"\", \"max_iterations\": 1, \"max_time\": 0, \"cuda_device\": 0, \"benchmarks\": ["
                       "{\"filename\": \"timer_spin.so\", \"label\": \"\", \"thread_count\": 1, \"block_count\": 1,"
                       " \"data_size\": 0}]}";
    gcast_workload *w;
    gcast_error err;
    assert_int_equal(gcast_workload_read(text, strlen(text), "t", NULL, &w, &err), GCAST_INPUT);
    assert_string_equal(err.path, "/benchmarks/0/label");
}

static void comments_become_different_keys(void **state)
{
    (void)state;
    const char text[] = "{\"comment\": 1, \"comment\" : \"\\\"comment\\\":\", \"comments\": 2, \"a\": \"comment\"}";
    char *got = examiner_rename_comments(text, sizeof text - 1);
    assert_string_equal(got,
                        "{\"x-00000\": 1, \"x-00001\" : \"\\\"comment\\\":\", \"x-00002s\": 2, \"a\": \"comment\"}");
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_reads),
        cmocka_unit_test(figure_3),
        cmocka_unit_test(synchronous_memset),
        cmocka_unit_test(masks),
        cmocka_unit_test(nested_hosts),
        cmocka_unit_test(barriers_between_iterations),
        cmocka_unit_test(iterations),
        cmocka_unit_test(priorities_make_streams_non_blocking),
        cmocka_unit_test(matrices),
        cmocka_unit_test(plugins_of_users),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(labels_are_not_empty),
        cmocka_unit_test(comments_become_different_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gcast_scenario_read_logs: logs of the CUDA scheduling examiner as recorded runs. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/examiner/log_scenario.h"
#include "files/examiner/read_log.h"
#include "model/scenario.h"
#include "verify/score.h"

#define TX2 "tests/data/tx2/"

static const char *const tx2_logs[] = {TX2 "concurrent_1st_1.json", TX2 "concurrent_1st_2.json",
                                       TX2 "concurrent_1st_3.json", TX2 "concurrent_1st_4.json", TX2 "rta.json"};

static gcast_log_file file_of(const char *name, const char *text)
{
    return (gcast_log_file){.text = text, .size = strlen(text), .name = name};
}

static gcast_status read_logs(const gcast_log_file *files, size_t count, gcast_scenario **s, gcast_error *err)
{
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_preset("tx2", &gpu, err), err);
    gcast_status status = gcast_scenario_read_logs(files, count, gpu, s, err);
    gcast_gpu_free(gpu);
    return status;
}

/* The scenario of the first files of tx2_logs: four logs, and with the fifth their configuration. */
static gcast_scenario *read_tx2(size_t count)
{
    gcast_log_file files[5] = {0};
    gcast_scenario *s;
    gcast_error err;
    char *texts[5];
    for (size_t i = 0; i < count; i++) {
        texts[i] = support_read(tx2_logs[i], &files[i].size);
        files[i].text = texts[i];
        files[i].name = tx2_logs[i];
    }
    assert_ok(read_logs(files, count, &s, &err), &err);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    return s;
}

static void assert_agrees(const gcast_scenario *s, size_t runs, size_t agreeing)
{
    gcast_score score;
    gcast_error err;
    assert_ok(gcast_scenario_score(s, NULL, NULL, &score, NULL, &err), &err);
    assert_int_equal(score.predictions, runs);
    assert_int_equal(score.hits, runs);
    assert_int_equal(score.pairs, runs * (runs - 1));
    assert_int_equal(score.agreeing, agreeing);
}

static void reads_the_tx2(void **state)
{
    (void)state;
    gcast_scenario *s = read_tx2(4);
    const gcast_workload *w = s->workload;
    assert_string_equal(w->name, "Concurrency during 1st kernel test");
    assert_int_equal(w->op_count, 4);
    assert_int_equal(w->stream_count, 4);
    assert_true(w->streams[2].blocking);
    assert_int_equal(s->run_count, 1);
    const gcast_run *run = s->runs[0];
    const gcast_run_op *third = &run->ops[2], *fourth = &run->ops[3];
    assert_string_equal(w->ops[2].label, "Kernel 3");
    assert_int_equal(w->ops[2].blocks, 2);
    assert_int_equal(w->ops[2].shape.threads, 512);
    assert_int_equal(w->ops[2].block_ns[0], 6068856374 - 68651990);
    assert_int_equal(third->release_ns, 68093376);
    assert_int_equal(third->call_ns, 68650784);
    assert_int_equal(third->start_ns, 68651990);
    assert_int_equal(third->dispatched_ns, 6068822517);
    assert_int_equal(third->end_ns, 12069025845);
    assert_int_equal(fourth->block_count, 5);
    assert_int_equal(fourth->blocks[2].sm, 1);
    assert_int_equal(fourth->blocks[1].start_ns, 6068823573);
    assert_int_equal(run->end_ns, 12069025845);
    assert_int_equal(run->gpu_zero_lo_ns, 68093376 - 68618165);
    assert_int_equal(run->gpu_zero_hi_ns, 12068663488 - 12069025845);
    assert_int_equal(w->note_count, 2);
    assert_agrees(s, 1, 0);
    gcast_scenario_free(s);
}

static void takes_what_the_configuration_says(void **state)
{
    (void)state;
    gcast_scenario *s = read_tx2(5);
    const gcast_workload *w = s->workload;
    assert_int_equal(w->op_count, 4);
    assert_int_equal(w->host_count, 0);
    assert_string_equal(w->ops[1].label, "Kernel 2");
    assert_int_equal(w->ops[1].max_ns, 6000000000);
    assert_null(w->ops[1].block_ns);
    assert_int_equal(w->note_count, 0);
    assert_agrees(s, 1, 0);
    gcast_scenario_free(s);
}

/* What docs/results.md says of the prediction, block by block. */
static void predicts_the_tx2(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *prediction;
    gcast_scenario *s = read_tx2(4);
    assert_ok(gcast_scenario_predict(s, 0, NULL, true, &prediction, &err), &err);
    const gcast_run *run = s->runs[0];
    size_t blocks = 0, alike = 0;
    for (size_t i = 0; i < run->op_count; i++)
        for (size_t b = 0; b < run->ops[i].block_count; b++, blocks++)
            alike += prediction->ops[i].blocks[b].sm == run->ops[i].blocks[b].sm;
    assert_int_equal(blocks, 16);
    assert_int_equal(alike, 12);
    assert_in_range(gcast_run_compare(prediction, run).error_ns, 0, 2000);
    gcast_run_free(prediction);
    gcast_scenario_free(s);
    s = read_tx2(5);
    assert_ok(gcast_scenario_predict(s, 0, NULL, true, &prediction, &err), &err);
    assert_in_range(gcast_run_compare(prediction, s->runs[0]).error_ns, 0, 410000);
    gcast_run_free(prediction);
    gcast_scenario_free(s);
}

static void reads_back_as_a_corpus(void **state)
{
    (void)state;
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s = read_tx2(4), *reread;
    char *line;
    size_t size;
    assert_ok(gcast_scenario_write(s, &line, &size, &err), &err);
    assert_ok(gcast_corpus_read(line, size, "again", &corpus, &err), &err);
    assert_ok(gcast_corpus_next(corpus, &reread, &err), &err);
    for (size_t i = 0; i < 4; i++) {
        const gcast_run_op *a = &s->runs[0]->ops[i], *b = &reread->runs[0]->ops[i];
        assert_int_equal(a->call_ns, b->call_ns);
        assert_int_equal(a->end_ns, b->end_ns);
        assert_memory_equal(a->blocks, b->blocks, a->block_count * sizeof *a->blocks);
    }
    gcast_scenario_free(reread);
    gcast_corpus_close(corpus);
    free(line);
    gcast_scenario_free(s);
}

#define HEADER(label, pid, times)                                                                                      \
    "{\"scenario_name\": \"s\", \"benchmark_name\": \"Timer Spin\", \"label\": \"" label                               \
    "\", \"max_resident_threads\": 4096, \"data_size\": 0, \"release_time\": 0.0, \"PID\": " pid                       \
    ", \"TID\": 5, \"times\": [{}" times "]}"
#define ITERATION(start, end)                                                                                          \
    ",\n{\"copy_in_times\": [" start "," start "], \"execute_times\": [" start "," end "], \"copy_out_times\": [" end  \
    "," end "], \"cpu_times\": [" start "," end "]}"
#define KERNEL(name, call, start, end)                                                                                 \
    ",\n{\"kernel_name\": \"" name "\", \"block_count\": 2, \"thread_count\": 64, \"shared_memory\": 16,"              \
    " \"cuda_launch_times\": [" call "," call ",0.0], \"block_times\": [" start "," end "," start "," end "],"         \
    " \"block_smids\": [0,1], \"cpu_core\": 0}"

#define TWO_ITERATIONS                                                                                                 \
    ITERATION("1", "2") KERNEL("k", "1.1", "1.2", "1.9") ITERATION("3", "4") KERNEL("k", "3.1", "3.2", "3.8")

/* Where all benchmarks end an iteration before any begins the next, iterations are runs. */
static void takes_iterations_as_runs(void **state)
{
    (void)state;
    gcast_error err;
    gcast_scenario *s;
    const gcast_log_file apart[] = {file_of("a.json", HEADER("a", "1", TWO_ITERATIONS)),
                                    file_of("b.json", HEADER("b", "1", TWO_ITERATIONS))};
    assert_ok(read_logs(apart, 2, &s, &err), &err);
    assert_int_equal(s->run_count, 2);
    assert_int_equal(s->workload->op_count, 2);
    assert_string_equal(s->workload->ops[1].label, "b");
    assert_int_equal(s->runs[1]->ops[1].start_ns, 3200000000);
    assert_int_equal(s->workload->ops[0].block_ns[1], 600000000); /* the lower of two */
    gcast_scenario_free(s);

    const gcast_log_file overlapping[] = {
        file_of("a.json", HEADER("a", "1", TWO_ITERATIONS)),
        file_of("b.json", HEADER("b", "1",
                                 ITERATION("1", "3.5") KERNEL("k", "1.1", "1.2", "1.9") ITERATION("3.6", "4")
                                     KERNEL("k", "3.7", "3.8", "3.9")))};
    assert_ok(read_logs(overlapping, 2, &s, &err), &err);
    assert_int_equal(s->run_count, 1);
    assert_int_equal(s->workload->op_count, 4);
    assert_string_equal(s->workload->ops[1].label, "a#2");
    assert_int_equal(s->runs[0]->ops[3].start_ns, 3800000000);
    gcast_scenario_free(s);
}

/* Logs of one name are of several executions. */
static void tells_executions_apart(void **state)
{
    (void)state;
    gcast_error err;
    gcast_scenario *s;
    const char *first = HEADER("a", "1", ITERATION("1", "2") KERNEL("k", "1.1", "1.2", "1.9")),
               *second = HEADER("a", "2", ITERATION("5", "6") KERNEL("k", "5.1", "5.2", "5.9")),
               *slow = HEADER("a", "3", ITERATION("1", "9") KERNEL("k", "1.1", "1.2", "8.9"));
    const gcast_log_file files[] = {file_of("x/log.json", first), file_of("y/log.json", second)};
    assert_ok(read_logs(files, 2, &s, &err), &err);
    assert_agrees(s, 2, 2);
    gcast_scenario_free(s);
    const gcast_log_file differing[] = {file_of("x/log.json", first), file_of("y/log.json", second),
                                        file_of("z/log.json", slow)};
    gcast_score score;
    assert_ok(read_logs(differing, 3, &s, &err), &err);
    assert_ok(gcast_scenario_score(s, NULL, NULL, &score, NULL, &err), &err);
    assert_int_equal(score.predictions, 3);
    assert_int_equal(score.hits, 2); /* the median is that of the first two */
    assert_int_equal(score.pairs, 6);
    assert_int_equal(score.agreeing, 2);
    gcast_scenario_free(s);
}

/* The times on the host's clock. */
static void keeps_cpu_times(void **state)
{
    (void)state;
    size_t size;
    char *text = support_read(TX2 "concurrent_1st_4.json", &size);
    gcast_error err;
    document d;
    exam_log log = {0};
    assert_ok(document_open(&d, text, size, "folder/4.json", &err), &err);
    assert_ok(log_read(&d, &log), &err);
    assert_string_equal(log.base_name, "4.json");
    assert_string_equal(log.label, "Kernel 4");
    assert_int_equal(log.sms, 2);
    assert_int_equal(log.pid, 13211);
    assert_true(log.is_thread);
    assert_int_equal(log.iterations.count, 1);
    assert_int_equal(log.iterations.at[0].copy_in_ns[1], 68092320);
    assert_int_equal(log.iterations.at[0].execute_ns[1], 11068665728);
    assert_int_equal(log.iterations.at[0].copy_out_ns[0], 11068666464);
    assert_int_equal(log.iterations.at[0].cpu_ns[1], 11068738496);
    assert_int_equal(log.kernels.at[0].sync_ns, 11068664160);
    log_free(&log);
    document_close(&d);
    free(text);
}

/* A stream of its own per log, but for the plugin that uses the NULL stream. */
static void knows_the_null_stream(void **state)
{
    (void)state;
    gcast_error err;
    gcast_scenario *s;
    char text[2000];
    const char *log = HEADER("a", "1", ITERATION("1", "2") KERNEL("k", "1.1", "1.2", "1.9")),
               *name = strstr(log, "Timer Spin") + strlen("Timer Spin");
    snprintf(text, sizeof text, "%.*s (default stream)%s", (int)(name - log), log, name);
    const gcast_log_file file = file_of("a.json", text);
    assert_ok(read_logs(&file, 1, &s, &err), &err);
    assert_int_equal(s->workload->streams[s->workload->ops[0].stream].id, 0);
    gcast_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_tx2),
        cmocka_unit_test(takes_what_the_configuration_says),
        cmocka_unit_test(predicts_the_tx2),
        cmocka_unit_test(reads_back_as_a_corpus),
        cmocka_unit_test(takes_iterations_as_runs),
        cmocka_unit_test(tells_executions_apart),
        cmocka_unit_test(keeps_cpu_times),
        cmocka_unit_test(knows_the_null_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

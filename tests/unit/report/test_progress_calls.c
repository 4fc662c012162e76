/* Long work calls the progress callback with rising fractions, and stops where that returns false. */
#include "analyze/advice/remedy.h"
#include "model/scenario.h"
#include "support/support.h"
#include "verify/score.h"

#include <stdlib.h>

typedef struct listener {
    int calls;      /* so far */
    int stop_at;    /* the call that stops the work; 0: none */
    double last;    /* fraction */
    bool decreased; /* a fraction was lower than the one before */
} listener;

static bool listen(void *data, double fraction)
{
    listener *l = data;
    assert_true(fraction >= 0 && fraction <= 1);
    l->decreased = l->decreased || fraction < l->last;
    l->last = fraction;
    return ++l->calls != l->stop_at;
}

/* Some long work. */
typedef gcast_status (*task)(void *data, listener *l, gcast_error *err);

static void check_progress(task run, void *data)
{
    gcast_error err = {0};
    listener all = {0}, stopped = {.stop_at = 1};
    assert_ok(run(data, &all, &err), &err);
    assert_true(all.calls > 0 && !all.decreased);
    assert_int_equal(run(data, &stopped, &err), GCAST_RESOURCE);
    assert_string_equal(err.message, "stopped");
}

static gcast_run *simulate(gcast_workload **w)
{
    gcast_error err;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_load(SOURCE_DIR "/examples/thesis.json", NULL, w, &err), &err);
    assert_ok(gcast_workload_simulate(*w, NULL, &options, &run, &err), &err);
    return run;
}

static bool ignore_bytes(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)data += size;
    return true;
}

typedef struct writing {
    const gcast_run *run;
    gcast_format format;
} writing;

static gcast_status write_run(void *data, listener *l, gcast_error *err)
{
    const writing *x = data;
    size_t bytes = 0;
    gcast_report_options options = gcast_report_options_default();
    options.blocks = true;
    options.progress = listen;
    options.progress_data = l;
    return gcast_run_report(x->run, x->format, &options, ignore_bytes, &bytes, err);
}

static void reports(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_run *run = simulate(&w);
    for (int f = 0; f < GCAST_FORMATS; f++)
        if (gcast_format_available((gcast_format)f))
            check_progress(write_run, &(writing){run, (gcast_format)f});
    gcast_run_free(run);
    gcast_workload_free(w);
}

static gcast_status find_remedies(void *data, listener *l, gcast_error *err)
{
    const gcast_run *run = data;
    gcast_pair *pair;
    gcast_remedies *remedies = NULL;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.progress = listen;
    options.progress_data = l;
    assert_ok(gcast_run_explain_pair(run, 0, 2, &pair, err), err);
    gcast_status status = gcast_run_find_remedies(run, run->gpu, &options, pair, &remedies, err);
    gcast_remedies_free(remedies);
    gcast_pair_free(pair);
    return status;
}

static void trying(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_run *run = simulate(&w);
    check_progress(find_remedies, run);
    gcast_run_free(run);
    gcast_workload_free(w);
}

static gcast_status score(void *data, listener *l, gcast_error *err)
{
    const gcast_scenario *s = data;
    gcast_score sum;
    gcast_score_options options = {.size = sizeof options, .trials = 3, .progress = listen, .progress_data = l};
    return gcast_scenario_score(s, NULL, &options, &sum, NULL, err);
}

static void scores(void **state)
{
    (void)state;
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    double before = 0;
    assert_ok(gcast_corpus_open(SOURCE_DIR "/tests/data/h200/thesis.jsonl.gz", &corpus, &err), &err);
    for (;;) {
        assert_ok(gcast_corpus_next(corpus, &s, &err), &err);
        double now = gcast_corpus_done(corpus);
        assert_true(s ? now > before : now == 1);
        before = now;
        if (!s)
            break;
        check_progress(score, s);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
}

typedef struct kernel {
    const gcast_ptx *ptx;
    uint32_t cores;
} kernel;

static gcast_status execute(void *data, listener *l, gcast_error *err)
{
    const kernel *k = data;
    float x[1000] = {0}, y[1000] = {0}, a = 2;
    uint32_t n = 1000;
    gcast_buffer buffers[] = {{"x", x, sizeof x}, {"y", y, sizeof y}};
    gcast_argument arguments[] = {{-1, &n, 4}, {-1, &a, 4}, {0, NULL, 8}, {1, NULL, 8}};
    gcast_launch launch = {.grid = {8, 1, 1},
                           .block = {128, 1, 1},
                           .arguments = 4,
                           .buffers = 2,
                           .argument = arguments,
                           .buffer = buffers};
    gcast_simt_report *report = NULL;
    gcast_simt_options options = gcast_simt_options_default();
    options.cores = k->cores;
    options.progress = listen;
    options.progress_data = l;
    gcast_status status = gcast_simt_run(k->ptx, &launch, &options, &report, err);
    gcast_simt_report_free(report);
    return status;
}

static void executions(void **state)
{
    (void)state;
    gcast_error err;
    gcast_ptx *ptx;
    size_t size;
    char *text = support_read("examples/saxpy.ptx", &size);
    assert_ok(gcast_ptx_parse(text, size, "saxpy.ptx", &ptx, &err), &err);
    check_progress(execute, &(kernel){ptx, 1});
    listener l = {0};
    assert_ok(execute(&(kernel){ptx, 2}, &l, &err), &err);
    assert_true(l.calls > 0 && !l.decreased);
    gcast_ptx_free(ptx);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports),
        cmocka_unit_test(trying),
        cmocka_unit_test(scores),
        cmocka_unit_test(executions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

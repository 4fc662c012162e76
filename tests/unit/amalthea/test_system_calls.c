/* The public calls for AMALTHEA models: options, answers of tasks, verdicts, executions and reports. */
#include <stdlib.h>
#include <string.h>

#include "gridcast/read.h"
#include "gridcast/system.h"
#include "support/support.h"

static const char *const car = SOURCE_DIR "/examples/12-car.amxmi";

static gcast_system *read_car(const gcast_system_options *given)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_system *x;
    gcast_system_options options = given ? *given : gcast_system_options_default();
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    options.gpu = gpu;
    assert_ok(gcast_system_read(&car, 1, &options, &x, &err), &err);
    gcast_gpu_free(gpu); /* the system has a copy */
    return x;
}

static void refused(gcast_system_options options, gcast_status status, const char *path, const char *message)
{
    gcast_error err = {0};
    gcast_system *x = (gcast_system *)&err;
    assert_int_equal(gcast_system_read(&car, 1, &options, &x, &err), status);
    assert_null(x);
    assert_string_equal(err.path, path);
    assert_non_null(strstr(err.message, message));
}

static void wrong_options(void **state)
{
    (void)state;
    const char *const cores[] = {"Camera=Core0", "Radar=Core0"}, *const no_core = "Camera=Core9",
                      *const half = "Camera", *const chain = "Camera,Radar";
    gcast_system_options o = gcast_system_options_default();
    o.cores = cores;
    o.core_count = 2;
    refused(o, GCAST_USAGE, "/cores/1", "no task Radar");
    o.cores = &no_core;
    o.core_count = 1;
    refused(o, GCAST_USAGE, "/cores/0", "no processing unit Core9");
    o.cores = &half;
    refused(o, GCAST_USAGE, "/cores/0", "TASK=CORE");
    o = gcast_system_options_default();
    o.chains = &chain;
    o.chain_count = 1;
    refused(o, GCAST_USAGE, "/chains/0", "no task Radar");
    o = gcast_system_options_default();
    o.given = "/no/such/file";
    refused(o, GCAST_INPUT, "", "");
    o = gcast_system_options_default();
    o.tick_ps = -1;
    refused(o, GCAST_USAGE, "", "tick");
}

/* Verdicts of tasks and of all together belong together, and a task on a slower way takes longer. */
static void answers(void **state)
{
    (void)state;
    gcast_error err;
    gcast_system *x = read_car(NULL);
    gcast_system_answer *answer;
    gcast_system_task task;
    const char *why;
    size_t on_gpu = 0, met_if = 0, count = 0;
    assert_ok(gcast_system_analyze(x, NULL, &answer, &err), &err);
    for (; gcast_system_answer_get_task(answer, count, &task); count++) {
        on_gpu += task.core == NULL;
        met_if += task.verdict == GCAST_DEADLINE_MET_IF;
        assert_true(task.best_ns <= task.worst_ns && task.worst_ns < GCAST_NO_BOUND);
    }
    assert_true(count > 1 && on_gpu == 1 && met_if > 0);
    assert_int_equal(gcast_system_answer_verdict(answer, &why), GCAST_DEADLINE_MET_IF);
    assert_non_null(strstr(why, "on the condition that"));
    assert_int_equal(gcast_system_answer_verdict(NULL, &why), GCAST_DEADLINE_NONE);
    assert_string_equal(why, "");
    gcast_system_answer_free(answer);
    gcast_system_free(x);
}

static bool append(void *data, const char *bytes, size_t size)
{
    size_t *total = data;
    (void)bytes;
    *total += size;
    return true;
}

static void reports(void **state)
{
    (void)state;
    static const gcast_format formats[] = {GCAST_FORMAT_TABLE, GCAST_FORMAT_JSON, GCAST_FORMAT_HTML, GCAST_FORMAT_SVG};
    gcast_error err;
    gcast_system *x = read_car(NULL);
    gcast_system_answer *answer;
    gcast_system_run *run, *plain;
    gcast_system_simulate_options options = gcast_system_simulate_options_default();
    size_t size = 0;
    assert_ok(gcast_system_analyze(x, NULL, &answer, &err), &err);
    assert_ok(gcast_system_simulate(x, NULL, &plain, &err), &err);
    options.record = true;
    assert_ok(gcast_system_simulate(x, &options, &run, &err), &err);
    assert_true(gcast_system_run_in_time(run));
    assert_false(gcast_system_run_in_time(NULL));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t before = size;
        assert_ok(gcast_system_answer_report(answer, formats[i], NULL, true, NULL, append, &size, &err), &err);
        assert_ok(gcast_system_run_report(run, formats[i], NULL, append, &size, &err), &err);
        assert_true(size > before + 1000);
        assert_int_equal(gcast_system_run_report(plain, formats[i], NULL, append, &size, &err),
                         i ? GCAST_USAGE : GCAST_OK);
    }
    assert_int_equal(gcast_system_run_report(run, GCAST_FORMAT_CSV, NULL, append, &size, &err), GCAST_USAGE);
    gcast_system_run_free(plain);
    gcast_system_run_free(run);
    gcast_system_answer_free(answer);
    gcast_system_free(x);
}

static void workloads(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
    bool bounded = false;
    gcast_system_options options = gcast_system_options_default();
    gcast_system *x = read_car(NULL);
    assert_ok(gcast_system_workload(x, &w, &bounded, &err), &err);
    assert_true(bounded);
    assert_int_equal(w->task_count, 1);
    gcast_workload_free(w);
    gcast_system_free(x);
    options.sharing = GCAST_SHARING_SLICES;
    x = read_car(&options);
    assert_int_equal(gcast_system_workload(x, &w, NULL, &err), GCAST_INPUT);
    assert_null(w);
    assert_string_equal(err.file, car);
    gcast_system_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(answers),
        cmocka_unit_test(reports),
        cmocka_unit_test(workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

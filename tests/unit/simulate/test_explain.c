/* Explanations of random runs add up, and those of known runs give the known reasons. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "gridcast/names.h"
#include "property/generate.h"

static gcast_run *simulate(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *given)
{
    gcast_error err;
    gcast_run *run;
    gcast_simulate_options options = given ? *given : gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    return run;
}

static size_t find(const gcast_run *run, const char *label)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (strcmp(run->workload->ops[run->ops[i].op].label, label) == 0)
            return i;
    fail();
    return 0;
}

typedef struct expected {
    gcast_reason reason;
    int64_t from_ms, to_ms;
    const char *holder; /* the first one; NULL: none */
} expected;

static void expect(const char *file, const char *label, const expected *want, size_t count)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_workload *w;
    gcast_explanation *e;
    char path[512];
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, file);
    assert_ok(gcast_workload_load(path, NULL, &w, &err), &err);
    gcast_run *run = simulate(w, gpu, NULL);
    assert_ok(gcast_run_explain(run, find(run, label), &e, &err), &err);
    assert_int_equal(e->wait_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(gcast_name(GCAST_NAMES_REASON, e->waits[i].reason),
                            gcast_name(GCAST_NAMES_REASON, want[i].reason));
        assert_int_equal(e->waits[i].from_ns, want[i].from_ms * 1000000);
        assert_int_equal(e->waits[i].to_ns, want[i].to_ms * 1000000);
        if (want[i].holder) {
            assert_true(e->waits[i].holder_count > 0);
            const gcast_run_op *holder = &run->ops[e->waits[i].holders[0].run_op];
            assert_string_equal(w->ops[holder->op].label, want[i].holder);
        }
    }
    gcast_explanation_free(e);
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

static void assert_rule(gcast_reason reason, unsigned resources, const char *rule)
{
    assert_string_equal(gcast_wait_rule(reason, resources), rule);
}

/* As Amert et al. number the rules: R2 is about threads, warps and blocks, R3 about all other resources. */
static void rules_of_resources(void **state)
{
    (void)state;
    for (int r = 0; r < GCAST_RESOURCES; r++)
        assert_rule(GCAST_WHY_RESOURCES, 1u << r, r <= GCAST_RES_BLOCKS ? "R2" : "R3");
    assert_rule(GCAST_WHY_RESOURCES, 1u << GCAST_RES_BLOCKS | 1u << GCAST_RES_WARPS, "R2");
    assert_rule(GCAST_WHY_RESOURCES, 1u << GCAST_RES_BARRIERS | 1u << GCAST_RES_REGISTERS, "R3");
    assert_rule(GCAST_WHY_RESOURCES, 1u << GCAST_RES_THREADS | 1u << GCAST_RES_SHARED_MEMORY, "R2 R3");
    assert_rule(GCAST_WHY_FIFO, 0, "X1");
    assert_rule(GCAST_WHY_CARVEOUT, 1u << GCAST_RES_SHARED_MEMORY, "carveout");
}

static void known_runs(void **state)
{
    (void)state;
    expect("examples/thesis.json", "K3",
           (expected[]){{GCAST_WHY_FIFO, 0, 4, "K2"}, {GCAST_WHY_RESOURCES, 4, 6, "K2"}, {GCAST_WHY_RUN, 6, 12, NULL}},
           3);
    expect("tests/data/examiner/rtss_2017_fig8_stream_priority_lower_priority_cut.json", "Kernel 9",
           (expected[]){{GCAST_WHY_PRIORITY, 700, 1100, "Kernel 8"}, {GCAST_WHY_RUN, 1100, 2100, NULL}}, 2);
    expect("tests/data/examiner/rtss_2017_fig5_null_stream.json", "Kernel 2 (NULL stream)",
           (expected[]){{GCAST_WHY_NULL_FIRST, 200, 2000, "Kernel 1"}, {GCAST_WHY_RUN, 2000, 3000, NULL}}, 2);
    expect("tests/data/examiner/rtss_2017_fig5_null_stream.json", "K4",
           (expected[]){{GCAST_WHY_STREAM, 400, 4000, "K3"}, {GCAST_WHY_RUN, 4000, 5000, NULL}}, 2);
}

static void random_runs_add_up(void **state)
{
    (void)state;
    int short_waits = 0, explained = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        generated g = generate(seed);
        gcast_run *run = simulate(g.workload, g.gpu, &g.options);
        for (size_t i = 0; i < run->op_count; i++) {
            gcast_error err;
            gcast_explanation *e;
            if (run->ops[i].skipped)
                continue;
            assert_ok(gcast_run_explain(run, i, &e, &err), &err);
            int64_t t = run->ops[i].release_ns;
            for (size_t k = 0; k < e->wait_count; k++) {
                assert_int_equal(e->waits[k].from_ns, t);
                assert_true(e->waits[k].to_ns > t);
                if (e->waits[k].reason == GCAST_WHY_RESOURCES)
                    assert_true(e->waits[k].resources != 0 && e->waits[k].holder_count > 0);
                if (e->waits[k].reason == GCAST_WHY_CARVEOUT) {
                    assert_true(e->waits[k].size_bytes < e->waits[k].min_bytes && e->waits[k].holder_count > 0);
                    short_waits++;
                    explained += e->waits[k].size_bytes >= 0;
                }
                t = e->waits[k].to_ns;
            }
            assert_int_equal(t, run->ops[i].end_ns);
            gcast_explanation_free(e);
        }
        gcast_run_free(run);
        generated_free(&g);
    }
    assert_true(short_waits >= 20 &&
                explained >=
                    short_waits -
                        short_waits / 20); /* of blocks that start at one time it may be open which came first */
}

/* How long after its deadline an operation ended; without a deadline, how long after the release of its job. */
static int64_t lateness(const gcast_run *run, size_t i)
{
    const gcast_task *t = &run->workload->tasks[run->workload->ops[run->ops[i].op].task];
    int64_t response_ns = run->ops[i].end_ns - (t->offset_ns + run->ops[i].job * t->period_ns);
    return response_ns - t->deadline_ns;
}

/* No job of a task has a longer response time than the one that is found. */
static void worst_jobs(void **state)
{
    (void)state;
    int tasks = 0, later_jobs = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        generated g = generate(seed);
        gcast_run *run = simulate(g.workload, g.gpu, &g.options);
        for (size_t k = 0; k < g.workload->task_count; k++) {
            gcast_error err;
            gcast_subject s;
            gcast_status status = gcast_run_find_subject(run, g.workload->tasks[k].name, true, &s, &err);
            if (status != GCAST_OK || s.task != (int)k) /* never called, or an op has the name */
                continue;
            for (size_t i = 0; i < run->op_count; i++)
                if (g.workload->ops[run->ops[i].op].task == (int)k && !run->ops[i].skipped)
                    assert_true(lateness(run, i) <= lateness(run, s.run_op));
            assert_int_equal(s.by_lateness, g.workload->tasks[k].deadline_ns > 0);
            if (s.by_lateness)
                assert_int_equal(s.late_ns, lateness(run, s.run_op));
            tasks++;
            later_jobs += run->ops[s.run_op].job > 0;
        }
        gcast_run_free(run);
        generated_free(&g);
    }
    assert_true(tasks > 100 && later_jobs > 10);
}

static void names(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w;
    gcast_subject s;
    gcast_pair *pair;
    gcast_explanation *e;
    assert_ok(gcast_workload_load(SOURCE_DIR "/examples/05-camera.json", NULL, &w, &err), &err);
    gcast_run *run = simulate(w, NULL, NULL);
    assert_ok(gcast_run_find_subject(run, "detect#1", false, &s, &err), &err);
    assert_true(s.task < 0 && s.matches == 1 && run->ops[s.run_op].job == 1);
    assert_ok(gcast_run_find_subject(run, "camera#1", false, &s, &err), &err);
    assert_true(s.task == 0 && run->ops[s.run_op].job == 1);
    assert_ok(gcast_run_find_subject(run, "detect", false, &s, &err), &err);
    assert_true(s.matches == 2 && run->ops[s.run_op].job == 0 && !s.by_lateness);
    assert_ok(gcast_run_find_subject(run, NULL, true, &s, &err), &err);
    assert_true(s.task == 0 && s.matches == 3 && s.by_lateness && s.late_ns == 12004000);
    assert_int_equal(gcast_run_find_subject(run, "detect#2", false, &s, &err), GCAST_USAGE);
    assert_int_equal(gcast_run_find_subject(run, "", true, &s, &err), GCAST_USAGE);
    assert_int_equal(gcast_run_explain_job(run, 7, 0, &e, &err), GCAST_USAGE);
    assert_int_equal(gcast_run_explain_job(run, 0, 9, &e, &err), GCAST_INPUT);
    assert_int_equal(gcast_run_explain_pair(run, 1, 1, &pair, &err), GCAST_USAGE);
    assert_int_equal(gcast_run_explain_pair(run, 1, 1000, &pair, &err), GCAST_INPUT);
    gcast_run_free(run);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_of_resources), cmocka_unit_test(known_runs), cmocka_unit_test(random_runs_add_up),
        cmocka_unit_test(worst_jobs),         cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Policies side by side: each row is what a simulation of its own gives. */
#include <stdlib.h>
#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "base/text.h"
#include "papers/apps/apps.h"
#include "support/support.h"

static gcast_workload *app(const char *name, const char *input)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_app_workload(name, input, NULL, &w, &err), &err);
    return w;
}

static gcast_gpu *paper_gpu(void)
{
    gcast_gpu *gpu;
    gcast_error err;
    assert_ok(gcast_gpu_preset("gk110-sim", &gpu, &err), &err);
    return gpu;
}

static gcast_run *simulate(const gcast_workload *w, const gcast_gpu *gpu, gcast_spawn_policy policy, uint32_t threshold)
{
    gcast_simulate_options o = gcast_simulate_options_default();
    gcast_run *run;
    gcast_error err;
    o.override_spawn = true;
    o.spawn_policy = policy;
    o.spawn_threshold = threshold;
    assert_ok(gcast_workload_simulate(w, gpu, &o, &run, &err), &err);
    return run;
}

/* The row is that of the run. */
static void assert_row(const gcast_spawn_row *row, const gcast_workload *w, const gcast_gpu *gpu,
                       gcast_spawn_policy policy, uint32_t threshold)
{
    gcast_run *run = simulate(w, gpu, policy, threshold);
    assert_int_equal(row->end_ns, run->end_ns);
    assert_memory_equal(&row->stats, run->launches, sizeof row->stats);
    assert_true(row->occupancy > 0 && row->occupancy <= 1);
    double held = (double)run->end_ns * gpu->sms * gpu->limits.warps_per_sm;
    assert_true(row->occupancy * held / run->launches->warp_ns > 0.999999);
    assert_true(row->occupancy * held / run->launches->warp_ns < 1.000001);
    gcast_run_free(run);
}

static void rows(void **state)
{
    (void)state;
    const gcast_spawn_choice choices[] = {{GCAST_CONTENDER_PREDICT, 0},    {GCAST_CONTENDER_FLAT, 0},
                                          {GCAST_CONTENDER_THRESHOLD, 30}, {GCAST_CONTENDER_ALWAYS, 0},
                                          {GCAST_CONTENDER_SPAWN, 0},      {GCAST_CONTENDER_OFFLINE, 0}};
    gcast_compare_options o = gcast_compare_options_default();
    gcast_workload *w = app("BFS", "rmat:8:8");
    gcast_gpu *gpu = paper_gpu();
    gcast_spawn_comparison *c;
    gcast_error err;
    o.choices = choices;
    o.choice_count = 6;
    assert_ok(gcast_spawn_compare(w, gpu, &o, &c, &err), &err);
    assert_int_equal(c->row_count, 6);
    assert_string_equal(c->name, "BFS rmat:8:8:1");
    assert_string_equal(c->gpu, "gk110-sim");
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(c->rows[i].contender, choices[i].contender);
        assert_true(c->rows[i].speedup * (double)c->rows[i].end_ns / (double)c->flat_ns > 0.999999);
    }
    assert_row(&c->rows[0], w, gpu, GCAST_SPAWN_PREDICT, 0);
    assert_row(&c->rows[1], w, gpu, GCAST_SPAWN_FLAT, 0);
    assert_row(&c->rows[2], w, gpu, GCAST_SPAWN_THRESHOLD, 30);
    assert_row(&c->rows[3], w, gpu, GCAST_SPAWN_ALWAYS, 0);
    assert_row(&c->rows[4], w, gpu, GCAST_SPAWN_SPAWN, 0);
    assert_row(&c->rows[5], w, gpu, GCAST_SPAWN_THRESHOLD, c->rows[5].threshold);
    assert_int_equal(c->flat_ns, c->rows[1].end_ns);
    assert_int_equal(c->rows[1].stats.children, 0);
    assert_true(c->rows[5].end_ns <= c->rows[2].end_ns && c->rows[5].end_ns <= c->rows[3].end_ns);
    assert_int_equal(c->launchers, c->rows[3].stats.children);
    assert_int_equal(c->items, c->rows[3].stats.offloaded);
    gcast_spawn_comparison_free(c);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

/* Where launches cost more than all that they save, nobody should launch. */
static void nobody_launches(void **state)
{
    (void)state;
    gcast_workload *w = app("JOIN-uniform", "join:uniform:256:512:64");
    gcast_gpu *gpu = paper_gpu();
    gcast_spawn_comparison *c;
    gcast_run *run;
    gcast_error err;
    gpu->child_launch_ns = 100000000;
    assert_ok(gcast_spawn_compare(w, gpu, NULL, &c, &err), &err);
    assert_int_equal(c->row_count, 5);
    const gcast_spawn_row *offline = &c->rows[2];
    assert_int_equal(offline->contender, GCAST_CONTENDER_OFFLINE);
    assert_int_equal(offline->threshold, GCAST_NO_THRESHOLD);
    assert_int_equal(offline->end_ns, c->flat_ns);
    assert_int_equal(offline->simulations, c->thresholds + 1);
    assert_ok(gcast_spawn_run(w, gpu, NULL, offline, &run, &err), &err);
    assert_int_equal(run->end_ns, c->flat_ns);
    gcast_run_free(run);
    gcast_spawn_comparison_free(c);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

static bool stop(void *data, double fraction)
{
    assert_true(fraction >= 0 && fraction <= 1);
    return ++*(int *)data < 3;
}

static void refusals(void **state)
{
    (void)state;
    const gcast_spawn_choice wrong[] = {{GCAST_CONTENDERS, 0}, {GCAST_CONTENDER_THRESHOLD, 0}};
    gcast_compare_options o = gcast_compare_options_default();
    gcast_workload *w = app("BFS", "rmat:6"), *empty;
    gcast_gpu *gpu = paper_gpu();
    gcast_spawn_comparison *c;
    gcast_error err;
    int calls = 0;
    o.choice_count = 1;
    for (size_t i = 0; i < 2; i++) {
        o.choices = &wrong[i];
        assert_int_equal(gcast_spawn_compare(w, gpu, &o, &c, &err), GCAST_USAGE);
        assert_null(c);
    }
    o.choices = NULL;
    assert_int_equal(gcast_spawn_compare(w, NULL, &o, &c, &err), GCAST_INPUT); /* no GPU */
    assert_ok(gcast_workload_create("empty", &empty, &err), &err);
    assert_int_equal(gcast_spawn_compare(empty, gpu, &o, &c, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "no kernel launches kernels"));
    o.progress = stop;
    o.progress_data = &calls;
    gcast_status status = gcast_spawn_compare(w, gpu, &o, &c, &err);
    if (status != GCAST_OK) /* where simulations are long enough to ask */
        assert_int_equal(status, GCAST_RESOURCE);
    gcast_spawn_comparison_free(c);
    gcast_spawn_comparison_free(NULL);
    gcast_workload_free(empty);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

static bool keep(void *data, const char *bytes, size_t size)
{
    text_bytes(data, bytes, size);
    return true;
}

/* Comparisons of different policies cannot be in one table; nor can formats be others. */
static void reports(void **state)
{
    (void)state;
    const gcast_spawn_choice flat = {GCAST_CONTENDER_FLAT, 0}, always = {GCAST_CONTENDER_ALWAYS, 0};
    gcast_compare_options o = gcast_compare_options_default();
    gcast_workload *w = app("BFS", "rmat:6");
    gcast_gpu *gpu = paper_gpu();
    gcast_spawn_comparison *c[2];
    gcast_error err;
    o.choices = &flat;
    o.choice_count = 1;
    o.name = "\033[31m<&\"";
    assert_ok(gcast_spawn_compare(w, gpu, &o, &c[0], &err), &err);
    o.choices = &always;
    assert_ok(gcast_spawn_compare(w, gpu, &o, &c[1], &err), &err);
    const gcast_spawn_comparison *const *both = (const gcast_spawn_comparison *const *)c;
    assert_int_equal(gcast_spawn_report(both, 2, GCAST_FORMAT_TABLE, false, NULL, NULL, &err), GCAST_USAGE);
    assert_int_equal(gcast_spawn_report(both, 0, GCAST_FORMAT_TABLE, false, NULL, NULL, &err), GCAST_USAGE);
    assert_int_equal(gcast_spawn_report(both, 1, GCAST_FORMAT_CSV, false, NULL, NULL, &err), GCAST_USAGE);
    static const gcast_format formats[] = {GCAST_FORMAT_TABLE, GCAST_FORMAT_JSON, GCAST_FORMAT_SVG};
    for (size_t i = 0; i < 3; i++) {
        text t;
        size_t size;
        text_open(&t, NULL, NULL);
        assert_ok(gcast_spawn_report(both, 1, formats[i], false, keep, &t, &err), &err);
        char *bytes = text_take(&t, &size);
        assert_non_null(bytes);
        assert_null(strchr(bytes, '\033'));
        assert_true(formats[i] != GCAST_FORMAT_SVG || !strstr(bytes, "<&"));
        free(bytes);
    }
    gcast_spawn_comparison_free(c[0]);
    gcast_spawn_comparison_free(c[1]);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(nobody_launches),
        cmocka_unit_test(refusals),
        cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

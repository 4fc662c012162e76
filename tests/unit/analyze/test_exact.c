/* The method EXACT against simulations of many more hyperperiods than it needed. */
#include "property/generate.h"
#include "support/builders.h"

#include <stdlib.h>
#include <string.h>

static void add_task_op(gcast_workload *w, support_random *r, int stream)
{
    gcast_error err;
    gcast_op op = gcast_op_default(percent(r, 75) ? GCAST_KIND_KERNEL : GCAST_KIND_COPY);
    op.stream = stream;
    op.grid[0] = (uint32_t)support_between(r, 1, 7);
    op.block[0] = (uint32_t)one_of(r, 16, 32, 64, 64, 96);
    op.min_ns = op.max_ns = support_between(r, 1, 9);
    op.direction = (gcast_direction)support_between(r, 0, GCAST_DIRECTIONS - 1);
    if (percent(r, 25)) {
        op.carveout = GCAST_OP_CARVEOUT_DRIVER;
        op.shape.dynamic_smem = one_of(r, 0, 200, 500, 1000);
    }
    if (percent(r, 20))
        op.release_ns = support_between(r, 1, 15);
    if (op.kind == GCAST_KIND_COPY && percent(r, 60)) {
        op.min_ns = op.max_ns = GCAST_UNKNOWN_NS;
        op.bytes = support_between(r, 1, 20);
    }
    if (percent(r, 10))
        op.skip_ns = support_between(r, 50, 900);
    assert_true(support_add_op(w, &op, &err) >= 0);
}

/* Tasks in streams of any kind, and sometimes ops that run once beside them. */
static gcast_workload *random_system(support_random *r)
{
    gcast_error err;
    gcast_workload *w = support_workload("random", &err);
    int streams = (int)support_between(r, 1, 4), null = percent(r, 30);
    for (int i = 0; i < streams; i++) {
        gcast_stream s = {.id = i + !null, .priority = -(int)support_between(r, 0, 2), .blocking = percent(r, 40)};
        s.blocking = s.blocking || s.id == 0;
        assert_true(support_add_stream(w, s, &err) == i);
    }
    for (int64_t n = percent(r, 20) ? support_between(r, 1, 3) : 0; n > 0; n--)
        add_task_op(w, r, (int)support_between(r, 0, streams - 1));
    for (int64_t n = support_between(r, 1, 4); n > 0; n--) {
        gcast_task t = {.name = "task", .stream = (int)support_between(r, 0, streams - 1)};
        t.period_ns = t.deadline_ns = one_of(r, 20, 30, 40, 60, 60);
        t.offset_ns = percent(r, 60) ? 0 : support_between(r, 0, 50);
        assert_true(support_add_task(w, &t, &err) >= 0);
        for (int64_t k = support_between(r, 1, 2); k > 0; k--)
            add_task_op(w, r, t.stream);
    }
    return w;
}

/* Responses in a simulation that is several times as long as the window was. Ends after its horizon do not count, as
 * they are not final. */
static void brute_force(const gcast_workload *w, const gcast_gpu *gpu, uint64_t windows, int64_t *worst, int64_t *best)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    gcast_error err;
    assert_true(gcast_workload_hyperperiod(w, &options.horizon_ns));
    options.horizon_ns = options.horizon_ns * (int64_t)(windows + 40) + 100;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    for (size_t i = 0; i < w->op_count; i++) {
        worst[i] = -1;
        best[i] = INT64_MAX;
    }
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        int64_t response = gcast_response_ns(o);
        if (o->end_ns > options.horizon_ns || o->skipped)
            continue;
        worst[o->op] = response > worst[o->op] ? response : worst[o->op];
        best[o->op] = response < best[o->op] ? response : best[o->op];
    }
    gcast_run_free(run);
}

static void against_brute_force(void **state)
{
    (void)state;
    const char *more = getenv("GRIDCAST_PROPERTY_RUNS");
    long systems = more ? atol(more) : 500, complete = 0, backlog = 0;
    gcast_error err;
    for (long seed = 0; seed < systems; seed++) {
        support_random r = {(uint64_t)seed * 0x9e3779b97f4a7c15 + 5};
        support_next(&r);
        gcast_gpu *gpu = generate_gpu(&r);
        gcast_workload *w = random_system(&r);
        if (seed % 3 == 0)
            generate_dependencies(&r, w, gpu);
        gcast_analyze_options options = gcast_analyze_options_default();
        gcast_analysis *a;
        gcast_status status = gcast_workload_analyze(w, gpu, GCAST_METHOD_EXACT, &options, &a, &err);
        if (status == GCAST_OK && a->complete) {
            int64_t worst[16], best[16];
            assert_true(w->op_count <= 16);
            brute_force(w, gpu, a->states, worst, best);
            for (size_t i = 0; i < a->response_count; i++) {
                if (a->responses[i].worst_ns != worst[i] || a->responses[i].best_ns != best[i])
                    fail_msg("system %ld, op %zu: %lld to %lld, not %lld to %lld", seed, i, (long long)best[i],
                             (long long)worst[i], (long long)a->responses[i].best_ns,
                             (long long)a->responses[i].worst_ns);
            }
            complete++;
            backlog += a->states > 2;
        }
        if (status == GCAST_OK)
            gcast_analysis_free(a);
        else
            assert_int_equal(status, GCAST_INPUT); /* a block that never fits */
        gcast_workload_free(w);
        gcast_gpu_free(gpu);
    }
    print_message("%ld systems: %ld with an answer, %ld of them in more than two hyperperiods\n", systems, complete,
                  backlog);
    assert_true(complete > systems / 4);
    assert_true(backlog > complete / 50);
}

static gcast_gpu *tx2(void)
{
    gcast_gpu *gpu;
    gcast_error err;
    assert_ok(gcast_gpu_preset("tx2", &gpu, &err), &err);
    return gpu;
}

static gcast_workload *read_workload(const char *json)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read(json, strlen(json), "test", NULL, &w, &err), &err);
    return w;
}

/* One task of one kernel, in a stream of its own. */
#define TASK(stream, period, extra, threads, grid, duration)                                                           \
    "{\"name\":\"T" #stream "\",\"stream\":" #stream ",\"period_ns\":" #period extra ",\"ops\":[{\"kind\":\"kernel\"," \
    "\"label\":\"K" #stream "\",\"grid\":" #grid ",\"block\":" #threads ",\"duration_ns\":" duration "}]}"
#define TASKS(...) "{\"schema\":\"gridcast.workload/1\",\"tasks\":[" __VA_ARGS__ "]}"

static gcast_analysis *analyze(const char *json, const gcast_analyze_options *options, gcast_workload **w)
{
    gcast_gpu *gpu = tx2();
    gcast_analysis *a;
    gcast_error err;
    *w = read_workload(json);
    assert_ok(gcast_workload_analyze(*w, gpu, GCAST_METHOD_EXACT, options, &a, &err), &err);
    gcast_gpu_free(gpu);
    return a;
}

static void gives_up(const char *json, const gcast_analyze_options *options, const char *why)
{
    gcast_workload *w;
    gcast_analysis *a = analyze(json, options, &w);
    assert_false(a->complete);
    if (!strstr(a->why_not, why))
        fail_msg("\"%s\" does not say \"%s\"", a->why_not, why);
    for (size_t i = 0; i < a->response_count; i++)
        assert_true(a->responses[i].worst_ns == GCAST_NO_BOUND && a->responses[i].best_ns == 0);
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

static bool stop(void *data, double fraction)
{
    (void)data;
    (void)fraction;
    return false;
}

static void where_it_gives_up(void **state)
{
    (void)state;
    gcast_analyze_options any = gcast_analyze_options_default(), stopped = any;
    any.any_order = true;
    stopped.progress = stop;
    gives_up(TASKS(TASK(1, 100, "", 512, 8, "{\"min\":5,\"max\":6}")), NULL, "K1 is a range");
    gives_up(TASKS(TASK(1, 100, ",\"jitter_ns\":3", 512, 8, "5")), NULL, "T1 has jitter");
    gives_up(TASKS(TASK(1, 100, "", 512, 8, "5") "," TASK(2, 100, "", 512, 8, "5")), &any, "any order");
    gives_up(TASKS(TASK(1, 100, "", 512, 8, "5")), &stopped, "stopped");
    gives_up(TASKS(TASK(1, 100, "", 512, 16, "60")), NULL, "120.0 % of the threads of all SMs");
    gives_up(TASKS(TASK(1, 100, "", 512, 1, "101")), NULL, "101.0 % of the time of stream 1");
    gives_up(TASKS(TASK(1, 2305843009213693951, "", 32, 1, "5") "," TASK(2, 2305843009213693950, "", 32, 1, "5")), NULL,
             "does not fit");
    gives_up(TASKS(TASK(1, 999999937, "", 32, 1, "5") "," TASK(2, 7, "", 32, 1, "5")), NULL, "two hyperperiods");
    /* 768 threads: two blocks per SM, so that 1/4 of the threads stays unused, which no sum of threads shows */
    gives_up(TASKS(TASK(1, 100, "", 768, 4, "60") "," TASK(2, 100, "", 768, 4, "60")), NULL, "1024 hyperperiods");
}

static void expect(const char *json, const gcast_analyze_options *options, const int64_t (*want)[2])
{
    gcast_workload *w;
    gcast_analysis *a = analyze(json, options, &w);
    assert_true(a->complete);
    assert_null(a->why_not);
    for (size_t i = 0; i < a->response_count; i++) {
        assert_int_equal(a->responses[i].best_ns, want[i][0]);
        assert_int_equal(a->responses[i].worst_ns, want[i][1]);
    }
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

#define WANT(...) ((const int64_t[][2]){__VA_ARGS__})

/* By hand: a kernel that fills the GPU for 40 of 60 beside a short one every 20. */
static void by_hand(void **state)
{
    (void)state;
    const char *both = TASKS(TASK(1, 60, "", 512, 16, "20") "," TASK(2, 20, "", 512, 8, "5"));
    gcast_analyze_options window = gcast_analyze_options_default();
    window.horizon_ns = 20;
    expect(both, NULL, WANT({40, 40}, {15, 45}));
    expect(both, &window, WANT({40, 40}, {45, 45}));
}

/* At full utilization the GPU is never idle. */
static void never_idle(void **state)
{
    (void)state;
    expect(TASKS(TASK(1, 40, "", 1024, 4, "20") "," TASK(2, 40, ",\"offset_ns\":5", 1024, 4, "20")), NULL,
           WANT({20, 20}, {35, 35}));
}

/* An op that runs once delays only the first jobs. */
static void once_beside_tasks(void **state)
{
    (void)state;
    expect("{\"schema\":\"gridcast.workload/1\",\"ops\":[{\"kind\":\"kernel\",\"label\":\"A\",\"stream\":2,\"grid\":8,"
           "\"block\":512,\"duration_ns\":150}],\"tasks\":[" TASK(1, 40, "", 512, 8, "10") "]}",
           NULL, WANT({150, 150}, {10, 160}));
}

/* Round robin remembers the last SM: in the first period A is on SM 0 and delays one block of B, which may use SMs 0
 * and 1; later A is on SM 2. */
static void remembers_the_last_sm(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("three SMs, a block each", 8, 6, 3, &err);
    assert_non_null(gpu);
    gpu->placement = GCAST_PLACE_ROUND_ROBIN;
    gcast_workload *w =
        read_workload(TASKS(TASK(1, 40, "", 1024, 1, "10") "," TASK(2, 40, "", 1024, 2, "5,\"allowed_sms\":[0,1]")));
    gcast_analysis *a;
    assert_ok(gcast_workload_analyze(w, gpu, GCAST_METHOD_EXACT, NULL, &a, &err), &err);
    assert_true(a->complete);
    assert_int_equal(a->responses[1].worst_ns, 10);
    assert_int_equal(a->responses[1].best_ns, 5);
    gcast_analysis_free(a);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

/* An op that its host skips has no response, and the analysis says so. */
static void never_called(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_analysis *a = analyze("{\"schema\":\"gridcast.workload/1\",\"ops\":[{\"kind\":\"kernel\",\"label\":\"A\","
                                "\"stream\":1,\"host\":\"h\",\"release_ns\":9,\"skip_ns\":5,\"grid\":1,\"block\":32,"
                                "\"duration_ns\":7}]}",
                                NULL, &w);
    assert_true(a->complete);
    assert_int_equal(a->responses[0].worst_ns, 0);
    assert_true(a->responses[0].never_called);
    assert_non_null(strstr(a->assumptions[a->assumption_count - 1], "A is never called"));
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(never_called),
        cmocka_unit_test(remembers_the_last_sm),
        cmocka_unit_test(never_idle),
        cmocka_unit_test(once_beside_tasks),
        cmocka_unit_test(where_it_gives_up),
        cmocka_unit_test(against_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

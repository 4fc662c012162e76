/* Workloads in the model of the thesis: where it applies it gives what the simulator gives, on any GPU; where it does
 * not apply it says why. */
#include "analyze/answer.h"
#include "papers/thesis/thesis.h"
#include "papers/thesis/thesis_method.h"
#include "property/generate.h"
#include "support/builders.h"

#include <string.h>

#define MOST_OPS 12

static gcast_status analyze(const gcast_workload *w, const gcast_gpu *gpu, const int64_t *periods_ns,
                            const gcast_analyze_options *options, gcast_analysis **a, gcast_error *err)
{
    static added_method method;
    method = thesis_method(periods_ns);
    return added_method_analyze(&method, w, gpu, options, a, err);
}

/* Kernels of one shape, each in a stream of its own, sometimes periodic, sometimes called by host threads. */
static gcast_workload *random_kernels(support_random *r)
{
    gcast_error err;
    gcast_workload *w = support_workload("random", &err);
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.block[0] = (uint32_t)one_of(r, 16, 32, 64, 96, 128);
    bool tasks = percent(r, 40), late = percent(r, 50), own_periods = percent(r, 50), by_hosts = percent(r, 40);
    int64_t period = one_of(r, 100, 400, 1000);
    int hosts[] = {support_add_host(w, "h", &err), support_add_host(w, "i", &err)};
    int priority = -(int)support_between(r, 0, 2);
    for (int64_t n = support_between(r, 1, MOST_OPS), i = 0; i < n; i++) {
        gcast_stream stream = {.id = (int)i + 1, .priority = priority, .blocking = percent(r, 30)};
        op.stream = support_add_stream(w, stream, &err);
        op.grid[0] = (uint32_t)support_between(r, 1, 40);
        op.min_ns = op.max_ns = support_between(r, 1, 12);
        op.release_ns = late ? support_between(r, 0, 60) : 0;
        op.host = !tasks && by_hosts ? hosts[support_between(r, 0, 1)] : GCAST_NO_HOST;
        op.delay_ns = op.host != GCAST_NO_HOST && late ? support_between(r, 0, 9) : 0;
        if (own_periods)
            period = support_between(r, 70, 400);
        gcast_task t = {.name = "task", .stream = op.stream, .period_ns = period, .deadline_ns = period};
        t.offset_ns = own_periods && late ? support_between(r, 0, 200) : 0;
        if (own_periods && i == 0 && percent(r, 20)) /* beside tasks it runs once */
            assert_true(support_add_op(w, &op, &err) >= 0);
        else
            assert_true((!tasks || support_add_task(w, &t, &err) >= 0) && support_add_op(w, &op, &err) >= 0);
    }
    return w;
}

/* The first jobs that are called before any second job: the simulator's responses of these. */
static int check_first_jobs(const gcast_workload *w, const gcast_gpu *gpu, const gcast_analysis *a)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    gcast_error err;
    int checked = 0;
    options.horizon_ns = 1000;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_response *r = &a->responses[run->ops[i].op];
        if (run->ops[i].job || !r->reached_ns)
            continue;
        assert_int_equal(r->reached_ns, gcast_response_ns(&run->ops[i]));
        checked++;
    }
    gcast_run_free(run);
    return checked;
}

/* The simulator's responses of every op, over all jobs of some periods. */
static void check(const gcast_workload *w, const gcast_gpu *gpu, const gcast_analysis *a)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    gcast_error err;
    if (w->task_count)
        options.horizon_ns = 5 * w->tasks[0].period_ns;
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    for (size_t i = 0; i < run->op_count; i++) {
        assert_int_equal(a->responses[run->ops[i].op].worst_ns, gcast_response_ns(&run->ops[i]));
        assert_int_equal(a->responses[run->ops[i].op].best_ns, gcast_response_ns(&run->ops[i]));
    }
    gcast_run_free(run);
}

static void gives_what_the_simulator_gives(void **state)
{
    (void)state;
    int complete = 0, tasks = 0, by_hosts = 0, first_jobs = 0, runs = 5000;
    for (int seed = 0; seed < runs; seed++) {
        support_random r = {(uint64_t)seed * 0x9e3779b97f4a7c15 + 3};
        support_next(&r);
        gcast_gpu *gpu = generate_gpu(&r);
        gcast_workload *w = random_kernels(&r);
        gcast_analysis *a;
        gcast_error err;
        gcast_status status = analyze(w, gpu, NULL, NULL, &a, &err);
        if (status == GCAST_OK && a->complete) {
            check(w, gpu, a);
            complete++;
            tasks += w->task_count > 0;
            by_hosts += w->ops[0].host != GCAST_NO_HOST;
        } else if (status == GCAST_OK && analysis_has_times(a)) {
            first_jobs += check_first_jobs(w, gpu, a);
        }
        if (status == GCAST_OK)
            gcast_analysis_free(a);
        else
            assert_int_equal(status, GCAST_INPUT); /* a block that never fits */
        gcast_workload_free(w);
        gcast_gpu_free(gpu);
    }
    assert_true(complete > runs / 4);
    assert_true(tasks > runs / 50);
    assert_true(by_hosts > runs / 20);
    assert_true(first_jobs > runs / 5);
}

#define K(label, stream, rest)                                                                                         \
    "{\"kind\":\"kernel\",\"label\":\"" label "\",\"stream\":" #stream ",\"grid\":4," rest "}"
#define SHAPE "\"block\":512,\"duration_ns\":5"
#define OPS(ops) "{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"ops\":[" ops "]}"
#define TASK(name, stream, rest, ops) "{\"name\":\"" name "\",\"stream\":" #stream "," rest ",\"ops\":[" ops "]}"
#define IN_TASK(rest) "{\"kind\":\"kernel\",\"grid\":4," rest "}"
#define TASKS(tasks) "{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"tasks\":[" tasks "]}"

static void gives_up(const char *json, bool any_order, const char *why)
{
    gcast_workload *w;
    gcast_analysis *a;
    gcast_error err;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.any_order = any_order;
    assert_ok(gcast_workload_read(json, strlen(json), "test", NULL, &w, &err), &err);
    assert_ok(analyze(w, NULL, NULL, &options, &a, &err), &err);
    assert_false(a->complete);
    if (!strstr(a->why_not, why))
        fail_msg("\"%s\" does not say \"%s\"", a->why_not, why);
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

static void where_it_does_not_apply(void **state)
{
    (void)state;
    gives_up(OPS(K("A", 1, SHAPE) "," K("B", 2, "\"block\":256,\"duration_ns\":5")), false, "B has blocks of another");
    gives_up(OPS(K("A", 1, SHAPE) "," K("B", 1, SHAPE)), false, "B shares its stream");
    gives_up(OPS(K("A", 1, SHAPE) "," K("B", 2, SHAPE)), true, "needs one order");
    gives_up(OPS(K("A", 1, "\"block\":512,\"duration_ns\":{\"min\":1,\"max\":2}")), false, "A has blocks of different");
    gives_up(OPS(K("A", 1, "\"block\":512,\"block_ns\":[1,1,1,2]")), false, "A has blocks of different");
    gives_up(OPS(K("A", 1, SHAPE ",\"allowed_sms\":[1]")), false, "some SMs only");
    gives_up(OPS(K("A", 1, SHAPE ",\"host\":\"h\",\"host_waits\":true") "," K("B", 2, SHAPE ",\"host\":\"h\"")), false,
             "B is called after its host thread has waited");
    gives_up(OPS(K("A", 1, "\"block\":96,\"duration_ns\":5")), false, "is not a multiple of four");
    gives_up(OPS("{\"kind\":\"copy\",\"label\":\"C\",\"stream\":1,\"direction\":\"h2d\",\"bytes\":1}"), false,
             "C is not a kernel");
    gives_up("{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"streams\":[{\"id\":1,\"priority\":-1},{\"id\":2}],"
             "\"ops\":[" K("A", 1, SHAPE) "," K("B", 2, SHAPE) "]}",
             false, "B has another priority");
    gives_up(
        "{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"streams\":[{\"id\":1,\"blocking\":true}],\"ops\":[" K(
            "A", 0, SHAPE) "," K("B", 1, SHAPE) "]}",
        false, "A is in the NULL stream");
    gives_up(TASKS(TASK("S", 1, "\"period_ns\":20,\"jitter_ns\":1", IN_TASK(SHAPE))), false, "S has jitter");
}

/* Calls that take from 0 to 100 ns are executions of which the thesis has one. */
static void latencies_are_no_range(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_analysis *a;
    gcast_error err;
    gcast_analyze_options options = gcast_analyze_options_default();
    const char *json = OPS(K("A", 1, SHAPE));
    options.launch_min_ns = 0;
    options.launch_max_ns = 100;
    assert_ok(gcast_workload_read(json, strlen(json), "test", NULL, &w, &err), &err);
    assert_ok(analyze(w, NULL, NULL, &options, &a, &err), &err);
    assert_false(a->complete);
    assert_non_null(strstr(a->why_not, "launch latency is a range"));
    gcast_analysis_free(a);
    gcast_workload_free(w);
}

/* As every analysis it refuses kernels that the GPU does not schedule alone. */
static void policies_are_refused(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_thesis *t;
    gcast_error err;
    const char *json = OPS(K("A", 1, SHAPE ",\"policy\":\"sm_centric\",\"plan\":{}"));
    assert_ok(gcast_workload_read(json, strlen(json), "test", NULL, &w, &err), &err);
    assert_int_equal(gcast_thesis_create(w, w->gpu, NULL, &t, &err), GCAST_INPUT);
    assert_string_equal(err.message, "A has the policy sm_centric: the thesis does not cover it");
    assert_string_equal(err.path, "/ops/0/policy");
    gcast_workload_free(w);
}

typedef struct wanted {
    int64_t f_ns, response_ns, u; /* u in thousandths of a thread */
    gcast_deadline_verdict verdict;
} wanted;

/* Of kernels that are in the order of their launches. */
static void gives(const char *json, const int64_t *periods_ns, bool complete, const char *why_not, size_t count,
                  const wanted *want, int64_t total)
{
    gcast_workload *w;
    gcast_analysis *a;
    gcast_answer *answer;
    gcast_error err;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.launch_max_ns = 0; /* so that no verdict is on a condition */
    assert_ok(gcast_workload_read(json, strlen(json), "test", NULL, &w, &err), &err);
    assert_ok(analyze(w, NULL, periods_ns, &options, &a, &err), &err);
    assert_ok(gcast_answer_create(w, w->gpu, &a, 1, &answer, &err), &err);
    assert_int_equal(a->complete, complete);
    assert_true(complete || strstr(a->why_not, why_not));
    const gcast_thesis *t = gcast_answer_thesis(answer);
    assert_non_null(t);
    assert_int_equal(t->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t->ops[i], i);
        assert_int_equal(t->completions_ns[i], want[i].f_ns);
        assert_int_equal(t->responses_ns[i], want[i].response_ns);
        assert_int_equal(t->utilisations[i], want[i].u);
        assert_int_equal(gcast_answer_verdict(answer, &answer->responses[i]), want[i].verdict);
        assert_int_equal(a->responses[i].worst_ns, complete ? want[i].response_ns : GCAST_NO_BOUND);
    }
    assert_int_equal(t->total_utilisation, total);
    gcast_answer_free(answer);
    gcast_workload_free(w);
}

#define NONE GCAST_DEADLINE_NONE
#define MET GCAST_DEADLINE_MET
#define MISSED GCAST_DEADLINE_MISSED
#define OPEN GCAST_DEADLINE_OPEN
#define WANT(...) ((const wanted[]){__VA_ARGS__})
#define EVERY(ns) "\"period_ns\":" #ns

/* u = 5 * 4 * 512 / T. */
static void one_release_of_tasks(void **state)
{
    (void)state;
    gives(TASKS(TASK("S", 1, EVERY(20), IN_TASK(SHAPE)) "," TASK("T", 2, EVERY(20), IN_TASK(SHAPE)) "," TASK(
              "V", 3, EVERY(20) ",\"offset_ns\":2", IN_TASK(SHAPE))),
          NULL, true, NULL, 3, WANT({5, 5, 512000, MET}, {5, 5, 512000, MET}, {10, 8, 512000, MET}), 1536000);
    gives(TASKS(TASK("S", 1, EVERY(20), IN_TASK(SHAPE)) "," TASK("T", 2, EVERY(30), IN_TASK(SHAPE)) "," TASK(
              "V", 3, EVERY(9), IN_TASK(SHAPE))),
          NULL, false, "another period", 3, WANT({5, 5, 512000, OPEN}, {5, 5, 341333, OPEN}, {10, 10, 1137778, MISSED}),
          1991111);
    gives(TASKS(TASK("S", 1, EVERY(4), IN_TASK(SHAPE)) "," TASK("T", 2, EVERY(4) ",\"deadline_ns\":6", IN_TASK(SHAPE))),
          NULL, false, "ends at 5ns", 2, WANT({5, 5, 2560000, MISSED}, {5, 5, 2560000, OPEN}), 5120000);
}

/* T is called when a second job of S is in the way, which the thesis leaves out: nothing is shown. */
static void second_jobs_in_the_way(void **state)
{
    (void)state;
    gives(TASKS(TASK("S", 1, EVERY(5), IN_TASK(SHAPE)) "," TASK("T", 2, EVERY(4) ",\"offset_ns\":7", IN_TASK(SHAPE))),
          NULL, false, "another period", 2, WANT({5, 5, 2048000, OPEN}, {12, 5, 2560000, OPEN}), 4608000);
}

static void given_periods(void **state)
{
    (void)state;
    const char *json = OPS(K("A", 1, SHAPE) "," K("B", 2, SHAPE ",\"release_ns\":3"));
    const int64_t same[] = {20, 20}, one[] = {20, 0}, tight[] = {20, 4};
    gives(json, NULL, true, NULL, 2, WANT({5, 5, 0, NONE}, {8, 5, 0, NONE}), 0);
    gives(json, same, true, NULL, 2, WANT({5, 5, 512000, MET}, {8, 5, 512000, MET}), 1024000);
    gives(json, one, false, "A has a period, and others have none", 2, WANT({5, 5, 512000, OPEN}, {8, 5, 0, NONE}),
          512000);
    gives(json, tight, false, "another period", 2, WANT({5, 5, 512000, OPEN}, {8, 5, 2560000, MISSED}), 3072000);
}

#define HOST(name, rest) SHAPE ",\"host\":\"" name "\"" rest
#define SYNC(name) "{\"kind\":\"sync\",\"label\":\"S\",\"stream\":3,\"host\":\"" name "\"}"

/* Calls of host threads whose times are known, and a wait at the end. */
static void host_threads(void **state)
{
    (void)state;
    const char *json =
        OPS(K("A", 1, HOST("h", "")) "," K("B", 2, HOST("i", ",\"release_ns\":2,\"host_waits\":true")) "," K(
            "C", 3, HOST("h", ",\"delay_ns\":4")) "," SYNC("h"));
    gives(json, NULL, true, NULL, 3, WANT({5, 5, 0, NONE}, {7, 5, 0, NONE}, {10, 6, 0, NONE}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_the_simulator_gives),
        cmocka_unit_test(where_it_does_not_apply),
        cmocka_unit_test(latencies_are_no_range),
        cmocka_unit_test(policies_are_refused),
        cmocka_unit_test(one_release_of_tasks),
        cmocka_unit_test(second_jobs_in_the_way),
        cmocka_unit_test(given_periods),
        cmocka_unit_test(host_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

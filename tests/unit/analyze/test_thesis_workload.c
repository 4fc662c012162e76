/* Workloads in the model of the thesis: where it applies it gives what the simulator gives, on any GPU; where it does
 * not apply it says why. */
#include "property/generate.h"
#include "support/builders.h"

#include <string.h>

#define MOST_OPS 12

/* Kernels of one shape, each in a stream of its own, and sometimes periodic. */
static gcast_workload *random_kernels(support_random *r)
{
    gcast_error err;
    gcast_workload *w = support_workload("random", &err);
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.block[0] = (uint32_t)one_of(r, 16, 32, 64, 96, 128);
    bool tasks = percent(r, 30), late = percent(r, 50);
    int64_t period = one_of(r, 100, 400, 1000);
    int priority = -(int)support_between(r, 0, 2);
    for (int64_t n = support_between(r, 1, MOST_OPS), i = 0; i < n; i++) {
        gcast_stream stream = {.id = (int)i + 1, .priority = priority, .blocking = percent(r, 30)};
        op.stream = support_add_stream(w, stream, &err);
        op.grid[0] = (uint32_t)support_between(r, 1, 40);
        op.min_ns = op.max_ns = support_between(r, 1, 12);
        op.release_ns = late ? support_between(r, 0, 60) : 0;
        gcast_task t = {.name = "task", .stream = op.stream, .period_ns = period, .deadline_ns = period};
        assert_true(!tasks || support_add_task(w, &t, &err) >= 0);
        assert_true(support_add_op(w, &op, &err) >= 0);
    }
    return w;
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
    int complete = 0, tasks = 0, runs = 5000;
    for (int seed = 0; seed < runs; seed++) {
        support_random r = {(uint64_t)seed * 0x9e3779b97f4a7c15 + 3};
        support_next(&r);
        gcast_gpu *gpu = generate_gpu(&r);
        gcast_workload *w = random_kernels(&r);
        gcast_analysis *a;
        gcast_error err;
        gcast_status status = gcast_workload_analyze(w, gpu, GCAST_METHOD_THESIS, NULL, &a, &err);
        if (status == GCAST_OK && a->complete) {
            check(w, gpu, a);
            complete++;
            tasks += w->task_count > 0;
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
    assert_ok(gcast_workload_analyze(w, NULL, GCAST_METHOD_THESIS, &options, &a, &err), &err);
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
    gives_up(OPS(K("A", 1, SHAPE) "," K("B", 2, SHAPE)), true, "one order of launches");
    gives_up(OPS(K("A", 1, "\"block\":512,\"duration_ns\":{\"min\":1,\"max\":2}")), false, "A has blocks of different");
    gives_up(OPS(K("A", 1, "\"block\":512,\"block_ns\":[1,1,1,2]")), false, "A has blocks of different");
    gives_up(OPS(K("A", 1, SHAPE ",\"allowed_sms\":[1]")), false, "some SMs only");
    gives_up(OPS(K("A", 1, SHAPE ",\"host\":\"h\"")), false, "A belongs to a host");
    gives_up(OPS(K("A", 1, "\"block\":96,\"duration_ns\":5")), false, "do not divide by four");
    gives_up(OPS("{\"kind\":\"copy\",\"label\":\"C\",\"stream\":1,\"direction\":\"h2d\",\"bytes\":1}"), false,
             "C is not a kernel");
    gives_up("{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"streams\":[{\"id\":1,\"priority\":-1},{\"id\":2}],"
             "\"ops\":[" K("A", 1, SHAPE) "," K("B", 2, SHAPE) "]}",
             false, "B has another priority");
    gives_up(
        "{\"schema\":\"gridcast.workload/1\",\"gpu\":\"tx2\",\"streams\":[{\"id\":1,\"blocking\":true}],\"ops\":[" K(
            "A", 0, SHAPE) "," K("B", 1, SHAPE) "]}",
        false, "A is in the NULL stream");
    gives_up(
        TASKS(TASK("S", 1, "\"period_ns\":20", IN_TASK(SHAPE)) "," TASK("T", 2, "\"period_ns\":30", IN_TASK(SHAPE))),
        false, "T has another period");
    gives_up(TASKS(TASK("S", 1, "\"period_ns\":20,\"jitter_ns\":1", IN_TASK(SHAPE))), false, "S has jitter");
    gives_up(TASKS(TASK("S", 1, "\"period_ns\":4", IN_TASK(SHAPE))), false, "ends at 5ns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_the_simulator_gives),
        cmocka_unit_test(where_it_does_not_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

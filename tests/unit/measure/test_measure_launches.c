/* Graphs, clusters, cooperative and programmatic launches, and blocks that wait, measured against a driver without a
 * GPU (tests/measure/stub_graph.c): what the driver is asked for, what the runs hold, and that every call that fails is
 * reported and leaks nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stub_client.h"
#include "support/support.h"

#define WORKLOAD(more) "{\"schema\": \"gridcast.workload/1\", " more "}"
#define KERNEL(label, more)                                                                                            \
    "{\"kind\": \"kernel\", \"label\": \"" label "\", \"block\": 32, \"duration_ns\": 5000, " more "}"
#define STEP "\"stream\": 1, \"graph\": \"step\", "

/* A graph that is launched by a host and waits for another stream, and one of every kind of launch behind it. */
static const char everything[] = WORKLOAD(
    "\"streams\": [{\"id\": 1}, {\"id\": 2}], \"ops\": ["
    "{\"kind\": \"kernel\", \"label\": \"pre\", \"stream\": 2, \"grid\": 2, \"block\": 32, "
    "\"duration_ns\": 1000},"
    "{\"kind\": \"copy\", \"label\": \"in\", " STEP "\"direction\": \"h2d\", \"bytes\": 1000, \"after\": [\"pre\"]}," //
    KERNEL("a", STEP "\"grid\": 4, \"cluster\": 2, \"trigger_ns\": 1000, \"after\": [\"in\"]") ","                    //
    KERNEL("b", STEP "\"grid\": 4, \"wait_ns\": 100, \"after\": [{\"op\": \"a\", \"port\": "
                     "\"programmatic\"}]") "," //
    KERNEL("c", STEP "\"grid\": 2, \"after\": [{\"op\": \"a\", \"port\": \"launch_completion\"}, "
                     "\"in\"]") "," //
                                "{\"kind\": \"memset\", \"label\": \"clear\", " STEP
                                "\"bytes\": 10, \"after\": [\"b\"]},"
                                "{\"kind\": \"copy\", \"label\": \"out\", " STEP
                                "\"direction\": \"d2h\", \"bytes\": 900, \"after\": [\"clear\"]},"
                                "{\"kind\": \"copy\", \"label\": \"over\", " STEP
                                "\"direction\": \"d2d\", \"bytes\": 90, \"after\": [\"clear\"]}," //
    KERNEL("post", "\"stream\": 1, \"grid\": [4, 4, 1], \"cluster\": [4, 4, 1]") ","              //
    KERNEL("next", "\"stream\": 1, \"grid\": 2, \"wait_ns\": 10, \"programmatic\": true") ","     //
    KERNEL("meet", "\"stream\": 2, \"grid\": 8, \"cooperative\": true, \"waits_for\": [\"meet\", \"pre\"], "
                   "\"after\": [\"out\"]") "],"
                                           "\"tasks\": [{\"name\": \"T\", \"stream\": 2, \"period_ns\": "
                                           "50000, \"ops\": ["
                                           "{\"kind\": \"kernel\", \"label\": \"x\", \"graph\": \"job\", "
                                           "\"grid\": 1, \"block\": 32, \"duration_ns\": 9},"
                                           "{\"kind\": \"kernel\", \"label\": \"y\", \"graph\": \"job\", "
                                           "\"grid\": 1, \"block\": 32, \"duration_ns\": 9,"
                                           " \"after\": [\"x\"], \"waits_for\": [\"x\"]}]}]");

static gcast_workload *workload(const char *text)
{
    gcast_error err;
    gcast_workload *w = NULL;
    assert_ok(gcast_workload_read(text, strlen(text), "test", NULL, &w, &err), &err);
    return w;
}

/* Two jobs of tasks. */
static gcast_status measure(const gcast_workload *w, const char *library, gcast_run **runs, size_t count,
                            gcast_error *err)
{
    gcast_measure_options options = gcast_measure_options_default();
    options.library = library;
    options.horizon_ns = w->task_count ? 100000 : 0;
    return gcast_workload_measure(w, &options, runs, count, err);
}

static const gcast_run_op *op_of(const gcast_run *run, const char *label)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (strcmp(run->workload->ops[run->ops[i].op].label, label) == 0)
            return &run->ops[i];
    fail_msg("no %s", label);
    return NULL;
}

static void check_run(const gcast_run *run)
{
    static const char *const nodes[] = {"in", "a", "b", "c", "clear", "out", "over"};
    const gcast_run_op *first = op_of(run, "in"), *post = op_of(run, "post");
    assert_null(run->hang);
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        const gcast_run_op *o = op_of(run, nodes[i]);
        assert_int_equal(o->call_ns, first->call_ns);
        assert_int_equal(o->return_ns, first->return_ns);
        assert_int_equal(o->launch, first->launch + i);
        assert_true(o->start_ns >= first->start_ns && o->end_ns >= o->start_ns);
    }
    assert_int_equal(op_of(run, "a")->end_ns, op_of(run, "a")->blocks[3].start_ns + 5000);
    assert_int_equal(first->end_ns, op_of(run, "a")->start_ns); /* which alone tells it */
    assert_true(op_of(run, "clear")->start_ns >= op_of(run, "b")->end_ns);
    assert_int_equal(op_of(run, "clear")->end_ns, op_of(run, "clear")->start_ns); /* nothing tells it */
    assert_int_equal(op_of(run, "over")->start_ns, op_of(run, "clear")->end_ns);
    assert_true(post->call_ns >= first->return_ns && post->launch >= first->launch + 7);
    assert_true(op_of(run, "next")->end_ns >= post->end_ns); /* it is programmatic behind that */
    assert_true(op_of(run, "next")->blocks[1].end_ns <= op_of(run, "next")->end_ns);
    assert_int_equal(op_of(run, "meet")->block_count, 8);
    assert_int_equal(run->op_count, 15);
    assert_int_equal(run->ops[13].job, 1);
    assert_int_equal(run->ops[14].call_ns, run->ops[13].call_ns);
}

static void test_everything(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *runs[2];
    gcast_workload *w = workload(everything);
    assert_ok(measure(w, STUB_CUDA, runs, 2, &err), &err);
    check_run(runs[0]);
    check_run(runs[1]);
    gcast_run_free(runs[0]);
    gcast_run_free(runs[1]);
    assert_int_equal(stub_ask("stub_seen_uploads"), 3); /* of the graph, and of one of each job */
    assert_int_equal(stub_ask("stub_seen_graphs"), 6);
    assert_int_equal(stub_ask("stub_seen_events"), 2); /* behind the copy that nothing is after */
    assert_int_equal(stub_ask("stub_seen_nodes"), 2 * (7 + 1 + 2 + 2));
    assert_int_equal(stub_ask("stub_seen_ports"), 2);
    assert_int_equal(stub_ask("stub_seen_programmatic"), 3); /* once to warm up, and in both runs */
    assert_int_equal(stub_ask("stub_seen_cooperative"), 3);
    assert_int_equal(stub_ask("stub_seen_clusters"),
                     2 + 1 + 2); /* two warmed up, one made a node, one launched twice */
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    gcast_workload_free(w);
}

/* Lets the first call fail, then the second, and so on, until none fails. */
static void test_every_failure(void **state)
{
    (void)state;
    gcast_workload *w = workload(everything);
    int n = 0;
    gcast_status status = GCAST_GPU;
    while (status == GCAST_GPU && n < 1000) {
        char number[16];
        gcast_error err;
        gcast_run *run = NULL;
        stub_restart(NULL);
        snprintf(number, sizeof number, "%d", ++n);
        setenv("STUB_FAIL", number, 1);
        status = measure(w, STUB_CUDA, &run, 1, &err);
        assert_int_equal(stub_ask("stub_outstanding"), 0);
        if (status == GCAST_GPU) {
            assert_null(run);
            assert_non_null(strstr(err.message, "CUDA_ERROR_UNKNOWN"));
        }
        gcast_run_free(run);
    }
    assert_int_equal(status, GCAST_OK);
    assert_in_range(n, 120, 999);
    gcast_workload_free(w);
}

/* 20 blocks wait for each other where 8 have room; a kernel behind them and a copy never run, and what is called when
 * the blocks have given up is not called in time. */
static void test_hang(void **state)
{
    (void)state;
    gcast_error err;
    gcast_run *run;
    gcast_workload *w = workload(
        WORKLOAD("\"ops\": [" KERNEL("meet", "\"stream\": 1, \"grid\": 20, \"wait_ns\": 2000, \"waits_for\": "
                                             "[\"meet\"]") ","
                                                           "{\"kind\": \"copy\", \"label\": \"in\", \"stream\": 2, "
                                                           "\"direction\": \"h2d\", \"bytes\": 8}," //
                 KERNEL("late", "\"stream\": 3, \"grid\": 1, \"release_ns\": 3050000000") "]"));
    gcast_measure_options options = gcast_measure_options_default();
    options.library = STUB_CUDA;
    options.limit_ns = 6000000000; /* blocks give up after half of it */
    assert_ok(gcast_workload_measure(w, &options, &run, 1, &err), &err);
    assert_non_null(run->hang);
    assert_int_equal(run->hang->op_count, 1);
    assert_int_equal(run->hang->ops[0].run_op, 0);
    assert_int_equal(run->hang->ops[0].resident, 8);
    assert_int_equal(run->hang->ops[0].not_started, 12);
    assert_int_equal(run->end_ns, run->hang->time_ns);
    const gcast_run_op *meet = &run->ops[0];
    assert_int_equal(meet->end_ns, -1);
    assert_int_equal(meet->dispatched_ns, -1);
    assert_int_equal(meet->blocks[0].end_ns, run->hang->time_ns);
    assert_true(run->hang->time_ns >= meet->blocks[7].start_ns + 2000);
    assert_true(run->hang->time_ns < meet->blocks[0].start_ns + 3000000000);
    assert_int_equal(meet->blocks[8].start_ns, -1);
    assert_true(run->ops[1].end_ns >= run->ops[1].start_ns && run->ops[1].end_ns >= 0);
    assert_true(run->ops[2].skipped && !run->ops[2].blocks && run->ops[2].call_ns == -1);
    assert_string_equal(run->notes[0], "blocks gave up after they had waited for 3s for blocks that had not started");
    gcast_run_free(run);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    gcast_workload_free(w);
}

static void refused(const char *text, const char *library, gcast_status expected, const char *message, const char *path)
{
    gcast_error err;
    gcast_run *run = NULL;
    gcast_workload *w = workload(text);
    assert_int_equal(measure(w, library, &run, 1, &err), expected);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    assert_null(run);
    assert_int_equal(stub_ask("stub_outstanding"), 0);
    gcast_workload_free(w);
}

static void test_refused(void **state)
{
    (void)state;
    static const char clusters[] = WORKLOAD("\"ops\": [" KERNEL("K", "\"stream\": 1, \"grid\": 2, \"cluster\": 2") "]");
    static const char graph[] = WORKLOAD("\"ops\": [" KERNEL("K", STEP "\"grid\": 2") "]");
    static const char ports[] = WORKLOAD("\"ops\": [" KERNEL("K", STEP "\"grid\": 2") "," KERNEL(
        "L", STEP "\"grid\": 2, \"after\": [{\"op\": \"K\", \"port\": \"launch_completion\"}]") "]");
    refused(WORKLOAD("\"ops\": [" KERNEL("K", "\"stream\": 1, \"grid\": 1, \"trigger_ns\": 2, \"body\": "
                                              "\"timer_spin\"") "]"),
            STUB_CUDA, GCAST_INPUT,
            "K: blocks that trigger, wait or are waited for cannot be measured with the body timer_spin", "/ops/0");
    refused(WORKLOAD("\"ops\": [" KERNEL("K", "\"stream\": 1, \"grid\": 1, \"waits_for\": [\"L\"]") "," KERNEL(
                "L", "\"stream\": 2, \"grid\": 1, \"body\": \"timer_spin\"") "]"),
            STUB_CUDA, GCAST_INPUT,
            "L: blocks that trigger, wait or are waited for cannot be measured with the body timer_spin", "/ops/1");
    refused(WORKLOAD("\"ops\": [" KERNEL("K", "\"stream\": 1, \"grid\": 999, \"cooperative\": true") "]"), STUB_CUDA,
            GCAST_INPUT, "K is cooperative, and only 256 of its 999 blocks can be resident at once on Stub 0",
            "/ops/0");
    refused(clusters, STUB_CUDA_OLD, GCAST_GPU,
            "this driver has no clusters, cooperative and programmatic launches: that needs CUDA 11.8", "/ops/0");
    refused(graph, STUB_CUDA_OLD, GCAST_GPU, "this driver cannot launch such graphs; that needs CUDA 12.0", "/ops/0");
    setenv("STUB_CC", "8", 1);
    refused(clusters, STUB_CUDA, GCAST_INPUT, "K has clusters, which needs compute capability 9.0: Stub 0 has 8.0",
            "/ops/0/cluster");
    refused(ports, STUB_CUDA, GCAST_INPUT, "L has edges with ports, which needs compute capability 9.0: Stub 0 has 8.0",
            "/ops/1/after");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_everything, stub_restart),
        cmocka_unit_test_setup(test_every_failure, stub_restart),
        cmocka_unit_test_setup(test_hang, stub_restart),
        cmocka_unit_test_setup(test_refused, stub_restart),
    };
    return cmocka_run_group_tests(tests, stub_open, stub_close);
}

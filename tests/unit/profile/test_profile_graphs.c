/* Launches of CUDA graphs: nodes, edges that are told and that are inferred, and how long nodes take. */
#include <string.h>

#include "gridcast/simulate.h"
#include "support/small_trace.h"

#define GPU "h200"

/* "a b" where op is after a and b, in this order; "" where it is after none. */
static void assert_after(const small_made *m, const char *op, const char *befores)
{
    const gcast_workload *both[] = {m->made.workload, m->made.recorded};
    for (int i = 0; i < 2; i++) {
        const gcast_op *x = small_op(both[i], op);
        char list[256] = "";
        for (size_t k = 0; k < x->after_count; k++) {
            strcat(list, k ? " " : "");
            strcat(list, both[i]->ops[x->after[k]].label);
        }
        assert_string_equal(list, befores);
    }
}

static int64_t launch(prof_trace *t, int64_t start_ns)
{
    return small_call(t, 7, "cudaGraphLaunch", start_ns, start_ns + 5000);
}

/* Nodes of one stream in a row: one launch each, with a name of its own. The second is called while the first runs. */
static void test_chain(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t one = launch(t, 0), two = launch(t, 6000);
    small_kernel(t, 5, one, "a", 1, 10000, 20000);
    small_kernel(t, 5, one, "b", 1, 20400, 30000);
    small_kernel(t, 5, two, "a", 1, 32000, 42000);
    small_kernel(t, 5, two, "b", 1, 42500, 52000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_int_equal(w->graph_count, 2);
    assert_string_equal(w->graphs[0], "graph-1");
    assert_string_equal(w->graphs[1], "graph-1#2");
    assert_int_equal(small_op(w, "a")->graph, 0);
    assert_int_equal(small_op(w, "b")->graph, 0);
    assert_int_equal(small_op(w, "a#2")->graph, 1);
    assert_after(&m, "a", "");
    assert_after(&m, "b", "a");
    assert_after(&m, "b#2", "a#2");
    assert_int_equal(small_op(w, "a")->max_ns, 10400 - m.gpu->graph_gap_ns); /* until b started, less the gap */
    assert_int_equal(small_op(w, "a#2")->max_ns, 10500 - m.gpu->graph_gap_ns);
    assert_int_equal(small_op(w, "b")->max_ns, 9600); /* nobody in the graph waits for it */
    assert_int_equal(small_found(&m, "inferred from streams and times"), 2);
    small_made_free(&m);
}

/* It is called so that its first node is there when it started, and starts are as recorded. */
static void test_replay(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t one = launch(t, 0);
    small_kernel(t, 5, one, "a", 1, 3000, 20000); /* while the call went on */
    small_kernel(t, 5, one, "b", 1, 20400, 30000);
    small_kernel(t, 5, one, "c", 1, 30700, 40000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_workload_simulate(m.made.workload, m.gpu, &options, &run, &err), &err);
    int64_t zero = run->ops[0].start_ns;
    assert_int_equal(run->ops[1].start_ns - zero, 17400);
    assert_int_equal(run->ops[2].start_ns - zero, 27700);
    assert_int_equal(run->ops[0].arrive_ns - run->ops[0].call_ns, m.gpu->graph_latency_ns + 3 * m.gpu->graph_node_ns);
    gcast_run_free(run);
    small_made_free(&m);
}

/* A fork in another stream and a join; all nodes are in the stream of the launch. */
static void fork_join(prof_trace *t, int64_t call, int64_t at, int64_t c_start_ns)
{
    small_kernel(t, 5, call, "a", 1, at, at + 10000);
    small_kernel(t, 5, call, "b", 1, at + 11000, at + 60000);
    small_kernel(t, 9, call, "c", 1, at + c_start_ns, at + 90000);
    small_kernel(t, 5, call, "d", 1, at + 92000, at + 99000);
}

static void test_fork(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    fork_join(t, launch(t, 0), 10000, 12000);
    small_kernel(t, 5, small_call(t, 7, "cudaLaunchKernel", 20000, 21000), "e", 1, 120000, 130000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "a", "");
    assert_after(&m, "b", "a");
    assert_after(&m, "c", "a");
    assert_after(&m, "d", "b c"); /* a is implied */
    assert_after(&m, "e", "");
    assert_int_equal(m.made.workload->stream_count, 1);
    assert_int_equal(m.made.workload->streams[0].id, 5);
    small_made_free(&m);
}

/* In another launch c ran before the end of a: it cannot be after it. */
static void test_all_launches(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    fork_join(t, launch(t, 0), 10000, 12000);
    fork_join(t, launch(t, 10000), 200000, 5000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_after(&m, "c", "");
    assert_after(&m, "c#2", "");
    assert_after(&m, "d", "b c");
    small_made_free(&m);
}

/* One stream is reported although branches ran at the same time: its order says nothing. */
static void test_one_stream(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    small_kernel(t, 5, call, "a", 1, 10000, 20000);
    small_kernel(t, 5, call, "b", 1, 21000, 40000);
    small_kernel(t, 5, call, "c", 1, 21300, 60000);
    small_kernel(t, 5, call, "d", 1, 41000, 50000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_after(&m, "c", "a");
    assert_after(&m, "d", "b");
    small_made_free(&m);
}

/* Copies and memsets hold the next node up, kernels only a little: their blocks would hold SMs. */
static void test_held(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    small_copy(t, 5, call, false, 10000, 12000);
    small_kernel(t, 5, call, "a", 1, 22000, 30000);
    small_kernel(t, 5, call, "b", 1, 70000, 80000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    const gcast_workload *w = m.made.workload;
    assert_int_equal(small_op(w, "h2d")->max_ns, 12000 - m.gpu->graph_copy_gap_ns);
    assert_int_equal(small_op(w, "a")->max_ns, 8000);
    assert_false(small_op(w, "h2d")->host_waits); /* the call of a graph waits for nothing */
    assert_int_equal(small_found(&m, "copies or memsets"), 1);
    assert_int_equal(small_found(&m, "whose successor started late for"), 1);
    small_made_free(&m);
}

static void add_node(prof_trace *t, int64_t number, int64_t origin, bool is_graph)
{
    prof_node n = {.pid = 1, .number = number, .graph = origin ? 2 : 1, .origin = origin, .is_graph = is_graph};
    assert_true(prof_add_node(t, &n));
}

static void add_edge(prof_trace *t, int64_t before, int64_t node, gcast_port port)
{
    prof_edge e = {.pid = 1, .before = before, .node = node, .port = port};
    assert_true(prof_add_edge(t, &e));
}

/* Nodes 1 to 4 that the program made, of which 3 is empty; 11, 12, 14 are their clones. d waits for a through 3; times
 * would say that it waits for b. */
static prof_trace *told(bool is_graph)
{
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    for (int64_t n = 1; n <= 4; n++)
        add_node(t, n, 0, is_graph && n == 3);
    add_node(t, 11, 1, false);
    add_node(t, 12, 2, false);
    add_node(t, 14, 4, false);
    add_edge(t, 1, 2, GCAST_PORT_FULL);
    add_edge(t, 1, 3, GCAST_PORT_FULL);
    add_edge(t, 3, 4, GCAST_PORT_FULL);
    small_node(t, 5, call, "a", 11, 10000, 20000);
    small_node(t, 5, call, "b", 12, 21000, 30000);
    small_node(t, 5, call, "d", 14, 31000, 40000);
    return t;
}

static void test_told(void **state)
{
    (void)state;
    small_made m = small_make(told(false), GPU, prof_make_options_default());
    assert_after(&m, "a", "");
    assert_after(&m, "b", "a");
    assert_after(&m, "d", "a");
    assert_int_equal(small_found(&m, "inferred"), 0);
    small_made_free(&m);
    m = small_make(told(true), GPU, prof_make_options_default()); /* what is in node 3 is not told */
    assert_after(&m, "d", "b");
    assert_int_equal(small_found(&m, "inferred"), 1);
    small_made_free(&m);
}

/* Edges of clones are those of what they are clones of; a node that ran before the one that it is told to wait for did
 * not. */
static void test_contradicted(void **state)
{
    (void)state;
    prof_trace *t = told(false);
    add_edge(t, 11, 12, GCAST_PORT_FULL);
    add_edge(t, 14, 12, GCAST_PORT_FULL);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_int_equal(small_found(&m, "contradicted by times"), 1);
    small_made_free(&m);
}

/* Where most edges lead backwards, none is believed. */
static void test_backwards(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    for (int64_t n = 1; n <= 3; n++)
        add_node(t, n, 0, false);
    add_edge(t, 2, 1, GCAST_PORT_FULL);
    add_edge(t, 3, 2, GCAST_PORT_FULL);
    small_node(t, 5, call, "a", 1, 10000, 20000);
    small_node(t, 5, call, "b", 2, 21000, 30000);
    small_node(t, 5, call, "c", 3, 31000, 40000);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "b", "a");
    assert_after(&m, "c", "b");
    assert_int_equal(small_found(&m, "inferred from streams and times"), 1);
    assert_int_equal(small_found(&m, "{edge} of graphs contradicted by times"), 0);
    small_made_free(&m);
}

/* c started while b ran. Where edges are told, that one was no full edge; where they are not, nothing else explains
 * when c started, unless another node had ended right before. */
static prof_trace *early(bool is_told, int64_t c_start_ns)
{
    prof_trace *t = small_trace();
    int64_t call = launch(t, 0);
    for (int64_t n = 1; is_told && n <= 3; n++) {
        add_node(t, n, 0, false);
        add_node(t, 10 + n, n, false);
        if (n > 1)
            add_edge(t, n - 1, n, GCAST_PORT_FULL);
    }
    small_node(t, 5, call, "a", 11, 10000, 20000);
    small_node(t, 5, call, "b", 12, 21000, 50000);
    small_node(t, 5, call, "c", 13, c_start_ns, 60000);
    return t;
}

static void test_early(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        small_made m = small_make(early(told, 40000), GPU, prof_make_options_default());
        const gcast_workload *w = m.made.workload;
        const gcast_op *b = small_op(w, "b"), *c = small_op(w, "c");
        assert_after(&m, "b", "a");
        assert_after(&m, "c", "b");
        assert_null(b->ports);
        assert_int_equal(c->ports[0], GCAST_PORT_PROGRAMMATIC);
        assert_int_equal(b->trigger_ns, 40000 - m.gpu->graph_trigger_gap_ns - 21000);
        assert_int_equal(b->max_ns, 29000);
        assert_int_equal(c->wait_ns, 0); /* what c did before the end of b is not told */
        assert_int_equal(c->max_ns, 60000 - 50000 - m.gpu->programmatic_wait_ns);
        assert_false(c->programmatic); /* the port says it */
        assert_int_equal(small_found(&m, "a programmatic edge is assumed"), 1);
        small_made_free(&m);
    }
    small_made m = small_make(early(false, 21400), GPU, prof_make_options_default());
    assert_after(&m, "c", "a");
    assert_null(small_op(m.made.workload, "c")->ports);
    small_made_free(&m);
}

/* An operation behind an event of another stream: the first node is, and the others are not. */
static void test_events(void **state)
{
    (void)state;
    prof_trace *t = small_trace();
    int64_t x = small_call(t, 7, "cudaLaunchKernel", 0, 1000);
    int64_t record = small_call(t, 7, "cudaEventRecord", 1500, 1700);
    int64_t wait = small_call(t, 7, "cudaStreamWaitEvent", 2500, 2700);
    int64_t call = launch(t, 3000);
    small_kernel(t, 6, x, "x", 1, 3000, 9000);
    small_kernel(t, 5, call, "a", 1, 20000, 30000);
    small_kernel(t, 5, call, "b", 1, 30500, 40000);
    small_tell(t, wait, 5, record, 6);
    small_made m = small_make(t, GPU, prof_make_options_default());
    assert_after(&m, "a", "x");
    assert_after(&m, "b", "a");
    small_made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),        cmocka_unit_test(test_replay),    cmocka_unit_test(test_fork),
        cmocka_unit_test(test_all_launches), cmocka_unit_test(test_held),      cmocka_unit_test(test_one_stream),
        cmocka_unit_test(test_told),         cmocka_unit_test(test_events),    cmocka_unit_test(test_contradicted),
        cmocka_unit_test(test_early),        cmocka_unit_test(test_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

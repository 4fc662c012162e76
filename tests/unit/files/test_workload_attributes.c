/* Graphs, programmatic launches, clusters, cooperative launches and blocks that wait, in gridcast.workload/1. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/workload_formats.h"
#include "model/workload/attributes.h"
#include "support/same_workload.h"

#define KERNEL "{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 8, \"block\": 64, \"duration_ns\": 90, "

static gcast_status read_ops(const char *ops, gcast_workload **w, gcast_error *err)
{
    char text[4096];
    int size = snprintf(text, sizeof text, "{\"schema\": \"gridcast.workload/1\", \"ops\": [%s]}", ops);
    assert_in_range(size, 1, sizeof text - 1);
    return gcast_workload_read_native(text, (size_t)size, "t.json", w, err);
}

/* Also writes it, and reads that again. */
static gcast_workload *accept(const char *ops)
{
    gcast_workload *w, *again;
    gcast_error err;
    char *text;
    size_t size;
    assert_ok(read_ops(ops, &w, &err), &err);
    assert_ok(gcast_workload_write_native(w, &text, &size, &err), &err);
    assert_ok(gcast_workload_read_native(text, size, "again", &again, &err), &err);
    assert_null(workload_difference(w, again));
    gcast_workload_free(again);
    free(text);
    assert_ok(gcast_workload_copy(w, &again, &err), &err);
    assert_null(workload_difference(w, again));
    gcast_workload_free(again);
    return w;
}

static void refuse(const char *ops, const char *path, const char *message)
{
    gcast_workload *w;
    gcast_error err;
    assert_int_equal(read_ops(ops, &w, &err), GCAST_INPUT);
    assert_null(w);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
}

static void kernels(void **state)
{
    (void)state;
    gcast_workload *w = accept(KERNEL "\"label\": \"A\", \"cluster\": [2, 1, 1], \"trigger_ns\": 50}," KERNEL
                                      "\"label\": \"B\", \"programmatic\": true, \"wait_ns\": 10}," KERNEL
                                      "\"label\": \"C\", \"cooperative\": true, \"waits_for\": [\"C\", \"A\"]}");
    assert_int_equal(attributes_cluster(&w->ops[0]), 2);
    assert_int_equal(w->ops[0].trigger_ns, 50);
    assert_true(w->ops[0].wait_ns == GCAST_NEVER && w->ops[1].trigger_ns == GCAST_NEVER);
    assert_true(w->ops[1].programmatic && w->ops[1].wait_ns == 10 && !w->ops[1].cooperative);
    assert_true(w->ops[2].cooperative && w->ops[2].wait_ns == 0 && w->ops[2].waits_for_count == 2);
    assert_true(w->ops[2].waits_for[0] == 2 && w->ops[2].waits_for[1] == 0);
    gcast_workload_free(w);
}

static void bad_kernels(void **state)
{
    (void)state;
    refuse(KERNEL "\"cluster\": 3}", "/ops/0/cluster",
           "8 blocks of the grid in the direction x are not a multiple of 3, the size of the cluster");
    refuse(KERNEL "\"cluster\": 32}", "/ops/0/cluster", "a cluster has from 1 to 16 blocks");
    refuse("{\"kind\": \"kernel\", \"stream\": 1, \"grid\": [8, 8], \"block\": 64, \"duration_ns\": 90, "
           "\"cluster\": [8, 4]}",
           "/ops/0/cluster", "a cluster has from 1 to 16 blocks");
    refuse(KERNEL "\"wait_ns\": 91}", "/ops/0/wait_ns", "a block takes 90 ns, and cannot wait after 91");
    refuse(KERNEL "\"waits_for\": []}", "/ops/0/waits_for", "must name at least one kernel");
    refuse(KERNEL "\"label\": \"A\", \"waits_for\": [\"A\", \"A\"]}", "/ops/0/waits_for/1", "A is listed twice");
    refuse(KERNEL "\"waits_for\": [\"B\"]}", "/ops/0/waits_for/0", "there is no op with the label B");
    refuse(KERNEL "\"waits_for\": [\"M\"]}, {\"kind\": \"memset\", \"label\": \"M\", \"stream\": 1, \"bytes\": 4}",
           "/ops/0/waits_for", "M is a memset: blocks wait for blocks of kernels");
    refuse("{\"kind\": \"memset\", \"stream\": 1, \"bytes\": 4, \"cluster\": 2}", "/ops/0/cluster",
           "a memset has no cluster");
    refuse(
        "{\"kind\": \"kernel\", \"stream\": 1, \"grid\": 8, \"block\": 64, \"duration_ns\": 90, \"cooperative\": true, "
        "\"policy\": \"persistent\", \"plan\": {\"sms\": 2, \"mapping\": \"persistent\"}}",
        "/ops/0/cooperative", "a kernel with a plan, or one that launches kernels, has no cooperative");
}

#define NODE KERNEL "\"graph\": \"G\", "

static void graphs(void **state)
{
    (void)state;
    gcast_workload *w = accept(KERNEL "\"label\": \"before\"}," NODE "\"label\": \"a\", \"after\": [\"before\"]}," NODE
                                      "\"label\": \"b\", \"after\": [\"a\"]}," NODE
                                      "\"label\": \"c\", \"after\": [{\"op\": \"a\", \"port\": \"programmatic\"}, "
                                      "{\"op\": \"b\", \"port\": \"launch_completion\"}]}," KERNEL
                                      "\"graph\": \"G#2\", \"label\": \"a2\"}");
    assert_int_equal(w->graph_count, 2);
    assert_int_equal(w->ops[0].graph, GCAST_NO_GRAPH);
    assert_true(attributes_is_first_node(w, 1) && !attributes_is_next_node(w, 1));
    assert_true(!attributes_is_first_node(w, 3) && attributes_is_next_node(w, 3));
    assert_true(attributes_is_first_node(w, 4));
    assert_null(w->ops[2].ports);
    assert_int_equal(w->ops[3].ports[0], GCAST_PORT_PROGRAMMATIC);
    assert_int_equal(w->ops[3].ports[1], GCAST_PORT_LAUNCH_COMPLETION);
    gcast_workload_free(w);
}

static void bad_graphs(void **state)
{
    (void)state;
    refuse(NODE "\"label\": \"a\"}," KERNEL "\"label\": \"b\"}," NODE "\"label\": \"c\"}", "/ops/2/graph",
           "the nodes of G must be consecutive");
    refuse(NODE "\"label\": \"a\"},{\"kind\": \"memset\", \"stream\": 2, \"bytes\": 4, \"graph\": \"G\"}",
           "/ops/1/graph", "the nodes of G must have one stream and one host");
    refuse(NODE "\"label\": \"a\"}," NODE "\"label\": \"b\", \"release_ns\": 5}", "/ops/1/release_ns",
           "the nodes of G must be released together");
    refuse(KERNEL "\"label\": \"x\"}," NODE "\"label\": \"a\"}," NODE "\"label\": \"b\", \"after\": [\"x\"]}",
           "/ops/2/after", "x is not in G: only the first node of a graph can depend on other operations");
    refuse(KERNEL "\"label\": \"x\"}," NODE "\"label\": \"a\", \"after\": [{\"op\": \"x\", \"port\": "
                  "\"programmatic\"}]}",
           "/ops/1/after", "the port programmatic is for kernels of one graph");
    refuse(NODE "\"programmatic\": true}", "/ops/0/programmatic",
           "a node of a graph cannot be programmatic: give the port programmatic in \"after\"");
    refuse(NODE "\"label\": \"a\"}," NODE "\"label\": \"b\", \"after\": [{\"op\": \"a\", \"port\": \"half\"}]}",
           "/ops/1/after/0/port", "must be full, programmatic or launch_completion");
}

/* Who does not know them says so. */
static void refusals(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = accept(KERNEL "\"label\": \"A\", \"cluster\": 2}");
    assert_int_equal(attributes_refuse(w, "no", &err), GCAST_INPUT);
    assert_string_equal(err.message, "A has cluster: no");
    assert_string_equal(err.path, "/ops/0/cluster");
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels), cmocka_unit_test(bad_kernels),
                                       cmocka_unit_test(graphs), cmocka_unit_test(bad_graphs),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launches of CUDA graphs, worked out by hand from docs/model.md: the oracle and the simulator must agree with it. */
#include "model/workload/workload.h"
#include "property/hand.h"

#define ALL_ARE(port_)                                                                                                 \
    {                                                                                                                  \
        port_, port_, port_, port_                                                                                     \
    }

/* Stream 1 of a GPU with a time of its own for everything. */
static int setup(fixture *f)
{
    gcast_gpu *g = f->gpu;
    int graph, s = stream(f, 1, 0, false);
    g->stream_gap_ns = 5;
    g->event_gap_ns = 9;
    g->graph_latency_ns = 10;
    g->graph_node_ns = 1;
    g->graph_root_ns = 7;
    g->graph_gap_ns = 3;
    g->graph_step_ns = 2;
    g->graph_trigger_gap_ns = 4;
    g->graph_start_gap_ns = 6;
    g->graph_wide = 3;
    g->graph_wide_ns = 20;
    g->graph_wide_step_ns = 4;
    assert_ok(gcast_workload_add_graph(f->w, "g", &graph, &f->err), &f->err);
    return s;
}

/* A kernel of one block as the next node. */
static void node(fixture *f, int s, int64_t ns)
{
    gcast_op op = kernel(s, 0, 1, 32, ns);
    op.graph = 0;
    add(f, op);
}

static gcast_op *op_at(fixture *f, size_t i)
{
    return (gcast_op *)&f->w->ops[i];
}

static void after(fixture *f, size_t op, uint32_t a, gcast_port port)
{
    const gcast_port ports[] = ALL_ARE(port);
    assert_true(workload_set_after(f->w, op, &a, 1) && workload_set_ports(f->w, op, ports));
}

static void after_both(fixture *f, size_t op, uint32_t a, uint32_t b, gcast_port port)
{
    const uint32_t named[] = {a, b};
    const gcast_port ports[] = ALL_ARE(port);
    assert_true(workload_set_after(f->w, op, named, 2) && workload_set_ports(f->w, op, ports));
}

/* 3 nodes arrive at 13. What is behind waits for the last end, and so does what is after a node, from another stream.
 */
static void fork_in_a_stream(void **state)
{
    fixture *f = *state;
    int s = setup(f), other = stream(f, 2, 0, false);
    node(f, s, 100);                    /* 13 to 113 */
    node(f, s, 10);                     /* 116 to 126 */
    node(f, s, 10);                     /* 118 to 128 */
    add(f, kernel(s, 0, 1, 32, 10));    /* from 133 on */
    add(f, kernel(other, 0, 1, 32, 1)); /* from 137 on */
    after(f, 1, 0, GCAST_PORT_FULL);
    after(f, 2, 0, GCAST_PORT_FULL);
    after(f, 4, 0, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 113, 126, 128, 143, 138);
}

/* Three are many: the last one first, at 114 + 3 + 20. */
static void wide_fork(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    for (uint32_t i = 0; i < 4; i++)
        node(f, s, i ? 10 : 100);
    for (uint32_t i = 1; i < 4; i++)
        after(f, i, 0, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 114, 155, 151, 147);
}

/* The second starts at 13 + 30 + 4 and ends early, but is done with the first only. */
static void triggered(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    ((gcast_op *)f->w->ops)[0].trigger_ns = 30;
    after(f, 1, 0, GCAST_PORT_PROGRAMMATIC);
    after(f, 2, 1, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 113, 57, 126);
}

/* Who never triggers does so with its end. */
static void never_triggered(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    after(f, 1, 0, GCAST_PORT_PROGRAMMATIC);
    after(f, 2, 0, GCAST_PORT_PROGRAMMATIC);
    run(f);
    assert_ends(f, 113, 127, 129);
}

/* Beside an edge of the port launch_completion one of the port programmatic is full: seen at 113 + 3. */
static void both_ports(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    op_at(f, 0)->trigger_ns = 5;
    after(f, 1, 0, GCAST_PORT_PROGRAMMATIC);
    after(f, 2, 0, GCAST_PORT_LAUNCH_COMPLETION);
    run(f);
    assert_ends(f, 113, 126, 29);
}

/* Node 0 until 25, node 1 from 28 and node 2 from 30 on; node 3 is after both by ports, node 4 after `last`. */
static void diamond(fixture *f, int64_t ns, int64_t other_ns, uint32_t last, gcast_port port)
{
    int s = setup(f);
    const int64_t times[] = {10, ns, other_ns, 10, 10};
    for (int i = 0; i < 5; i++)
        node(f, s, times[i]);
    after(f, 1, 0, GCAST_PORT_FULL);
    after(f, 2, 0, GCAST_PORT_FULL);
    after_both(f, 3, 2, 1, GCAST_PORT_LAUNCH_COMPLETION);
    after(f, 4, last, port);
}

/* No node has a second edge with a port: both edges are seen 6 after starts. */
static void two_ports(void **state)
{
    fixture *f = *state;
    diamond(f, 100, 50, 2, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 25, 128, 80, 46, 93);
}

/* Node 1 comes first, and has a second edge with a port: the edge of node 2 is full, and seen at 80 + 3. */
static void first_has_two_ports(void **state)
{
    fixture *f = *state;
    diamond(f, 100, 50, 1, GCAST_PORT_LAUNCH_COMPLETION);
    run(f);
    assert_ends(f, 25, 128, 80, 93, 46);
}

/* Node 2 has the second one. Its edge to node 3 does not count where that to node 4 is numbered. */
static void other_has_two_ports(void **state)
{
    fixture *f = *state;
    diamond(f, 100, 50, 2, GCAST_PORT_LAUNCH_COMPLETION);
    run(f);
    assert_ends(f, 25, 128, 80, 93, 46);
}

/* A second edge counts, though it is full beside the port launch_completion. */
static void second_port_is_full(void **state)
{
    fixture *f = *state;
    diamond(f, 100, 50, 2, GCAST_PORT_PROGRAMMATIC);
    run(f);
    assert_ends(f, 25, 128, 80, 93, 95);
}

/* Blocks wait for node 1, which was done long ago, and not for node 2, which was done 3 before their start. */
static void waits_for_ports_left(void **state)
{
    fixture *f = *state;
    diamond(f, 50, 100, 2, GCAST_PORT_LAUNCH_COMPLETION);
    op_at(f, 3)->wait_ns = 0;
    f->gpu->graph_wait_ns = 50;
    run(f);
    assert_ends(f, 25, 78, 130, 143, 46);
}

/* The second root arrives 7 later. What is after both is far, and waits for their ends, whatever the port. */
static void two_roots(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    f->gpu->connections = 4;
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    after_both(f, 2, 0, 1, GCAST_PORT_LAUNCH_COMPLETION);
    run(f);
    assert_ends(f, 113, 30, 132);
    assert_int_equal(f->r.ops[0].connection, 0);
    assert_int_equal(f->r.ops[1].connection, 1);
    assert_int_equal(f->r.ops[2].connection, -1);
}

/* A copy to the device takes the event gap before and after it; one on the device does not. */
static void copies(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    node(f, s, 100); /* 4 nodes: 14 to 114 */
    gcast_op op = copy(s, 0, GCAST_H2D, 20);
    op.graph = 0;
    add(f, op);     /* 123 to 143 */
    node(f, s, 10); /* from 152 on */
    op.direction = GCAST_D2D;
    add(f, op); /* from 165 on */
    after(f, 1, 0, GCAST_PORT_FULL);
    after(f, 2, 1, GCAST_PORT_FULL);
    after(f, 3, 2, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 114, 143, 162, 185);
}

/* On one connection a root waits behind a kernel that waits; the second node needs none. */
static void one_connection(void **state)
{
    fixture *f = *state;
    int other, s = setup(f);
    other = stream(f, 2, 0, false);
    f->gpu->connections = 1;
    add(f, kernel(other, 0, 1, 32, 50)); /* 0 to 50 */
    add(f, kernel(other, 0, 1, 32, 10)); /* holds the connection until 55 */
    node(f, s, 10);                      /* 55 to 65 */
    node(f, s, 10);                      /* from 68 on */
    after(f, 3, 2, GCAST_PORT_FULL);
    run(f);
    assert_ends(f, 50, 65, 65, 78);
}

/* The second, from 47 to 57, is done with the first at 113. Blocks of the third, which start at 51, wait for that from
 * 56 on, and go on at 113 + 2. */
static void waits_for_what_is_done(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    f->gpu->programmatic_wait_ns = 2;
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    op_at(f, 0)->trigger_ns = 30;
    op_at(f, 1)->trigger_ns = 0;
    op_at(f, 2)->wait_ns = 5;
    after(f, 1, 0, GCAST_PORT_PROGRAMMATIC);
    after(f, 2, 1, GCAST_PORT_PROGRAMMATIC);
    run(f);
    assert_ends(f, 113, 57, 120);
    assert_int_equal(f->r.ops[2].start_ns, 51);
}

/* Behind an edge of the port launch_completion blocks wait too; behind one of the port full there is nothing left. */
static void waits_by_port(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    f->gpu->programmatic_wait_ns = 1;
    f->gpu->graph_wait_ns = 2;
    for (int i = 0; i < 3; i++)
        node(f, s, i ? 10 : 100);
    op_at(f, 1)->wait_ns = op_at(f, 2)->wait_ns = 0;
    after(f, 1, 0, GCAST_PORT_LAUNCH_COMPLETION); /* starts at 19, goes on at 115 */
    after(f, 2, 1, GCAST_PORT_FULL);              /* starts at 128 */
    run(f);
    assert_ends(f, 113, 125, 138);
    assert_int_equal(f->r.ops[1].start_ns, 19);
}

/* One block ends at 17, the other triggers at 32: that is when the kernel has. */
static void blocks_trigger_by_themselves(void **state)
{
    fixture *f = *state;
    const int64_t block_ns[] = {5, 50};
    int s = setup(f);
    gcast_op op = kernel(s, 0, 2, 32, 50);
    op.block_ns = block_ns;
    op.graph = 0;
    op.trigger_ns = 20;
    add(f, op);
    node(f, s, 10);
    after(f, 1, 0, GCAST_PORT_PROGRAMMATIC);
    run(f);
    assert_ends(f, 62, 46);
}

/* Behind a launch a programmatic kernel waits for all of it; behind that one it overlaps, at 116 + 4 + 2. */
static void programmatic_behind_launch(void **state)
{
    fixture *f = *state;
    int s = setup(f);
    f->gpu->limits.cc_major = 9;
    f->gpu->programmatic_gap_ns = 2;
    node(f, s, 100);
    op_at(f, 0)->trigger_ns = 0;
    gcast_op op = kernel(s, 0, 1, 32, 20);
    op.programmatic = true;
    op.wait_ns = 3;
    op.trigger_ns = 4; /* 1 after the wait */
    add(f, op);
    add(f, op);
    run(f);
    assert_int_equal(f->r.ops[1].start_ns, 116);
    assert_int_equal(f->r.ops[2].start_ns, 122);
    assert_ends(f, 111, 136, 158); /* the last one goes on at 136 + 5 */
}

/* A cooperative node starts as a whole, though one of its blocks would fit at 11, and is in front of what has a lower
 * level and would fit. */
static void cooperative_node(void **state)
{
    fixture *f = *state;
    int s = setup(f), other = stream(f, 2, 0, false), third = stream(f, 3, 0, false);
    gcast_op op = kernel(s, 0, 2, 1024, 10);
    op.graph = 0;
    op.cooperative = true;
    add(f, kernel(other, 0, 3, 1024, 50));
    add(f, op);
    add(f, kernel(third, 20, 1, 1024, 10));
    run(f);
    assert_ends(f, 50, 60, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(fork_in_a_stream),
        HAND_CASE(wide_fork),
        HAND_CASE(triggered),
        HAND_CASE(never_triggered),
        HAND_CASE(both_ports),
        HAND_CASE(two_ports),
        HAND_CASE(first_has_two_ports),
        HAND_CASE(other_has_two_ports),
        HAND_CASE(second_port_is_full),
        HAND_CASE(waits_for_ports_left),
        HAND_CASE(two_roots),
        HAND_CASE(copies),
        HAND_CASE(one_connection),
        HAND_CASE(waits_for_what_is_done),
        HAND_CASE(waits_by_port),
        HAND_CASE(blocks_trigger_by_themselves),
        HAND_CASE(programmatic_behind_launch),
        HAND_CASE(cooperative_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

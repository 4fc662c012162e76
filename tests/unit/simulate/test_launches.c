/* Kernels that launch kernels, worked out by hand: decisions, the pool, hardware queues and streams. */
#include <string.h>

#include "launch_scene.h"

/* Decision at 200, child from 310 for 300 + 50 ns. The parent's block ends at 400, the parent with its child. */
static void test_one_child(void **state)
{
    scene x = scene_of(state);
    x.launches.child_item_ns = 50;
    PARENT(&x, 400, 0, 5);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400);
    assert_int_equal(x.run->ops[0].end_ns, 660);
    assert_children(&x, call_ns, 200);
    assert_children(&x, arrive_ns, 310);
    assert_children(&x, start_ns, 310);
    assert_children(&x, end_ns, 660);
    assert_int_equal(child_op(&x, 0)->blocks[0].end_ns, 660);
    assert_int_equal(child_op(&x, 0)->op, x.f->w->op_count);
    const gcast_child *c = &x.run->children[0];
    assert_int_equal(c->parent, 0);
    assert_int_equal(c->launcher, 1);
    assert_int_equal(c->items, 5);
    assert_int_equal(c->place, 1);
    assert_int_equal(c->blocks_end_ns, 660);
    assert_int_equal(c->queue, -1);
    gcast_run_free(x.run);
}

/* A child of 70 items with 32 in a block: 3 blocks, the last with 6; two items of a thread one after the other. */
static void test_blocks_of_child(void **state)
{
    scene x = scene_of(state);
    x.launches.child_item_ns = 50;
    x.launches.items_per_block = 40;
    PARENT(&x, 400, 90);
    simulate(&x);
    assert_int_equal(child_op(&x, 0)->block_count, 3);
    assert_int_equal(child_op(&x, 0)->blocks[1].end_ns, 310 + CHILD_NS + 2 * 50);
    assert_int_equal(child_op(&x, 0)->blocks[2].end_ns, 310 + CHILD_NS + 50);
    assert_int_equal(x.run->launches->child_blocks, 3);
    assert_int_equal(x.run->launches->offloaded, 90);
    gcast_run_free(x.run);
}

/* Only 10 items reach the threshold of 5. The warp's call takes 40 + 5 ns, then the launcher with 3 items takes 21. */
static void test_threshold(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_call_ns = 40;
    x.f->gpu->child_call_step_ns = 5;
    x.launches.policy = GCAST_SPAWN_THRESHOLD;
    x.launches.threshold = 5;
    PARENT(&x, 400, 3, 10, 2);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 45 + 21);
    assert_children(&x, start_ns, 310);
    assert_int_equal(x.run->launches->kept, 2);
    assert_int_equal(x.run->launches->items, 15);
    gcast_run_free(x.run);
}

/* The options overrule the workload: no children, and the longest launcher takes 10 items. */
static void test_override(void **state)
{
    scene x = scene_of(state);
    x.f->options.override_spawn = true;
    x.f->options.spawn_policy = GCAST_SPAWN_FLAT;
    PARENT(&x, 400, 3, 10, 2);
    simulate(&x);
    assert_int_equal(x.run->ops[0].end_ns, 470);
    assert_int_equal(x.run->child_count, 0);
    gcast_run_free(x.run);
}

/* One place: the first of three launches gets it, two are refused, 11 ns each, and their items take 7 ns. */
static void test_pool_refuses(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_pool = 1;
    x.f->gpu->child_pool_grows = 0;
    x.f->gpu->child_refused_ns = 11;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 22 + 7);
    assert_children(&x, start_ns, 310);
    assert_int_equal(x.run->launches->refused, 2);
    assert_int_equal(x.run->launches->max_pool, 1);
    assert_int_equal(x.run->note_count, 1);
    assert_non_null(strstr(x.run->notes[0], "2 launches were refused"));
    gcast_run_free(x.run);
}

/* One place and one hardware queue. The first child enters at once; the second has the place until it enters, when the
 * first has ended; the third is in line until then. */
static void test_pool_grows(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_pool = 1;
    x.f->gpu->child_queues = 1;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, head_ns, 330, 330, 330);
    assert_int_equal(x.run->children[1].pool_ns, 330);
    assert_int_equal(x.run->children[2].pool_ns, 630);
    assert_children(&x, enter_ns, 330, 630, 930);
    assert_int_equal(x.run->ops[0].end_ns, 1230);
    assert_true(x.run->launches->pool_wait_ns == 300);
    assert_true(x.run->launches->queue_wait_ns == 300 + 300);
    gcast_run_free(x.run);
}

/* Two hardware queues: the stream of the third child is number 2, and joins the queue of the first. */
static void test_queues(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_queues = 2;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, enter_ns, 330, 330, 630);
    assert_int_equal(x.run->children[2].queue, 0);
    gcast_run_free(x.run);
}

/* Children with streams of their own need no hardware queue. */
static void test_forget(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_queues = 1;
    x.f->gpu->child_forget = 1;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, enter_ns, 330, 330, 330);
    gcast_run_free(x.run);
}

/* The children of a block share a stream: each waits for the one before and the gap of 20. */
static void test_stream_of_block(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->stream_gap_ns = 20;
    x.launches.stream = GCAST_CHILD_STREAM_BLOCK;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, head_ns, 330, 650, 970);
    assert_int_equal(x.run->ops[0].end_ns, 1270);
    assert_true(x.run->launches->stream_wait_ns == 320 + 640);
    gcast_run_free(x.run);
}

/* Two streams in turn: launchers 0 and 2 share one. A named stream is one for all. */
static void test_streams_in_turn(void **state)
{
    scene x = scene_of(state);
    x.launches.stream = GCAST_CHILD_STREAM_IN_TURN;
    x.launches.streams = 2;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, head_ns, 330, 330, 630);
    gcast_run_free(x.run);
}

static void test_named_stream(void **state)
{
    scene x = scene_of(state);
    x.launches.stream = GCAST_CHILD_STREAM_NAMED;
    x.launches.streams = 3;
    x.launches.named = 2;
    PARENT(&x, 400, 1, 0, 1);
    simulate(&x);
    assert_children(&x, head_ns, 320, 620);
    gcast_run_free(x.run);
}

/* Options that mean nothing are refused. */
static void test_wrong_options(void **state)
{
    scene x = scene_of(state);
    gcast_spawn_options spawn = gcast_spawn_options_default();
    fixture *f = x.f;
    gcast_simulate_options *o = &f->options;
    PARENT(&x, 400, 1);
    o->override_spawn = true;
    o->spawn_policy = GCAST_SPAWN_POLICIES;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, o, &x.run, &f->err), GCAST_USAGE);
    o->spawn_policy = GCAST_SPAWN_THRESHOLD;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, o, &x.run, &f->err), GCAST_USAGE);
    o->override_spawn = false;
    o->spawn = &spawn;
    spawn.window_ns = -1;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, o, &x.run, &f->err), GCAST_USAGE);
    spawn.window_ns = 0;
    spawn.idle = GCAST_SPAWN_IDLES;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, o, &x.run, &f->err), GCAST_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(test_one_child),       HAND_CASE(test_blocks_of_child), HAND_CASE(test_threshold),
        HAND_CASE(test_override),        HAND_CASE(test_wrong_options),   HAND_CASE(test_pool_refuses),
        HAND_CASE(test_pool_grows),      HAND_CASE(test_queues),          HAND_CASE(test_forget),
        HAND_CASE(test_stream_of_block), HAND_CASE(test_streams_in_turn), HAND_CASE(test_named_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kernels that launch kernels, worked out by hand: what waits for children, children that launch, limits and
 * controllers, and what a run says of them. */
#include <stdlib.h>

#include "launch_scene.h"
#include "simulate/engine/launch_state.h"

/* Tail launches join their stream 20 ns after the last block of the parent, which ends at 500. */
static void test_tail(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->stream_gap_ns = 20;
    x.launches.wait = GCAST_CHILD_WAIT_TAIL;
    PARENT(&x, 500, 1, 1);
    simulate(&x);
    assert_children(&x, arrive_ns, 520, 520);
    assert_children(&x, start_ns, 520, 840);
    assert_int_equal(x.run->ops[0].end_ns, 1140);
    gcast_run_free(x.run);
}

/* Block 0 ends at 350 and waits for its child, which ends at 610; its rest takes 100 more. Block 1 has no child, and
 * goes on for 100 at once. */
static void test_wait(void **state)
{
    static const uint32_t items[] = {1};
    scene x = scene_of(state);
    x.launches.wait = GCAST_CHILD_WAIT_BLOCK;
    x.launches.after_ns = 100;
    x.launches.items = items;
    x.launches.item_count = 1;
    add_parent(&x, 0, 2, 350);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 350);
    assert_int_equal(x.run->ops[0].blocks[1].end_ns, 450);
    assert_children(&x, start_ns, 310, 610);
    assert_children(&x, end_ns, 610, 710);
    assert_true(x.run->children[1].is_rest);
    assert_int_equal(x.run->children[1].parent_block, 0);
    assert_int_equal(x.run->ops[0].end_ns, 710);
    gcast_run_free(x.run);
}

/* Rests go behind the children of a run: the rest of the first parent comes before the child of the second. */
static void test_rests_behind(void **state)
{
    static const uint32_t items[] = {1};
    scene x = scene_of(state);
    x.launches.wait = GCAST_CHILD_WAIT_BLOCK;
    x.launches.after_ns = 100;
    x.launches.items = items;
    x.launches.item_count = 1;
    add_parent(&x, 0, 1, 350);
    add_parent(&x, 1000, 1, 350);
    simulate(&x);
    assert_children(&x, start_ns, 310, 1310, 610, 1610);
    assert_false(x.run->children[1].is_rest);
    assert_int_equal(x.run->children[3].parent, 1);
    gcast_run_free(x.run);
}

/* The parent's block launches a child of two items, 310 to 460. Its threads decide at 410: item 0 launches a grandchild
 * of 50 ns, which starts at 520. The child is complete with it, and the parent with the child. */
static void nested(scene *x, gcast_launches *below, gcast_op *grandchild)
{
    static const uint32_t items[] = {2}, below_items[] = {1, 0};
    *grandchild = x->child;
    grandchild->min_ns = grandchild->max_ns = 50;
    *below = x->launches;
    below->at_ns = 100;
    below->items = below_items;
    below->item_count = 2;
    below->child = grandchild;
    x->child.min_ns = x->child.max_ns = 150;
    x->child.launches = below;
    x->launches.by = GCAST_LAUNCHER_BLOCK;
    x->launches.items = items;
    x->launches.item_count = 1;
}

static void test_nested(void **state)
{
    scene x = scene_of(state);
    gcast_launches below;
    gcast_op grandchild;
    nested(&x, &below, &grandchild);
    add_parent(&x, 0, 1, 300);
    simulate(&x);
    assert_children(&x, start_ns, 310, 520);
    assert_children(&x, end_ns, 570, 570);
    assert_int_equal(x.run->children[0].blocks_end_ns, 460);
    assert_int_equal(x.run->children[1].parent, 1);
    assert_int_equal(x.run->ops[0].end_ns, 570);
    gcast_run_free(x.run);
}

/* A grandchild does not wait for its parent, which has no blocks left: neither in the one hardware queue nor for the
 * one resident grid that the GPU allows. */
static void test_nested_without_places(void **state)
{
    scene x = scene_of(state);
    gcast_launches below;
    gcast_op grandchild;
    x.f->gpu->child_queues = 1;
    x.f->gpu->limits.resident_grids = 1;
    nested(&x, &below, &grandchild);
    add_parent(&x, 0, 1, 300);
    simulate(&x);
    assert_children(&x, start_ns, 310, 520);
    assert_int_equal(x.run->ops[0].end_ns, 570);
    gcast_run_free(x.run);
}

/* A parent that keeps its two items does what they would launch too: item 0 has one of 7 ns. */
static void test_nested_flat(void **state)
{
    scene x = scene_of(state);
    gcast_launches below;
    gcast_op grandchild;
    x.launches.policy = GCAST_SPAWN_FLAT;
    nested(&x, &below, &grandchild);
    add_parent(&x, 0, 1, 300);
    simulate(&x);
    assert_int_equal(x.run->ops[0].end_ns, 300 + 2 * 7 + 7);
    gcast_run_free(x.run);
}

/* Overheads end one after the other, 50 ns apart. */
static void test_service(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_service_ns = 50;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, arrive_ns, 330, 380, 430);
    assert_true(x.run->launches->overhead_ns == 130 + 180 + 230);
    gcast_run_free(x.run);
}

/* Three calls take 90 ns of the way that all share, 35 more than the 55 that they take by themselves. */
static void test_call_service(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_call_ns = 40;
    x.f->gpu->child_call_step_ns = 5;
    x.f->gpu->child_call_service_ns = 30;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 490);
    assert_children(&x, arrive_ns, 365, 365, 365);
    gcast_run_free(x.run);
}

/* Two blocks call one child each at 200: the second has to wait for the first, and is 60 - 45 late. */
static void test_calls_of_two_blocks(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_call_ns = 40;
    x.f->gpu->child_call_step_ns = 5;
    x.f->gpu->child_call_service_ns = 30;
    x.launches.by = GCAST_LAUNCHER_BLOCK;
    x.launches.items_each = 1;
    add_parent(&x, 0, 2, 400);
    simulate(&x);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 445);
    assert_int_equal(x.run->ops[0].blocks[1].end_ns, 460);
    assert_children(&x, arrive_ns, 310, 325);
    gcast_run_free(x.run);
}

/* Two grids may be resident. The first child starts at 330 beside its parent; the second when that has ended, at 400;
 * the third when the first has ended for 50 ns. The parent is complete 50 ns after the last of them. */
static void test_complete_later(void **state)
{
    scene x = scene_of(state);
    x.f->gpu->child_end_ns = 50;
    x.f->gpu->limits.resident_grids = 2;
    PARENT(&x, 400, 1, 1, 1);
    simulate(&x);
    assert_children(&x, start_ns, 330, 400, 680);
    assert_children(&x, end_ns, 630, 700, 980);
    assert_int_equal(x.run->ops[0].end_ns, 1030);
    gcast_run_free(x.run);
}

/* The grandchild is complete at 620, which ends the child, and that is complete at 670. Streams wait for ends only. */
static void test_nested_complete_later(void **state)
{
    scene x = scene_of(state);
    gcast_launches below;
    gcast_op grandchild;
    x.f->gpu->child_end_ns = 50;
    x.f->gpu->limits.resident_grids = 2;
    nested(&x, &below, &grandchild);
    add_parent(&x, 0, 1, 300);
    simulate(&x);
    assert_children(&x, start_ns, 310, 520);
    assert_children(&x, end_ns, 620, 570);
    assert_int_equal(x.run->ops[0].end_ns, 670);
    gcast_run_free(x.run);
}

/* Children of the highest level start before blocks of their parent that have not started: an SM holds one of them, so
 * that blocks 2 and 3 start when 0 and 1 end. */
static void test_level(void **state)
{
    scene x = scene_of(state);
    gcast_op op = kernel(stream(x.f, 1, 0, false), 0, 4, 1024, 500);
    x.f->gpu->child_level = 1;
    x.f->gpu->priority_levels = 2;
    op.shape.static_smem = 40960;
    x.child.block[0] = 1024;
    x.child.shape.static_smem = 40960;
    x.launches.by = GCAST_LAUNCHER_BLOCK;
    x.launches.items_each = 1;
    x.launches.child = &x.child;
    op.launches = &x.launches;
    add(x.f, op);
    simulate(&x);
    /* Children of the first two blocks are there at 310, and start at 500 in the place of those. */
    assert_int_equal(child_op(&x, 0)->start_ns, 500);
    assert_int_equal(child_op(&x, 1)->start_ns, 500);
    assert_int_equal(x.run->ops[0].blocks[2].start_ns, 800);
    gcast_run_free(x.run);
}

/* SPAWN: before a child block has ended, all launch. The child of the first parent runs from 310 to 610. At 1200 the
 * average time of blocks and warps is 300, and one block ran in the last window in which any did. A launcher with one
 * item keeps it, as 110 + 300 > 300; one with two launches, as 410 <= 600; the next does not: 120 + 2 x 300 > 600. */
static void test_spawn(void **state)
{
    static const uint32_t first[] = {1}, then[] = {1, 2, 2};
    scene x = scene_of(state);
    x.launches.policy = GCAST_SPAWN_SPAWN;
    x.launches.items = first;
    x.launches.item_count = 1;
    add_parent(&x, 0, 1, 400);
    x.launches.items = then;
    x.launches.item_count = 3;
    add_parent(&x, 1000, 1, 400);
    simulate(&x);
    assert_children(&x, start_ns, 310, 1310);
    assert_int_equal(x.run->children[1].launcher, 1);
    assert_int_equal(x.run->launches->early, 1);
    assert_int_equal(x.run->ops[1].blocks[0].end_ns, 1400 + 14);
    gcast_run_free(x.run);
}

/* The parent's block is resident for 400 ns, the child's for 300. */
static void test_series(void **state)
{
    scene x = scene_of(state);
    double sum[GCAST_LAUNCH_SERIES] = {0};
    PARENT(&x, 5000, 1);
    simulate(&x);
    assert_int_equal(x.run->series->bin_ns, 8);
    assert_int_equal(x.run->series->count, 625);
    for (int k = 0; k < GCAST_LAUNCH_SERIES; k++)
        for (int i = 0; i < GCAST_SERIES_BINS; i++)
            sum[k] += x.run->series->sum[k][i];
    assert_true(sum[GCAST_SERIES_PARENT_BLOCKS] == 5000);
    assert_true(sum[GCAST_SERIES_CHILD_BLOCKS] == 300);
    assert_true(sum[GCAST_SERIES_CHILD_KERNELS] == 300);
    assert_true(sum[GCAST_SERIES_OVERHEAD] == 110);
    assert_true(x.run->series->sum[GCAST_SERIES_CHILD_BLOCKS][310 / 8] == 2);
    assert_true(x.run->series->sum[GCAST_SERIES_CHILD_BLOCKS][400 / 8] == 8);
    assert_true(x.run->launches->warp_ns == 5300);
    assert_true(x.run->launches->child_warp_ns == 300);
    gcast_run_free(x.run);
}

/* A place among the operations is used again when its child is complete and has released its resources. */
static void test_reuse(void **state)
{
    (void)state;
    sim_launches all = {.free_child = NONE, .draining = FIFO_EMPTY};
    sim s = {.launch = &all};
    uint32_t a = child_slot_new(&s, 0, 0, 1), b = child_slot_new(&s, 0, 1, 1);
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    s.state[a].group_count = 1;
    child_slot_drop(&s, a);
    child_slots_reclaim(&s);
    assert_int_equal(child_slot_new(&s, 0, 2, 1), 2);
    s.state[a].group_count = 0;
    child_slots_reclaim(&s);
    assert_int_equal(child_slot_new(&s, 0, 3, 1), a);
    assert_int_equal(all.child_count, 3);
    free(s.ops);
    free(s.state);
    free(all.children);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(test_tail),
        HAND_CASE(test_wait),
        HAND_CASE(test_rests_behind),
        HAND_CASE(test_nested),
        HAND_CASE(test_nested_without_places),
        HAND_CASE(test_nested_flat),
        HAND_CASE(test_service),
        HAND_CASE(test_call_service),
        HAND_CASE(test_calls_of_two_blocks),
        HAND_CASE(test_complete_later),
        HAND_CASE(test_nested_complete_later),
        HAND_CASE(test_level),
        HAND_CASE(test_spawn),
        HAND_CASE(test_series),
        cmocka_unit_test(test_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

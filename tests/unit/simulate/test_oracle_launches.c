/* Schedules of kernels that launch kernels, worked out by hand from docs/model.md, "Launches": the oracle must give
 * them, and the simulator the same. */
#include "property/hand_launches.h"

/* It reached its stream, was the head, was taken into the pool, entered, and was complete. */
static void assert_child(const fixture *f, size_t i, int64_t arrive, int64_t head, int64_t pool, int64_t enter,
                         int64_t end)
{
    assert_int_equal(child(f, i)->arrive_ns, arrive);
    assert_int_equal(child(f, i)->head_ns, head);
    assert_int_equal(f->r.children[i].pool_ns, pool);
    assert_int_equal(child(f, i)->enter_ns, enter);
    assert_int_equal(child(f, i)->end_ns, end);
}

static void two_children(void **state)
{
    fixture *f = *state;
    parent p = usual();
    add_parent(f, &p);
    run(f);
    /* 2 launches: 5 + 10 + 2 x 2; the warp is held for 3 + 2 x 1 */
    assert_int_equal(f->r.child_count, 2);
    assert_child(f, 0, 19, 19, 19, 19, 40);
    assert_child(f, 1, 19, 19, 19, 19, 40);
    assert_int_equal(child(f, 0)->block_count, 1);
    assert_int_equal(child(f, 1)->block_count, 2);
    assert_int_equal(f->r.children[1].launcher, 3);
    assert_int_equal(f->r.children[1].place, 2);
    assert_int_equal(f->r.stats.offloaded, 44);
    assert_ends(f, 105);
}

static void kept_items(void **state)
{
    fixture *f = *state;
    parent p = usual();
    p.launches.min_items = 5;
    add_parent(f, &p);
    run(f);
    assert_int_equal(f->r.child_count, 1);
    assert_child(f, 0, 17, 17, 17, 17, 38);
    assert_ends(f, 100 + 3 + 1 + 4 * 7);
    assert_int_equal(f->r.stats.kept, 1);
    assert_int_equal(f->r.stats.items, 44);
}

static void one_stream(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->stream_gap_ns = 4;
    p.launches.stream = GCAST_CHILD_STREAM_BLOCK;
    add_parent(f, &p);
    run(f);
    assert_child(f, 0, 19, 19, 19, 19, 40);
    assert_child(f, 1, 19, 44, 44, 44, 65);
}

static void one_queue(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_queues = 1;
    add_parent(f, &p);
    run(f);
    assert_child(f, 0, 19, 19, 19, 19, 40);
    assert_child(f, 1, 19, 19, 19, 40, 61);
}

static void forgotten(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_queues = 1;
    f->gpu->child_forget = 1;
    add_parent(f, &p);
    run(f);
    assert_child(f, 1, 19, 19, 19, 19, 40);
    assert_int_equal(f->r.children[1].queue, -1);
}

static void small_pool(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_queues = f->gpu->child_pool = 1;
    p.launches.items = NULL;
    p.launches.items_each = 1;
    p.op.block[0] = 3;
    add_parent(f, &p);
    run(f);
    /* 3 launches: 5 + 10 + 3 x 2. The first leaves the pool at once, the second when it may enter */
    assert_child(f, 0, 21, 21, 21, 21, 42);
    assert_child(f, 1, 21, 21, 21, 42, 63);
    assert_child(f, 2, 21, 21, 42, 63, 84);
}

static void refused(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_pool = 1;
    f->gpu->child_pool_grows = 0;
    add_parent(f, &p);
    run(f);
    assert_int_equal(f->r.child_count, 1);
    assert_child(f, 0, 17, 17, 17, 17, 38);
    assert_int_equal(f->r.stats.refused, 1);
    assert_ends(f, 100 + 3 + 1 + 50 + 40 * 7);
}

static void waiting_block(void **state)
{
    fixture *f = *state;
    parent p = usual();
    p.launches.wait = GCAST_CHILD_WAIT_BLOCK;
    p.launches.after_ns = 30;
    p.op.grid[0] = 2; /* the other block has no items and goes on */
    p.child.min_ns = p.child.max_ns = 200;
    add_parent(f, &p);
    run(f);
    assert_int_equal(f->r.child_count, 3);
    assert_int_equal(f->r.ops[0].blocks[0].end_ns, 105);
    assert_int_equal(f->r.ops[0].blocks[1].end_ns, 130);
    assert_child(f, 0, 19, 19, 19, 19, 220);
    assert_true(f->r.children[2].is_rest);
    assert_child(f, 2, 220, 220, 220, 220, 250);
    assert_ends(f, 250);
}

static void tail(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->stream_gap_ns = 4;
    p.launches.wait = GCAST_CHILD_WAIT_TAIL;
    add_parent(f, &p);
    add(f, kernel(0, 0, 1, 32, 10));
    run(f);
    assert_child(f, 0, 109, 109, 109, 109, 130);
    assert_child(f, 1, 109, 134, 134, 134, 155);
    assert_ends(f, 155, 169);
}

static void service(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_service_ns = 6;
    add_parent(f, &p);
    run(f);
    assert_child(f, 0, 19, 19, 19, 19, 40);
    assert_child(f, 1, 25, 25, 25, 25, 46);
}

/* A child is complete 6 after its end: a parent later, its stream not. */
static void late_completion(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_end_ns = 6;
    p.op.min_ns = p.op.max_ns = 30;
    p.launches.stream = GCAST_CHILD_STREAM_BLOCK;
    add_parent(f, &p);
    run(f);
    assert_child(f, 0, 19, 19, 19, 19, 40);
    assert_child(f, 1, 19, 40, 40, 40, 61);
    assert_ends(f, 67);
}

/* Two blocks decide at 5, each with 2 launches of 4 on the way: free at 13, then at 21. */
static void late_calls(void **state)
{
    fixture *f = *state;
    parent p = usual();
    f->gpu->child_call_service_ns = 4;
    p.op.grid[0] = 2;
    p.op.block[0] = 2;
    p.launches.items = NULL;
    p.launches.items_each = 1;
    add_parent(f, &p);
    run(f);
    /* the calls of each would return at 10: late by 3 and by 11 */
    assert_child(f, 1, 22, 22, 22, 22, 43);
    assert_child(f, 3, 30, 30, 30, 30, 51);
    assert_int_equal(f->r.ops[0].blocks[0].end_ns, 108);
    assert_ends(f, 116);
}

static parent nested(gcast_launches *below, gcast_op *grandchild)
{
    static const uint32_t items[] = {1, 3};
    parent p = usual();
    p.launches.by = GCAST_LAUNCHER_BLOCK;
    p.launches.items = NULL;
    p.launches.items_each = 2;
    *grandchild = kernel(0, 0, 1, 32, 10);
    *below = gcast_launches_default();
    below->at_ns = 2;
    below->item_ns = 2;
    below->items = items;
    below->item_count = 2;
    below->child = grandchild;
    p.child.launches = below;
    return p;
}

static void grandchildren(void **state)
{
    fixture *f = *state;
    gcast_launches below;
    gcast_op grandchild;
    parent p = nested(&below, &grandchild);
    add_parent(f, &p);
    run(f);
    assert_int_equal(f->r.child_count, 3);
    assert_child(f, 0, 17, 17, 17, 17, 43);
    assert_int_equal(child(f, 0)->blocks[0].end_ns, 17 + 21 + 5);
    assert_child(f, 1, 33, 33, 33, 33, 43);
    assert_child(f, 2, 33, 33, 33, 33, 43);
    assert_int_equal(f->r.children[2].parent, 1);
    assert_int_equal(f->r.children[2].launcher, 1);
    assert_int_equal(f->r.children[2].items, 3);
    assert_ends(f, 104);
}

static void nested_loop(void **state)
{
    fixture *f = *state;
    gcast_launches below;
    gcast_op grandchild;
    parent p = nested(&below, &grandchild);
    p.launches.policy = GCAST_SPAWN_FLAT;
    add_parent(f, &p);
    run(f);
    assert_int_equal(f->r.child_count, 0);
    assert_ends(f, 100 + 2 * 7 + (1 + 3) * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAUNCH_CASE(two_children),  LAUNCH_CASE(kept_items),  LAUNCH_CASE(one_stream),      LAUNCH_CASE(one_queue),
        LAUNCH_CASE(forgotten),     LAUNCH_CASE(small_pool),  LAUNCH_CASE(refused),         LAUNCH_CASE(waiting_block),
        LAUNCH_CASE(tail),          LAUNCH_CASE(service),     LAUNCH_CASE(late_completion), LAUNCH_CASE(late_calls),
        LAUNCH_CASE(grandchildren), LAUNCH_CASE(nested_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

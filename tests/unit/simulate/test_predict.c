/* The policy predict, worked out by hand. Where no test says otherwise, a child is one block of 300 ns, 16 of them may
 * run at a time, and no others are there: x children of a warp end after C(x) = 100 + 10 x + floor(300 x / 16) + 300,
 * so C(1) = 428, C(2) = 457, C(3) = 486. An item takes its launcher 7 ns. */
#include "launch_scene.h"

static scene predict_scene(void **state)
{
    scene x = scene_of(state);
    x.launches.policy = GCAST_SPAWN_PREDICT;
    x.launches.items_per_block = 128;
    x.f->gpu->limits.resident_grids = 16;
    return x;
}

/* Each of 32 launchers takes 64 items × 7 = 448, and C(1) is less. But with up to 31 children the warp still takes 448
 * for those that are left, and C(32) = 100 + 320 + 600 + 300 = 1320. */
static void test_uniform(void **state)
{
    scene x = predict_scene(state);
    x.launches.items_each = 64;
    add_parent(&x, 0, 1, 400);
    simulate(&x);
    assert_int_equal(x.run->child_count, 0);
    assert_int_equal(x.run->ops[0].end_ns, 400 + 448);
    gcast_run_free(x.run);
}

/* Launchers take 140, 700, 210, 280. None: 700. One: the warp 280 + 40 + 5, its child 428. Two: 210 + 40 + 10 and 457.
 * So only the longest launches. */
static void test_skewed(void **state)
{
    scene x = predict_scene(state);
    x.f->gpu->child_call_ns = 40;
    x.f->gpu->child_call_step_ns = 5;
    PARENT(&x, 400, 20, 100, 30, 40);
    simulate(&x);
    assert_children(&x, start_ns, 310);
    assert_int_equal(x.run->children[0].launcher, 1);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 280 + 45);
    gcast_run_free(x.run);
}

/* Launchers take 490, 70, 630. None: 630. One: 490 and 428. Two: 70 and 457. Three: 0 and 486. Two launch, the first of
 * the warp first. */
static void test_two_launch(void **state)
{
    scene x = predict_scene(state);
    PARENT(&x, 400, 70, 10, 90);
    simulate(&x);
    assert_children(&x, start_ns, 320, 320);
    assert_int_equal(x.run->children[0].launcher, 0);
    assert_int_equal(x.run->children[1].launcher, 2);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 70);
    gcast_run_free(x.run);
}

/* The launcher of 490 has fewer items than a launch needs, but the warp has to wait for it. None: 630. One: 490 and
 * 428. Where the calls hold the warp for 140, one is 490 + 140 and 428: no better than none. */
static void test_min_items(void **state)
{
    scene x = predict_scene(state);
    x.launches.min_items = 80;
    PARENT(&x, 400, 70, 10, 90);
    simulate(&x);
    assert_int_equal(x.run->child_count, 1);
    assert_int_equal(x.run->children[0].launcher, 2);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 490);
    gcast_run_free(x.run);
    x.f->gpu->child_call_ns = 140;
    x.f->options.record_blocks = false;
    simulate(&x);
    assert_int_equal(x.run->child_count, 0);
    gcast_run_free(x.run);
}

/* As test_two_launch, but children become ready one every 150 ns: C(1) = 150 + 18 + 300 = 468, C(2) = 300 + 37 + 300 =
 * 637, so only one launches. For the second block it is there: C(1) = 300 + 37 + 300 = 637, and none does. */
static void test_service(void **state)
{
    scene x = predict_scene(state);
    static const uint32_t items[35] = {70, 10, 90, [32] = 70, [33] = 10, [34] = 90};
    x.f->gpu->child_service_ns = 150;
    x.launches.items = items;
    x.launches.item_count = 35;
    add_parent(&x, 0, 2, 400);
    simulate(&x);
    assert_int_equal(x.run->child_count, 1);
    assert_int_equal(x.run->children[0].launcher, 2);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 490);
    assert_int_equal(x.run->ops[0].blocks[1].end_ns, 400 + 630);
    gcast_run_free(x.run);
}

/* Each block decides for itself. The first takes 427, less than C(1) = 428. The second takes 434 and launches. Now C(1)
 * is 110 + floor(2 × 300 / 16) + 300 = 447: the third takes 441 and keeps its items, the fourth 448 and launches. */
static void test_blocks(void **state)
{
    scene x = predict_scene(state);
    static const uint32_t items[] = {61, 62, 63, 64};
    x.launches.by = GCAST_LAUNCHER_BLOCK;
    x.launches.items = items;
    x.launches.item_count = 4;
    add_parent(&x, 0, 4, 400);
    simulate(&x);
    assert_children(&x, start_ns, 310, 310);
    assert_int_equal(x.run->children[0].launcher, 1);
    assert_int_equal(x.run->children[1].launcher, 3);
    assert_int_equal(x.run->ops[0].blocks[2].end_ns, 400 + 441);
    gcast_run_free(x.run);
}

/* As test_two_launch, but the pool has one place: the first launcher gets it, the longest is refused, and keeps its
 * items. */
static void test_refused(void **state)
{
    scene x = predict_scene(state);
    x.f->gpu->child_pool = 1;
    x.f->gpu->child_pool_grows = 0;
    x.f->gpu->child_refused_ns = 11;
    PARENT(&x, 400, 70, 10, 90);
    simulate(&x);
    assert_children(&x, start_ns, 310);
    assert_int_equal(x.run->children[0].launcher, 0);
    assert_int_equal(x.run->launches->refused, 1);
    assert_int_equal(x.run->launches->kept, 2);
    assert_int_equal(x.run->ops[0].blocks[0].end_ns, 400 + 11 + 630);
    gcast_run_free(x.run);
}

/* Of a child, a thread has 19 items of 10^17 ns, nearly the longest time that there is: the launcher keeps them. */
static void test_long_child(void **state)
{
    scene x = predict_scene(state);
    x.launches.items_per_block = 19 * 32;
    x.launches.child_item_ns = INT64_C(100000000000000000);
    x.launches.item_ns = INT64_C(1000000000000000);
    PARENT(&x, 400, 19 * 32);
    simulate(&x);
    assert_int_equal(x.run->child_count, 0);
    assert_int_equal(x.run->ops[0].end_ns, 400 + 19 * 32 * x.launches.item_ns);
    gcast_run_free(x.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(test_uniform), HAND_CASE(test_skewed), HAND_CASE(test_two_launch), HAND_CASE(test_min_items),
        HAND_CASE(test_service), HAND_CASE(test_blocks), HAND_CASE(test_refused),    HAND_CASE(test_long_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Decisions of predict, worked out by hand from docs/model.md: the oracle must make them, and the simulator the same.
 * Launches take 10 + 2 x, and hold the warp for 3 + x; a block of a child takes 21, and 64 of them can run at a time
 * where nothing else is said. */
#include "property/hand_launches.h"

/* One warp whose threads have these items, with predict. */
static parent predicting(const uint32_t *items, uint64_t count, int64_t item_ns)
{
    parent p = usual();
    p.launches.policy = GCAST_SPAWN_PREDICT;
    p.launches.items = items;
    p.launches.item_count = count;
    p.launches.item_ns = item_ns;
    return p;
}

#define assert_launchers(f, ...)                                                                                       \
    do {                                                                                                               \
        const uint64_t want[] = {__VA_ARGS__};                                                                         \
        run(f);                                                                                                        \
        assert_int_equal((f)->r.child_count, sizeof want / sizeof *want);                                              \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.children[i_].launcher, want[i_]);                                                  \
    } while (0)

static void assert_none(fixture *f)
{
    run(f);
    assert_int_equal(f->r.child_count, 0);
}

/* x = 0: 90. x = 1: P = 90 + 4. x = 2: P = 40 + 5. x = 3: P = 20 + 6, C = 16 + floor(3 x 21 / 64) + 21 = 37. x = 4: C =
 * 18 + floor(4 x 21 / 64) + 21 = 40. x = 5: C = 42. So the three with 9, 9 and 4 items launch. */
static const uint32_t skewed[] = {2, 9, 4, 0, 9, 1};

static void some_of_a_warp(void **state)
{
    fixture *f = *state;
    parent p = predicting(skewed, 6, 10);
    add_parent(f, &p);
    assert_launchers(f, 1, 2, 4);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(child(f, i)->start_ns, 5 + 16);
    assert_ends(f, 100 + 6 + 20);
}

/* Launches take 10 + 10 x. x = 1: P = 45 + 4, C = 20 + 0 + 21. x = 2 and 3: P = 50 and 51. x = 4: C = 50 + floor(4 x 21
 * / 64) + 21 = 72. The others do not launch, though each would gain by itself: 41 < 45. */
static void only_the_longest(void **state)
{
    static const uint32_t items[] = {3, 3, 6, 3};
    fixture *f = *state;
    f->gpu->child_step_ns = 10;
    parent p = predicting(items, 4, 15);
    add_parent(f, &p);
    assert_launchers(f, 2);
    assert_ends(f, 100 + 4 + 45);
}

/* The third of those chosen is refused, and keeps its 90; no other takes its place. */
static void refused(void **state)
{
    fixture *f = *state;
    f->gpu->child_pool = 2;
    f->gpu->child_pool_grows = 0;
    parent p = predicting(skewed, 6, 10);
    add_parent(f, &p);
    assert_launchers(f, 1, 2);
    assert_int_equal(child(f, 1)->start_ns, 5 + 14);
    assert_ends(f, 100 + 5 + 50 + 90);
}

/* Launchers that are warps decide alone: 12 + floor((n + 1) x 21 / 64) + 21 is 33 for n of 0, 1 and 2, less than 90 and
 * 40, more than 20. */
static void warps_alone(void **state)
{
    fixture *f = *state;
    parent p = predicting(skewed, 6, 10);
    p.op.block[0] = 6 * 32;
    p.launches.by = GCAST_LAUNCHER_WARP;
    add_parent(f, &p);
    assert_launchers(f, 1, 2, 4);
    assert_int_equal(child(f, 0)->start_ns, 5 + 12);
    assert_ends(f, 100 + 20); /* a warp that launches is held for 4 */
}

/* Where nothing is gained nothing is launched: 12 + 0 + 21 = 33. */
static void equal_times(void **state)
{
    static const uint32_t items[] = {33};
    fixture *f = *state;
    parent p = predicting(items, 1, 1);
    add_parent(f, &p);
    assert_none(f);
    assert_ends(f, 133);
}

static void one_more(void **state)
{
    static const uint32_t items[] = {34};
    fixture *f = *state;
    parent p = predicting(items, 1, 1);
    add_parent(f, &p);
    assert_launchers(f, 0);
}

/* 38 are too few to launch, and hold the warp until 38 + 4, longer than 40. */
static void min_items(void **state)
{
    static const uint32_t items[] = {38, 40};
    fixture *f = *state;
    parent p = predicting(items, 2, 1);
    p.launches.min_items = 39;
    add_parent(f, &p);
    assert_none(f);
}

/* P(1) = 35 + 4, C(1) = 12 + 0 + 21, both less than 40; C(2) = 14 + floor(4 x 21 / 64) + 21 = 36 is even less. */
static void all_of_a_warp(void **state)
{
    static const uint32_t items[] = {35, 40};
    fixture *f = *state;
    parent p = predicting(items, 2, 1);
    add_parent(f, &p);
    assert_launchers(f, 0, 1);
}

/* Each warp counts the children of those before it, m: 12, 2 x 10, 3 x 10, each + 21, against 42. */
static void service(void **state)
{
    static const uint32_t items[96] = {[0] = 6, [32] = 6, [64] = 6};
    fixture *f = *state;
    f->gpu->child_service_ns = 10;
    parent p = predicting(items, 96, 7);
    p.op.grid[0] = 3;
    add_parent(f, &p);
    assert_launchers(f, 0, 32);
}

/* One child at a time runs its one block: 12 + 21 (n + 1) + 21 is 54, 75, 96, against 84. */
static void queues(void **state)
{
    fixture *f = *state;
    f->gpu->child_queues = 1;
    f->options.override_spawn = true;
    f->options.spawn_policy = GCAST_SPAWN_PREDICT;
    parent p = usual();
    p.op.grid[0] = 3;
    p.launches.by = GCAST_LAUNCHER_BLOCK;
    p.launches.items = NULL;
    p.launches.items_each = 12;
    add_parent(f, &p);
    assert_launchers(f, 0, 1);
}

/* Two launchers take 60 each, by six items of the next level at 10. With one child at a time, of which the first one
 * has y blocks of 12: C(1) > 60 or P(1) = 64; C(2) = 14 + floor(3 x 12 / y) + 12 is 62 for y = 1, and 44 for y = 2. */
static void add_equal(fixture *f, const uint32_t *items, const uint32_t *below)
{
    parent p = predicting(items, 2, 0), next = usual();
    f->gpu->child_queues = 1;
    next.launches.policy = GCAST_SPAWN_FLAT;
    next.launches.items = below;
    next.launches.item_count = 3;
    next.launches.item_ns = 10;
    next.launches.child = &next.child;
    p.launches.items_per_block = 1;
    p.launches.child_item_ns = 0;
    p.child.min_ns = p.child.max_ns = 12;
    p.child.launches = &next.launches;
    add_parent(f, &p);
}

static void equal_first_small(void **state)
{
    static const uint32_t items[] = {1, 2}, below[] = {6, 3, 3};
    add_equal(*state, items, below);
    assert_none(*state);
}

static void equal_first_large(void **state)
{
    static const uint32_t items[] = {2, 1}, below[] = {3, 3, 6};
    add_equal(*state, items, below);
    assert_launchers((fixture *)*state, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAUNCH_CASE(some_of_a_warp), LAUNCH_CASE(only_the_longest),  LAUNCH_CASE(refused),
        LAUNCH_CASE(warps_alone),    LAUNCH_CASE(equal_times),       LAUNCH_CASE(one_more),
        LAUNCH_CASE(min_items),      LAUNCH_CASE(all_of_a_warp),     LAUNCH_CASE(service),
        LAUNCH_CASE(queues),         LAUNCH_CASE(equal_first_small), LAUNCH_CASE(equal_first_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

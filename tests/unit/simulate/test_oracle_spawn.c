/* Decisions of SPAWN, worked out by hand from docs/model.md: the oracle must make them, and the simulator
 * the same. */
#include "property/hand_launches.h"

/* Three blocks of a child run from 13 to 53. At 101 threads with 1, 1 and 2 items decide. No child block runs from 53
 * on: of windows of 50 ns, the first has 3 x 37 block-nanoseconds and the second 3 x 3. */
static void add_measured(fixture *f)
{
    static const uint32_t items[] = {1, 1, 2};
    parent p = usual();
    p.op.min_ns = p.op.max_ns = 30;
    p.launches.by = GCAST_LAUNCHER_BLOCK;
    p.launches.at_ns = 1;
    p.launches.items = NULL;
    p.launches.items_each = 96;
    p.launches.child_item_ns = 0;
    p.child.min_ns = p.child.max_ns = 40;
    add_parent(f, &p);
    p.op.stream = 1;
    p.op.release_ns = 100;
    p.launches.by = GCAST_LAUNCHER_THREAD;
    p.launches.items = items;
    p.launches.item_count = 3;
    p.launches.item_ns = 30;
    p.launches.policy = GCAST_SPAWN_SPAWN;
    add_parent(f, &p);
}

#define assert_launchers(f, ...)                                                                                       \
    do {                                                                                                               \
        const uint64_t want[] = {0, __VA_ARGS__};                                                                      \
        run(f);                                                                                                        \
        assert_int_equal(child(f, 0)->blocks[2].start_ns, 13);                                                         \
        assert_int_equal(child(f, 0)->end_ns, 53);                                                                     \
        assert_int_equal((f)->r.child_count, sizeof want / sizeof *want);                                              \
        for (size_t i_ = 1; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.children[i_].launcher, want[i_]);                                                  \
    } while (0)

static void spawn_last(void **state)
{
    fixture *f = *state;
    add_measured(f);
    /* n_con 2: 12 + 1 x 40 / 2 <= 40; 14 + 2 x 40 / 2 > 40, but <= 80 */
    assert_launchers(f, 0, 2);
}

static void spawn_one(void **state)
{
    fixture *f = *state;
    gcast_spawn_options s = gcast_spawn_options_default();
    s.idle = GCAST_SPAWN_IDLE_ONE;
    f->options.spawn = &s;
    add_measured(f);
    assert_launchers(f, 2); /* 12 + 40 > 40, <= 80 */
}

static void spawn_launch(void **state)
{
    fixture *f = *state;
    gcast_spawn_options s = gcast_spawn_options_default();
    s.idle = GCAST_SPAWN_IDLE_LAUNCH;
    f->options.spawn = &s;
    add_measured(f);
    assert_launchers(f, 0, 1, 2);
}

static void spawn_limit(void **state)
{
    fixture *f = *state;
    gcast_spawn_options s = gcast_spawn_options_default();
    s.queue_limit = 1;
    f->options.spawn = &s;
    add_measured(f);
    assert_launchers(f, 0);
}

static void spawn_fractions(void **state)
{
    fixture *f = *state;
    gcast_spawn_options s = gcast_spawn_options_default();
    s.fractions = true; /* 9 / 50 of a block: 12 + 40 x 50 / 9 > 80 */
    f->options.spawn = &s;
    add_measured(f);
    run(f);
    assert_int_equal(f->r.child_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAUNCH_CASE(spawn_last),  LAUNCH_CASE(spawn_one),       LAUNCH_CASE(spawn_launch),
        LAUNCH_CASE(spawn_limit), LAUNCH_CASE(spawn_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Method explore where blocks are no pool of slots, on systems whose executions can be counted out by hand. An SM
 * holds 2048 threads, and there are two. */
#include <string.h>

#include "property/hand.h"
#include "support/builders.h"

static gcast_analyze_options options;

static int setup(void **state)
{
    options = gcast_analyze_options_default();
    options.max_ms = 1000000000;
    return hand_setup(state);
}

static gcast_analysis *explore(fixture *f)
{
    gcast_analysis *a;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_EXPLORE, &options, &a, &f->err), &f->err);
    return a;
}

static bool by_events(const gcast_analysis *a)
{
    for (size_t i = 0; i < a->assumption_count; i++)
        if (strstr(a->assumptions[i], "every order of events"))
            return true;
    return false;
}

/* The best and the worst response of each op, one op after the other. */
#define assert_responses(f, ...)                                                                                       \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        gcast_analysis *a_ = explore(f);                                                                               \
        assert_string_equal(a_->why_not ? a_->why_not : "", "");                                                       \
        assert_true(by_events(a_));                                                                                    \
        assert_int_equal(2 * a_->response_count, sizeof want / sizeof *want);                                          \
        for (size_t i_ = 0; i_ < a_->response_count; i_++) {                                                           \
            assert_int_equal(a_->responses[i_].best_ns, want[2 * i_]);                                                 \
            assert_int_equal(a_->responses[i_].worst_ns, want[2 * i_ + 1]);                                            \
        }                                                                                                              \
        gcast_analysis_free(a_);                                                                                       \
    } while (0)

static void assert_gives_up(fixture *f, const char *words)
{
    gcast_analysis *a = explore(f);
    assert_false(a->complete);
    assert_non_null(strstr(a->why_not, words));
    gcast_analysis_free(a);
}

static gcast_op ranged(int stream, int64_t release, uint32_t blocks, uint32_t threads, int64_t min, int64_t max)
{
    gcast_op op = kernel(stream, release, blocks, threads, max);
    op.min_ns = min;
    return op;
}

/* 512 threads are left beside three small blocks: one of these has to end before a large one fits. */
static void a_block_waits_for_room(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    gcast_workload_set_partition(f->w, 1);
    add(f, ranged(0, 0, 3, 512, 5, 9));
    add(f, kernel(1, 1, 1, 1024, 10));
    assert_responses(f, 5, 9, 14, 18);
    add(f, kernel(1, 1, 2, 1024, 10));
    assert_responses(f, 5, 9, 14, 18, 24, 28);
}

/* The small blocks fit beside the large ones, so that neither kernel waits for the other. */
static void a_small_block_fits_beside(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    add(f, ranged(0, 0, 2, 1024, 50, 60));
    add(f, kernel(1, 0, 4, 512, 10));
    assert_responses(f, 50, 60, 10, 10);
}

/* The second kernel of stream 1 is before that of stream 2 only if the first one is short. */
static void shorter_block_makes_a_later_end(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    gcast_workload_set_partition(f->w, 1);
    gcast_op ops[] = {ranged(0, 0, 2, 1024, 3, 5), kernel(0, 0, 2, 1024, 10), kernel(1, 4, 3, 600, 1)};
    for (size_t i = 0; i < 3; i++)
        add(f, ops[i]);
    /* If the first ends at 3, or at 4, which is seen before the call at 4, the last waits until 13 or 14. */
    assert_responses(f, 3, 5, 13, 16, 2, 11);
}

/* Which kernel is first in the queue depends on how late the first task is released. */
static void jitter_turns_the_order_round(void **state)
{
    fixture *f = *state;
    gcast_task late = {.name = "late", .stream = 0, .offset_ns = 10, .period_ns = 100, .jitter_ns = 5};
    gcast_task other = {.name = "other", .stream = 1, .offset_ns = 12, .period_ns = 100};
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    options.horizon_ns = 50;
    assert_true(support_add_task(f->w, &late, &f->err) >= 0);
    add(f, kernel(0, 0, 4, 1024, 20));
    assert_true(support_add_task(f->w, &other, &f->err) >= 0);
    add(f, kernel(1, 0, 4, 600, 30));
    /* The first is called at 12 at the latest and leaves at 32; or at 13 at the earliest and waits until 42. */
    assert_responses(f, 20, 49, 30, 50);
}

/* N1, N2: the NULL stream waits for operations of blocking streams that were called before, and they wait for its. */
static void the_null_stream_holds_others(void **state)
{
    fixture *f = *state;
    stream(f, 0, 0, true);
    stream(f, 1, 0, true);
    stream(f, 2, 0, false);
    add(f, ranged(1, 0, 1, 32, 10, 12));
    add(f, ranged(0, 1, 1, 32, 10, 12));
    add(f, kernel(1, 2, 1, 32, 10));
    add(f, kernel(2, 2, 1, 32, 10));
    assert_responses(f, 10, 12, 19, 23, 28, 32, 10, 10);
}

/* With one connection a kernel waits behind a kernel of another stream, which its own stream holds. */
static void connections_hold_up(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    add(f, ranged(0, 0, 1, 32, 10, 12));
    add(f, kernel(0, 0, 1, 32, 10));
    add(f, kernel(1, 0, 1, 32, 10));
    f->gpu->connections = 1;
    assert_responses(f, 10, 12, 20, 22, 20, 22);
}

static void grids_are_limited(void **state)
{
    fixture *f = *state;
    f->gpu->limits.resident_grids = 2;
    for (int i = 0; i < 3; i++) {
        stream(f, i + 1, 0, false);
        add(f, ranged(i, 0, 1, 1024, 10, 10 + i));
    }
    assert_responses(f, 10, 10, 10, 11, 20, 22);
}

/* Of two channels the engine goes on with the channel of the last copy. */
static void copies_pass_each_other(void **state)
{
    fixture *f = *state;
    f->gpu->copy_channels = 2;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    add(f, copy(0, 0, GCAST_H2D, 10));
    add(f, copy(1, 1, GCAST_H2D, 10));
    add(f, copy(0, 2, GCAST_H2D, 10));
    assert_responses(f, 10, 10, 29, 29, 18, 18);
}

static void any_may_be_called_first(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    add(f, kernel(0, 0, 4, 1024, 10));
    add(f, kernel(1, 0, 6, 600, 20));
    assert_responses(f, 10, 10, 30, 30);
    options.any_order = true;
    assert_responses(f, 10, 30, 20, 30);
}

static bool stop(void *data, double fraction)
{
    (void)data, (void)fraction;
    return false;
}

static void limits_end_in_unknown(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 4; i++) {
        stream(f, (i + 1) % 4, 0, i == 0); /* the NULL stream, so that there is no coarser search */
        add(f, ranged(i, 0, 3, 400 + 200 * (uint32_t)i, 9, 14));
    }
    options.max_states = 20;
    assert_gives_up(f, "more than 20 states");
    options.max_states = 0;
    options.max_bytes = 1;
    assert_gives_up(f, "bytes");
    options.max_bytes = 0;
    options.progress = stop;
    assert_gives_up(f, "stopped");
    options.progress = NULL;
    add(f, ranged(0, 0, 64, 32, 9, 14));
    add(f, kernel(0, 0, 64, 64, 9));
    options.max_states = 1000000;
    assert_gives_up(f, "too many events");
    assert_gives_up(f, "the NULL stream");
}

static void a_coarser_search_follows(void **state)
{
    fixture *f = *state;
    stream(f, 1, 0, false);
    stream(f, 2, 0, false);
    add(f, ranged(0, 0, 64, 32, 9, 14));
    add(f, ranged(1, 0, 64, 64, 9, 14));
    add(f, kernel(1, 0, 2, 1024, 9));
    gcast_analysis *a = explore(f);
    assert_true(a->complete && !by_events(a));
    gcast_analysis_free(a);
}

static void what_sms_remember_repeats(void **state)
{
    fixture *f = *state;
    gcast_task task = {.name = "task", .stream = 0, .period_ns = 100};
    stream(f, 1, 0, false);
    assert_true(support_add_task(f->w, &task, &f->err) >= 0);
    add(f, kernel(0, 0, 4, 1024, 20));
    add(f, kernel(0, 0, 4, 600, 30));
    f->gpu->register_quarters = false;
    f->gpu->placement = GCAST_PLACE_MOST_ROOM;
    assert_responses(f, 20, 20, 50, 50);
    f->gpu->placement = GCAST_PLACE_ROUND_ROBIN;
    assert_responses(f, 20, 20, 50, 50);
    options.horizon_ns = 200;
    assert_responses(f, 20, 20, 50, 50);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, hand_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_block_waits_for_room),
        CASE(a_small_block_fits_beside),
        CASE(shorter_block_makes_a_later_end),
        CASE(jitter_turns_the_order_round),
        CASE(the_null_stream_holds_others),
        CASE(connections_hold_up),
        CASE(grids_are_limited),
        CASE(copies_pass_each_other),
        CASE(any_may_be_called_first),
        CASE(limits_end_in_unknown),
        CASE(a_coarser_search_follows),
        CASE(what_sms_remember_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

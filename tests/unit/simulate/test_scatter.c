/* Scatter, worked out by hand: how far the times of launches and of blocks that starve vary in the search for races,
 * and which races that finds. The oracle and the simulator must draw the same times. */
#include <stdlib.h>

#include "gridcast/races.h"
#include "property/hand.h"

enum { LATENCY = 9000, NOISE = 4000, SEEDS = 40 };

static fixture *launches(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->launch_latency_ns = LATENCY;
    f->gpu->launch_noise_ns = NOISE;
    f->gpu->copy_idle_ns = 2000000;
    f->options.scatter = true;
    return f;
}

static void launch(fixture *f, int64_t release, uint32_t threads, int64_t ns)
{
    add(f, kernel(stream(f, (int)f->w->stream_count + 1, 0, false), release, 1, threads, ns));
}

/* The first call comes after a pause: its latency is longer by up to three times the noise. */
static void latencies_scatter(void **state)
{
    fixture *f = launches(state);
    launch(f, 0, 64, 1000);
    launch(f, 50000, 64, 1000);
    int64_t min_ns[2] = {INT64_MAX, INT64_MAX}, max_ns[2] = {0, 0};
    for (f->options.noise_seed = 0; f->options.noise_seed < SEEDS; f->options.noise_seed++) {
        run(f);
        for (int i = 0; i < 2; i++) {
            int64_t latency_ns = f->r.ops[i].arrive_ns - f->r.ops[i].call_ns;
            min_ns[i] = latency_ns < min_ns[i] ? latency_ns : min_ns[i];
            max_ns[i] = latency_ns > max_ns[i] ? latency_ns : max_ns[i];
        }
        oracle_free(&f->r);
    }
    assert_in_range(min_ns[0], LATENCY, LATENCY + NOISE);
    assert_in_range(max_ns[0], LATENCY + 2 * NOISE, LATENCY + 3 * NOISE);
    assert_in_range(min_ns[1], LATENCY - NOISE / 2, LATENCY - NOISE / 4);
    assert_in_range(max_ns[1], LATENCY + NOISE / 4, LATENCY + NOISE / 2);
}

/* An operation does not arrive before one that was called before it. */
static void none_comes_before_its_call(void **state)
{
    fixture *f = launches(state);
    f->gpu->launch_latency_ns = 100;
    f->gpu->copy_idle_ns = 0;
    for (int i = 0; i < 40; i++)
        launch(f, 1000 * i, 64, 50);
    run(f);
    int same_arrival = 0, no_latency = 0;
    for (size_t i = 1; i < 40; i++) {
        const gcast_run_op *r = &f->r.ops[i];
        assert_true(r->arrive_ns >= r->call_ns && r->arrive_ns >= r[-1].arrive_ns);
        same_arrival += r->arrive_ns == r[-1].arrive_ns;
        no_latency += r->arrive_ns == r->call_ns;
    }
    assert_true(same_arrival > 0 && no_latency > 0);
}

static size_t races_of(fixture *f)
{
    gcast_run *base;
    gcast_race *races;
    size_t count;
    f->options.scatter = false;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &base, &f->err), &f->err);
    assert_ok(gcast_run_find_races(base, f->gpu, &f->options, 8, &races, &count, &f->err), &f->err);
    free(races);
    gcast_run_free(base);
    return count;
}

/* The second and the third kernel need the whole SM. The third arrives half a microsecond after the first has ended. */
static void launches_race(void **state)
{
    fixture *f = launches(state);
    launch(f, 0, 1024, 100000);
    add(f, kernel(0, 10, 1, 1024, 300000));
    launch(f, 100500, 1024, 200000);
    f->gpu->limits.blocks_per_sm = 1;
    assert_int_equal(races_of(f), 2);
    f->gpu->launch_noise_ns = 0;
    assert_int_equal(races_of(f), 0);
    run(f);
    assert_ends(f, 109000, 409000, 609000);
}

/* Two kernels that need the whole SM wait for a kernel of the NULL stream; if their streams are not blocking, they wait
 * for its resources. */
static void held_back(fixture *f, bool blocking)
{
    f->gpu->sms = 1;
    f->gpu->noise_ns = 1;
    f->gpu->limits.blocks_per_sm = 1;
    add(f, kernel(stream(f, 0, 0, true), 0, 1, 1024, 100000));
    add(f, kernel(stream(f, 1, 0, blocking), 1000, 1, 1024, 300000));
    add(f, kernel(stream(f, 2, 0, blocking), 2000, 1, 1024, 200000));
}

static void null_stream_lets_go(void **state)
{
    fixture *f = *state;
    held_back(f, true);
    assert_int_equal(races_of(f), 2);
    run(f);
    assert_ends(f, 100000, 400000, 600000);
}

static void in_line_already(void **state)
{
    fixture *f = *state;
    held_back(f, false);
    assert_int_equal(races_of(f), 0);
}

/* A block of 100 us, beside `blocks` older blocks of `threads` threads that spin for 500 us. */
static void add_two_kernels(fixture *f, uint32_t blocks, uint32_t threads)
{
    f->gpu->sms = 1;
    f->gpu->noise_ns = 1;
    f->gpu->starving_warps = 40;
    f->gpu->starved_ns = 60000;
    gcast_op old = kernel(stream(f, 1, 0, false), 0, blocks, threads, 500000);
    old.body = GCAST_BODY_TIMER_SPIN;
    add(f, old);
    add(f, kernel(stream(f, 2, 0, false), 1000, 1, 128, 100000));
}

static void may_starve(void **state)
{
    fixture *f = *state;
    add_two_kernels(f, 3, 256);
    assert_int_equal(races_of(f), 1);
    f->options.scatter = true;
    run(f);
    assert_in_range(f->r.ops[1].end_ns, 101001, 181000);
}

static void too_few_to_starve(void **state)
{
    fixture *f = *state;
    add_two_kernels(f, 5, 128);
    assert_int_equal(races_of(f), 0);
}

static void too_few_blocks_to_starve(void **state)
{
    fixture *f = *state;
    add_two_kernels(f, 1, 1024);
    assert_int_equal(races_of(f), 0);
}

/* The checker accepts times that scatter as far as they may, and only in runs in which times scatter. */
static void checked(void **state)
{
    fixture *f = launches(state);
    gcast_run *r;
    launch(f, 0, 64, 1000);
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &r, &f->err), &f->err);
    gcast_run_op *op = (gcast_run_op *)&r->ops[0];
    assert_int_not_equal(op->arrive_ns, LATENCY);
    assert_ok(gcast_run_check(r, &f->err), &f->err);
    r->scatter = false;
    assert_int_equal(gcast_run_check(r, &f->err), GCAST_INTERNAL);
    r->scatter = true;
    op->arrive_ns = op->head_ns = op->enter_ns = LATENCY - NOISE;
    assert_int_equal(gcast_run_check(r, &f->err), GCAST_INTERNAL);
    gcast_run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(latencies_scatter), HAND_CASE(none_comes_before_its_call),
        HAND_CASE(launches_race),     HAND_CASE(null_stream_lets_go),
        HAND_CASE(in_line_already),   HAND_CASE(may_starve),
        HAND_CASE(too_few_to_starve), HAND_CASE(too_few_blocks_to_starve),
        HAND_CASE(checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Blocks that sleep, worked out by hand: on which tick each one ends. The oracle and the simulator must agree with it.
 */
#include "property/hand.h"

/* 2 SMs whose sleeping warps wake every 128 ns; a block fills an SM. */
static fixture *sleeping(void **state)
{
    fixture *f = *state;
    f->gpu->wake_ns = 128;
    f->gpu->handover_ns = 100;
    f->options.as_measured = true;
    return f;
}

static void add_kernel(fixture *f, int64_t release, uint32_t blocks, int64_t ns)
{
    add(f, kernel(stream(f, (int)f->w->stream_count + 1, 0, false), release, blocks, 1024, ns));
}

static void ends_on_a_tick(void **state)
{
    fixture *f = sleeping(state);
    add_kernel(f, 0, 1, 1000);   /* 1024 */
    add_kernel(f, 10, 1, 1014);  /* reads 0 as its start: 1014 */
    add_kernel(f, 32, 1, 1000);  /* 1032 */
    add_kernel(f, 100, 1, 1056); /* reads 96: exactly 1152 */
    run(f);
    assert_ends(f, 1024, 1024, 1152, 1152);
}

static void only_where_asked_for(void **state)
{
    fixture *f = sleeping(state);
    f->options.as_measured = false;
    add_kernel(f, 10, 1, 1000);
    run(f);
    assert_ends(f, 1010);
}

static void those_that_spin_do_not(void **state)
{
    fixture *f = sleeping(state);
    gcast_op op = kernel(stream(f, 1, 0, false), 10, 1, 1024, 1000);
    op.body = GCAST_BODY_TIMER_SPIN;
    add(f, op);
    run(f);
    assert_ends(f, 1010);
}

/* 64 of the 100 ns of the hand-over are the time to the next tick. */
static void next_wave_starts_after_the_tick(void **state)
{
    fixture *f = sleeping(state);
    add_kernel(f, 0, 8, 992);
    run(f);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f->r.ops[0].blocks[i].end_ns, 1024);
        assert_int_equal(f->r.ops[0].blocks[4 + i].start_ns, 1060);
        assert_int_equal(f->r.ops[0].blocks[4 + i].end_ns, 2048); /* start 1056 on its own clock, and 992 */
    }
}

/* A block that starts later, because its SM is far or because it follows another block there, may end a tick later. */
static void late_starts_miss_the_tick(void **state)
{
    fixture *f = sleeping(state);
    const int reach[] = {0, 40};
    f->gpu->sms_per_tpc = 1;
    f->gpu->look_step_ns = 30;
    assert_ok(gcast_gpu_set_reach(f->gpu, reach, 2, &f->err), &f->err);
    add_kernel(f, 0, 8, 960);
    run(f);
    int64_t first[2] = {0}, second[2] = {0};
    for (int i = 4; i < 8; i++) {
        const gcast_block *b = &f->r.ops[0].blocks[i];
        assert_int_equal(b->start_ns, 1060);
        *(first[b->sm] ? &second[b->sm] : &first[b->sm]) = b->end_ns;
    }
    assert_int_equal(first[0], 2048);  /* 1056 and 960 */
    assert_int_equal(second[0], 2048); /* 30 later: 1088 and 960, exactly 2048 */
    assert_int_equal(first[1], 2048);  /* 40 later: 1088 too */
    assert_int_equal(second[1], 2176); /* 70 later: 1120 and 960 */
}

/* Both SMs are full: one half of each for long, the other half with `ends` until the tick at 1024. `waiting` blocks of
 * `threads` threads wait. */
static void in_a_tpc(fixture *f, gcast_op ends, uint32_t waiting, uint32_t threads)
{
    f->gpu->sms_per_tpc = 2;
    f->gpu->look_step_ns = 12;
    add_kernel(f, 0, 2, 100000);
    ends.stream = stream(f, 2, 0, false);
    add(f, ends);
    add(f, kernel(stream(f, 3, 0, false), 0, waiting, threads, 500));
    run(f);
}

/* When the first of two ends is seen, all warps but one of the other block have left too: four blocks fit on one SM,
 * and three on the other. */
static void warps_leave_before_their_block(void **state)
{
    fixture *f = sleeping(state);
    in_a_tpc(f, kernel(0, 0, 2, 1024, 1000), 8, 256);
    assert_sms(f, 2, 0, 0, 1, 0, 1, 0, 1, 1);
}

/* Warps of a block that all read the clock end together. */
static void spinning_warps_leave_with_it(void **state)
{
    fixture *f = sleeping(state);
    gcast_op ends = kernel(0, 0, 2, 1024, 1024);
    ends.body = GCAST_BODY_TIMER_SPIN;
    in_a_tpc(f, ends, 8, 256);
    assert_sms(f, 2, 0, 0, 0, 0, 1, 1, 1, 1);
}

static gcast_op holding(fixture *f, uint32_t blocks, int smem, int64_t ns)
{
    gcast_op op = kernel(stream(f, (int)f->w->stream_count + 1, 0, false), 0, blocks, 32, ns);
    op.shape.dynamic_smem = smem;
    return op;
}

/* Shared memory is missing, and is released with the end of a block. Two blocks end on SM 0 and four on SM 1, in turn.
 */
static void ends_are_seen_in_turn(void **state)
{
    fixture *f = sleeping(state);
    int quarter = f->gpu->limits.smem_per_sm / 4;
    f->gpu->sms_per_tpc = 2;
    f->gpu->look_step_ns = 12;
    add(f, holding(f, 1, 2 * quarter, 100000));
    add(f, holding(f, 6, quarter, 1000));
    add(f, holding(f, 3, quarter, 500));
    run(f);
    assert_sms(f, 1, 1, 1, 0, 1, 0, 1);
    assert_sms(f, 2, 0, 1, 0);
}

/* The older block on SM 0 holds no shared memory, so that the memory that is needed is seen on SM 1 first. */
static void the_oldest_of_an_sm_first(void **state)
{
    fixture *f = sleeping(state);
    int max_smem = f->gpu->limits.smem_per_block_default;
    f->gpu->sms_per_tpc = 2;
    f->gpu->look_step_ns = 12;
    add(f, holding(f, 1, 0, 1000));
    add(f, holding(f, 2, max_smem, 1000));
    add(f, holding(f, 1, max_smem, 500));
    run(f);
    assert_sms(f, 0, 0);
    assert_sms(f, 1, 0, 1);
    assert_sms(f, 2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(ends_on_a_tick),
        HAND_CASE(only_where_asked_for),
        HAND_CASE(those_that_spin_do_not),
        HAND_CASE(next_wave_starts_after_the_tick),
        HAND_CASE(late_starts_miss_the_tick),
        HAND_CASE(warps_leave_before_their_block),
        HAND_CASE(spinning_warps_leave_with_it),
        HAND_CASE(ends_are_seen_in_turn),
        HAND_CASE(the_oldest_of_an_sm_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

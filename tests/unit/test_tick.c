/* Blocks that sleep, by hand: on which tick each ends. The oracle and the simulator must
 * both say so. */
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

static void one(fixture *f, int64_t release, uint32_t blocks, int64_t ns)
{
    add(f, kernel(stream(f, (int)f->w->stream_count + 1, 0, false), release, blocks, 1024, ns));
}

static void ends_on_a_tick(void **state)
{
    fixture *f = sleeping(state);
    one(f, 0, 1, 1000);   /* 1024 */
    one(f, 10, 1, 1014);  /* starts at 0 as it reads it, so 1014 */
    one(f, 32, 1, 1000);  /* 1032 */
    one(f, 100, 1, 1056); /* starts at 96: just in time for 1152 */
    run(f);
    assert_ends(f, 1024, 1024, 1152, 1152);
}

static void only_where_asked_for(void **state)
{
    fixture *f = sleeping(state);
    f->options.as_measured = false;
    one(f, 10, 1, 1000);
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

/* Of the hand-over of 100 ns 64 are waiting for the tick. */
static void next_wave_starts_after_the_tick(void **state)
{
    fixture *f = sleeping(state);
    one(f, 0, 8, 992);
    run(f);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f->r.ops[0].blocks[i].end_ns, 1024);
        assert_int_equal(f->r.ops[0].blocks[4 + i].start_ns, 1060);
        assert_int_equal(f->r.ops[0].blocks[4 + i].end_ns, 2048); /* 1056, as it reads it, and 992 */
    }
}

/* What starts later by the reach of its SM, or behind another block there, ends a tick later. */
static void late_starts_miss_the_tick(void **state)
{
    fixture *f = sleeping(state);
    const int reach[] = {0, 40};
    f->gpu->sms_per_tpc = 1;
    f->gpu->look_step_ns = 30;
    assert_ok(gcast_gpu_set_reach(f->gpu, reach, 2, &f->err), &f->err);
    one(f, 0, 8, 960);
    run(f);
    int64_t first[2] = {0}, second[2] = {0};
    for (int i = 4; i < 8; i++) {
        const gcast_block *b = &f->r.ops[0].blocks[i];
        assert_int_equal(b->start_ns, 1060);
        *(first[b->sm] ? &second[b->sm] : &first[b->sm]) = b->end_ns;
    }
    assert_int_equal(first[0], 2048);  /* 1056 and 960 */
    assert_int_equal(second[0], 2048); /* 30 later: 1088 and 960, just in time */
    assert_int_equal(first[1], 2048);  /* 40 later: 1088 too */
    assert_int_equal(second[1], 2176); /* 70 later: 1120 and 960 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(ends_on_a_tick),
        HAND_CASE(only_where_asked_for),
        HAND_CASE(those_that_spin_do_not),
        HAND_CASE(next_wave_starts_after_the_tick),
        HAND_CASE(late_starts_miss_the_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

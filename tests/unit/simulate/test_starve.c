/* Starving, worked out by hand: which blocks end late beside older ones that spin, and by how much. The oracle and the
 * simulator must agree with it. */
#include "property/hand.h"

/* One SM on which a block starves beside 32 older warps, for at most 100 ns. */
static fixture *one_sm(void **state)
{
    fixture *f = *state;
    f->gpu->sms = 1;
    f->gpu->starving_warps = 32;
    f->gpu->starved_ns = 100;
    return f;
}

static void block(fixture *f, gcast_body body, int64_t release, uint32_t threads, int64_t ns)
{
    gcast_op op = kernel(stream(f, (int)f->w->stream_count + 1, 0, false), release, 1, threads, ns);
    op.body = body;
    add(f, op);
}

#define SPINS GCAST_BODY_TIMER_SPIN
#define SLEEPS GCAST_BODY_SPIN

static void younger_ends_late(void **state)
{
    fixture *f = one_sm(state);
    block(f, SPINS, 0, 1024, 1000);
    block(f, SPINS, 10, 128, 200);
    block(f, SLEEPS, 20, 128, 200);
    run(f);
    assert_ends(f, 1000, 310, 320);
}

static void too_few_warps(void **state)
{
    fixture *f = one_sm(state);
    block(f, SPINS, 0, 992, 1000);
    block(f, SPINS, 10, 128, 200);
    run(f);
    assert_ends(f, 1000, 210);
}

/* The first two blocks have 32 warps together, until the second one ends. */
static void several_add_up(void **state)
{
    fixture *f = one_sm(state);
    block(f, SPINS, 0, 512, 1000);
    block(f, SPINS, 5, 512, 300);
    block(f, SPINS, 10, 128, 240);
    block(f, SPINS, 15, 128, 300);
    run(f);
    assert_ends(f, 1000, 305, 305, 315);
}

static void over_when_the_older_end(void **state)
{
    fixture *f = one_sm(state);
    block(f, SPINS, 0, 1024, 1000);
    block(f, SPINS, 500, 128, 450);
    block(f, SPINS, 700, 128, 300);
    run(f);
    assert_ends(f, 1000, 1000, 1000);
}

static void older_and_sleepers_do_not_mind(void **state)
{
    fixture *f = one_sm(state);
    block(f, SLEEPS, 0, 1024, 1000);
    block(f, SPINS, 10, 128, 200);
    block(f, SPINS, 20, 896, 900);
    run(f);
    assert_ends(f, 1000, 210, 920);
}

static void other_sms_do_not_count(void **state)
{
    fixture *f = one_sm(state);
    f->gpu->sms = 2;
    block(f, SPINS, 0, 1024, 1000);
    block(f, SPINS, 10, 128, 200);
    run(f);
    assert_sms(f, 0, 0);
    assert_sms(f, 1, 1);
    assert_ends(f, 1000, 210);
}

/* A block that ends late also releases its resources late: three waves beside an older block. */
static void waves(void **state)
{
    fixture *f = one_sm(state);
    block(f, SPINS, 0, 1024, 1000);
    gcast_op op = kernel(stream(f, 7, 0, false), 0, 3, 1024, 200);
    op.body = SPINS;
    add(f, op);
    run(f);
    assert_ends(f, 1000, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(younger_ends_late),
        HAND_CASE(too_few_warps),
        HAND_CASE(several_add_up),
        HAND_CASE(over_when_the_older_end),
        HAND_CASE(older_and_sleepers_do_not_mind),
        HAND_CASE(other_sms_do_not_count),
        HAND_CASE(waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

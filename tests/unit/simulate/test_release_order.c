/* "Looks" of docs/model.md, worked out by hand: on which SMs the blocks of a kernel that waits start, when blocks on
 * several SMs are released at one time. The oracle and the simulator must agree with it. */
#include "property/hand.h"

#define LONG 100000

/* Half of every SM is occupied for long. The blocks that are released at 100 fill the other half; then comes the kernel
 * that waits. */
static void half_full(fixture *f, int sms, const int *reach)
{
    f->gpu->sms = sms;
    f->gpu->sms_per_tpc = 2;
    f->gpu->look_step_ns = 12;
    if (reach)
        assert_ok(gcast_gpu_set_reach(f->gpu, reach, sms, &f->err), &f->err);
    add(f, kernel(stream(f, 1, 0, false), 0, (uint32_t)sms, 1024, LONG));
}

static void ending(fixture *f, int id, uint32_t blocks, uint32_t threads)
{
    add(f, kernel(stream(f, id, 0, false), 0, blocks, threads, 100));
}

static void waiting(fixture *f, uint32_t blocks, uint32_t threads)
{
    add(f, kernel(stream(f, 9, 0, false), 0, blocks, threads, 50));
    run(f);
}

/* One block on each SM of a TPC: the first SM is filled before the second is seen. */
static void one_each_in_a_tpc(void **state)
{
    fixture *f = *state;
    half_full(f, 2, NULL);
    ending(f, 2, 2, 1024);
    waiting(f, 3, 512);
    assert_sms(f, 2, 0, 0, 1);
}

static void no_step_no_look(void **state)
{
    fixture *f = *state;
    half_full(f, 2, NULL);
    f->gpu->look_step_ns = 0;
    ending(f, 2, 2, 1024);
    waiting(f, 3, 512);
    assert_sms(f, 2, 0, 1, 0);
}

/* Two blocks on each SM of a TPC: the releases are seen at once, so that the SM with most room takes the next block. */
static void two_each_in_a_tpc(void **state)
{
    fixture *f = *state;
    half_full(f, 2, NULL);
    ending(f, 2, 4, 512);
    waiting(f, 3, 512);
    assert_sms(f, 2, 0, 1, 0);
}

/* Several TPCs: near SMs are full before far ones are seen. */
static void near_first(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){20, 20, 0, 0});
    ending(f, 2, 4, 1024);
    waiting(f, 5, 512);
    assert_sms(f, 2, 2, 3, 2, 3, 0);
}

/* Two blocks per SM: the second release of a near SM is seen after the first one of a far SM. */
static void block_by_block(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){0, 0, 6, 6});
    ending(f, 2, 8, 512);
    waiting(f, 6, 512);
    assert_sms(f, 2, 0, 1, 2, 3, 0, 1);
}

/* On one SM the block of the kernel that entered first is seen first: in 256 free threads no block of 512 fits, in 768
 * one does. */
static void older_kernel_first(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){0, 0, 6, 6});
    ending(f, 2, 4, 256);
    ending(f, 3, 4, 768);
    waiting(f, 4, 512);
    assert_sms(f, 3, 0, 1, 0, 1);
}

static void larger_kernel_first(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){0, 0, 6, 6});
    ending(f, 2, 4, 768);
    ending(f, 3, 4, 256);
    waiting(f, 4, 512);
    assert_sms(f, 3, 0, 1, 2, 3);
}

/* A kernel that takes all free resources is dispatched everywhere, in whatever order they are seen. */
static void all_the_room(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){20, 20, 0, 0});
    ending(f, 2, 4, 1024);
    waiting(f, 8, 512);
    assert_sms(f, 2, 2, 3, 2, 3, 0, 1, 0, 1);
}

/* When the head is fully dispatched, resources that have not been seen yet are left to the next kernel. */
static void the_next_sees_all(void **state)
{
    fixture *f = *state;
    half_full(f, 4, (const int[]){20, 20, 0, 0});
    ending(f, 2, 4, 1024);
    add(f, kernel(stream(f, 8, 0, false), 0, 1, 512, 50));
    waiting(f, 2, 1024);
    assert_sms(f, 2, 2);
    assert_sms(f, 3, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(one_each_in_a_tpc),   HAND_CASE(no_step_no_look), HAND_CASE(two_each_in_a_tpc),
        HAND_CASE(near_first),          HAND_CASE(block_by_block),  HAND_CASE(older_kernel_first),
        HAND_CASE(larger_kernel_first), HAND_CASE(all_the_room),    HAND_CASE(the_next_sees_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Carveouts by hand: which blocks run beside each other where the shared memory of an SM is not always the largest, by
 * the oracle and by the simulator. Then the sizes that an H200 has with kernels of 84 shapes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/occupancy.h"
#include "property/hand.h"

#define KIB 1024
#define DRIVER GCAST_OP_CARVEOUT_DRIVER
#define MAX_CARVEOUT GCAST_OP_CARVEOUT_MOST

/* SMs of compute capability 9.0. */
static void hopper(fixture *f, int sms)
{
    f->gpu->limits = *gcast_limits_find(9, 0);
    f->gpu->sms = sms;
}

/* In a stream of its own. */
static void launch(fixture *f, gcast_op_carveout c, int64_t release, uint32_t blocks, uint32_t threads, int64_t smem,
                   int64_t ns)
{
    gcast_op op = kernel(stream(f, (int)f->w->op_count + 1, 0, false), release, blocks, threads, ns);
    op.carveout = c;
    op.shape.dynamic_smem = smem;
    add(f, op);
}

/* A kernel without shared memory sets the SM to 32 KiB; one with 16 KiB per block needs 164. */
static void pair(fixture *f, gcast_op_carveout first, gcast_op_carveout second)
{
    hopper(f, 1);
    launch(f, first, 0, 1, 256, 0, 100);
    launch(f, second, 10, 1, 256, 16 * KIB, 50);
    run(f);
}

static void waits_until_empty(void **state)
{
    fixture *f = *state;
    pair(f, DRIVER, DRIVER);
    assert_ends(f, 100, 150);
}

static void smallest_size_of_largest_carveout(void **state)
{
    fixture *f = *state;
    pair(f, DRIVER, MAX_CARVEOUT);
    assert_ends(f, 100, 150);
}

static void largest_takes_everyone(void **state)
{
    fixture *f = *state;
    pair(f, MAX_CARVEOUT, DRIVER);
    assert_ends(f, 100, 60);
}

static void largest_carveouts_overlap(void **state)
{
    fixture *f = *state;
    pair(f, MAX_CARVEOUT, MAX_CARVEOUT);
    assert_ends(f, 100, 60);
}

/* Where the GPU lists one size only there is nothing to wait for. */
static void one_size(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    f->gpu->limits.carveouts = 1;
    f->gpu->limits.carveout[0] = f->gpu->limits.smem_per_sm;
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 10, 1, 256, 16 * KIB, 50);
    run(f);
    assert_ends(f, 100, 60);
}

/* 1 KiB per block needs 16 of the 32 KiB. */
static void small_enough_joins(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 10, 1, 256, 1 * KIB, 50);
    run(f);
    assert_ends(f, 100, 60);
}

/* The second would choose 64 KiB and the third needs them; but the SM stays at 32 while the second is there. */
static void size_stays(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 10, 1, 512, 4 * KIB, 200);
    launch(f, DRIVER, 20, 1, 32, 1 * KIB, 50);
    run(f);
    assert_ends(f, 100, 210, 260);
}

/* On an empty SM the second gets its 64 KiB, and the third starts at once. */
static void size_is_forgotten(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 100, 1, 512, 4 * KIB, 200);
    launch(f, DRIVER, 120, 1, 32, 1 * KIB, 50);
    run(f);
    assert_ends(f, 100, 300, 170);
}

/* 8 of 32 KiB are taken: 6 blocks of 4 KiB fit, though there are threads for 7. */
static void shared_memory_of_the_size(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    launch(f, DRIVER, 0, 8, 32, 0, 100);
    launch(f, DRIVER, 0, 7, 256, 3 * KIB, 10);
    run(f);
    assert_int_equal(f->r.ops[1].blocks[5].start_ns, 0);
    assert_int_equal(f->r.ops[1].blocks[6].start_ns, 10);
}

/* The resources of a block that has ended are not released yet: its SM is not idle. */
static void hand_over_counts(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    f->gpu->handover_ns = 10;
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 105, 1, 256, 16 * KIB, 50);
    run(f);
    assert_ends(f, 100, 160);
}

/* Only the SM of the first is too small. */
static void other_sms_are_free(void **state)
{
    fixture *f = *state;
    hopper(f, 2);
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 10, 9, 256, 16 * KIB, 200);
    run(f);
    assert_sms(f, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0);
    assert_int_equal(f->r.ops[1].blocks[7].start_ns, 10);
    assert_int_equal(f->r.ops[1].blocks[8].start_ns, 100);
}

/* A kernel that waits also delays the kernel behind it, which could start. */
static void queue_waits_too(void **state)
{
    fixture *f = *state;
    hopper(f, 1);
    launch(f, DRIVER, 0, 1, 256, 0, 100);
    launch(f, DRIVER, 10, 1, 256, 16 * KIB, 50);
    launch(f, DRIVER, 20, 1, 256, 0, 10);
    run(f);
    assert_ends(f, 100, 150, 110);
}

/* The ends of blocks on two SMs are seen one after the other: a block that is dispatched between two ends on one SM
 * finds the old size. */
static void seen_one_by_one(void **state)
{
    fixture *f = *state;
    hopper(f, 2);
    f->gpu->sms_per_tpc = 1;
    f->gpu->look_step_ns = 12;
    launch(f, MAX_CARVEOUT, 0, 4, 1024, 0, 100);
    launch(f, DRIVER, 10, 2, 256, 0, 100);
    launch(f, DRIVER, 110, 2, 256, 16 * KIB, 50);
    run(f);
    assert_ends(f, 100, 200, 160);
}

/* The checker finds that a run has other carveouts than its workload. */
static void check_as(fixture *f, gcast_op_carveout simulated, gcast_op_carveout shown, const char *broken)
{
    gcast_run *simulation;
    pair(f, simulated, simulated);
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulation, &f->err), &f->err);
    for (size_t i = 0; i < f->w->op_count; i++)
        ((gcast_op *)f->w->ops)[i].carveout = shown;
    assert_int_equal(gcast_run_check(simulation, &f->err), GCAST_INTERNAL);
    assert_non_null(strstr(f->err.message, broken));
    gcast_run_free(simulation);
}

static void checker_sees_too_small(void **state)
{
    check_as(*state, MAX_CARVEOUT, DRIVER, "C-size");
}

static void checker_sees_idle(void **state)
{
    check_as(*state, DRIVER, MAX_CARVEOUT, "C-idle");
}

static void recorded_sizes(void **state)
{
    (void)state;
    const gcast_limits *l = gcast_limits_find(9, 0);
    size_t size;
    char *text = support_read("tests/data/carveout/sizes.txt", &size);
    int shapes = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int threads, smem, min_carveout, chosen;
        if (sscanf(line, "%d %d %d %d", &threads, &smem, &min_carveout, &chosen) != 4)
            continue;
        gcast_op op = kernel(0, 0, 1, (uint32_t)threads, 1);
        op.shape.threads = threads;
        op.shape.dynamic_smem = smem;
        assert_int_equal(carveout_of(l, &op).min_bytes, min_carveout * KIB);
        assert_int_equal(carveout_of(l, &op).chosen_bytes, l->smem_per_sm);
        op.carveout = DRIVER;
        assert_int_equal(carveout_of(l, &op).min_bytes, min_carveout * KIB);
        assert_int_equal(carveout_of(l, &op).chosen_bytes, chosen * KIB);
        shapes++;
    }
    free(text);
    assert_int_equal(shapes, 84);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(waits_until_empty),
        HAND_CASE(smallest_size_of_largest_carveout),
        HAND_CASE(largest_takes_everyone),
        HAND_CASE(largest_carveouts_overlap),
        HAND_CASE(one_size),
        HAND_CASE(small_enough_joins),
        HAND_CASE(size_stays),
        HAND_CASE(size_is_forgotten),
        HAND_CASE(shared_memory_of_the_size),
        HAND_CASE(hand_over_counts),
        HAND_CASE(other_sms_are_free),
        HAND_CASE(queue_waits_too),
        HAND_CASE(seen_one_by_one),
        HAND_CASE(checker_sees_too_small),
        HAND_CASE(checker_sees_idle),
        cmocka_unit_test(recorded_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

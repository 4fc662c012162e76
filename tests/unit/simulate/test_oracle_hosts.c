/* Schedules worked out by hand, as in test_oracle.c: hosts, tasks, durations, and workloads that are refused. */
#include "property/hand.h"
#include "support/builders.h"

/* A free waits until the GPU is idle, and every other call waits for it; they are then made in the order of the file.
 */
static void free_blocks_calls(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false);
    int a = support_add_host(f->w, "a", &f->err), b = support_add_host(f->w, "b", &f->err);
    gcast_op k = kernel(s1, 0, 1, 32, 50), after = kernel(s2, 0, 1, 32, 5), late = kernel(s2, 20, 1, 32, 5);
    k.host = after.host = a;
    late.host = b;
    add(f, late);                          /* 0: due at 20, called at 50 */
    add(f, k);                             /* 1: called at 0 */
    add(f, host_op(GCAST_KIND_FREE, a));   /* 2: called at 0, returns at 50 */
    add(f, kernel(s1, 10, 1, 32, 5));      /* 3: it has no host, but waits too */
    add(f, after);                         /* 4 */
    add(f, host_op(GCAST_KIND_MALLOC, b)); /* 5 */
    run(f);
    for (int i = 0; i < 6; i++)
        assert_int_equal(f->r.ops[i].call_ns, i == 1 || i == 2 ? 0 : 50);
    assert_int_equal(f->r.ops[2].return_ns, 50);
    const uint64_t launch[] = {2, 0, 1, 3, 4, 5};
    for (int i = 0; i < 6; i++)
        assert_int_equal(f->r.ops[i].launch, launch[i]);
    assert_ends(f, 55, 50, 50, 55, 60, 50);
}

/* Stream and device sync, waiting calls and delays. */
static void syncs(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false), a = support_add_host(f->w, "a", &f->err);
    gcast_op k1 = kernel(s1, 3, 1, 32, 50), k2 = kernel(s2, 0, 1, 32, 20), k3 = kernel(s2, 0, 1, 32, 10);
    gcast_op one = host_op(GCAST_KIND_SYNC, a), all = host_op(GCAST_KIND_SYNC, a);
    k1.host = k2.host = k3.host = a;
    one.stream = s2;
    k3.host_waits = true;
    k3.delay_ns = 4;
    add(f, k1);  /* called at 3 */
    add(f, k2);  /* called at 3 */
    add(f, one); /* 3 to 23 */
    add(f, k3);  /* called at 27, returns at 37 */
    add(f, all); /* 37 to 53 */
    run(f);
    assert_ends(f, 53, 23, 23, 37, 53);
    assert_int_equal(f->r.ops[3].call_ns, 27);
    assert_int_equal(f->r.ops[3].return_ns, 37);
    assert_int_equal(f->r.ops[4].start_ns, 37);
    assert_int_equal(f->r.ops[4].return_ns, 53);
}

/* A barrier waits for the last host, but not for one that was skipped. */
static void barriers_and_skips(void **state)
{
    fixture *f = *state;
    int s = stream(f, 1, 0, false);
    int a = support_add_host(f->w, "a", &f->err), b = support_add_host(f->w, "b", &f->err);
    gcast_op k = kernel(s, 30, 1, 32, 10), second_a = host_op(GCAST_KIND_BARRIER, a), after = kernel(s, 0, 1, 32, 1);
    gcast_op skipped = host_op(GCAST_KIND_MALLOC, b), second_b = host_op(GCAST_KIND_BARRIER, b);
    k.host = b;
    after.host = a;
    skipped.delay_ns = 15;
    skipped.skip_ns = 45;
    second_a.barrier = second_b.barrier = 1;
    add(f, host_op(GCAST_KIND_BARRIER, a)); /* 0: 0 to 30 */
    add(f, k);                              /* 1: called at 30 */
    add(f, second_a);                       /* 2: 30 to 45 */
    add(f, host_op(GCAST_KIND_BARRIER, b)); /* 3: 30 to 30 */
    add(f, skipped);                        /* 4: due at 45 */
    add(f, second_b);                       /* 5: never */
    add(f, after);                          /* 6: called at 45 */
    run(f);
    assert_ends(f, 30, 40, 45, 30, -1, -1, 46);
    assert_true(f->r.ops[4].skipped && f->r.ops[5].skipped && !f->r.ops[6].skipped);
    assert_int_equal(f->r.ops[5].call_ns, -1);
    assert_int_equal(f->r.ops[6].call_ns, 45);
    assert_int_equal(f->r.ops[6].launch, 4);
}

/* While a free delays all calls, a call is skipped, and the barrier that waits for it returns. */
static void skip_during_free(void **state)
{
    fixture *f = *state;
    int a = support_add_host(f->w, "a", &f->err), b = support_add_host(f->w, "b", &f->err);
    gcast_op late = host_op(GCAST_KIND_MALLOC, b);
    late.release_ns = late.skip_ns = 20;
    add(f, kernel(stream(f, 1, 0, false), 0, 1, 32, 50));
    add(f, host_op(GCAST_KIND_BARRIER, a));
    add(f, host_op(GCAST_KIND_FREE, GCAST_NO_HOST));
    add(f, late);
    add(f, host_op(GCAST_KIND_BARRIER, b));
    add(f, host_op(GCAST_KIND_MALLOC, a)); /* due at 20, called at 50 */
    run(f);
    assert_ends(f, 50, 20, 50, -1, -1, 50);
}

/* Two tasks up to the largest offset plus the hyperperiod. */
static void tasks(void **state)
{
    fixture *f = *state;
    int s1 = stream(f, 1, 0, false), s2 = stream(f, 2, 0, false);
    gcast_task t1 = {.name = "t1", .stream = s1, .period_ns = 40}, t2 = {.name = "t2", .stream = s2, .period_ns = 60};
    t2.offset_ns = 20;
    add(f, kernel(s1, 7, 1, 32, 1));
    assert_true(support_add_task(f->w, &t1, &f->err) >= 0);
    add(f, kernel(s1, 0, 1, 32, 3));
    add(f, copy(s1, 0, GCAST_H2D, 2));
    assert_true(support_add_task(f->w, &t2, &f->err) >= 0);
    add(f, kernel(s2, 0, 1, 32, 5));
    run(f); /* horizon 140; t1 at 0 40 80 120, t2 at 20 80 */
    assert_int_equal(f->r.horizon_ns, 140);
    assert_ends(f, 8, 3, 5, 25, 43, 45, 83, 85, 85, 123, 125);
    assert_int_equal(f->r.ops[8].op, 3);
    assert_int_equal(f->r.ops[8].job, 1);
    assert_int_equal(f->r.ops[9].job, 3);
    assert_int_equal(f->r.ops[8].release_ns, 80);
}

/* The draw for op 0, job 0, block 0 and seed 0, worked out outside this program. */
static void random_durations(void **state)
{
    fixture *f = *state;
    f->options.durations = GCAST_DURATIONS_RANDOM;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 2, 32, 1);
    op.min_ns = 1000;
    op.max_ns = 1999999;
    add(f, op);
    run(f);
    assert_int_equal(f->r.ops[0].blocks[0].end_ns, 369293);
    assert_int_equal(f->r.ops[0].blocks[1].end_ns, 304855);
}

static void too_large(void **state)
{
    fixture *f = *state;
    gcast_op op = kernel(stream(f, 1, 0, false), 0, 1, 64, 1);
    op.shape.dynamic_smem = 65 * 1024;
    add(f, op);
    assert_int_equal(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), GCAST_INPUT);
}

static void deadlock(void **state)
{
    fixture *f = *state;
    int a = support_add_host(f->w, "a", &f->err);
    add(f, host_op(GCAST_KIND_BARRIER, a));
    add(f, host_op(GCAST_KIND_BARRIER, a));
    assert_int_equal(oracle_run(f->w, f->gpu, &f->options, &f->r, &f->err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(free_blocks_calls), HAND_CASE(syncs),    HAND_CASE(barriers_and_skips),
        HAND_CASE(skip_during_free),  HAND_CASE(tasks),    HAND_CASE(random_durations),
        HAND_CASE(too_large),         HAND_CASE(deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What records of launches by kernels show, and which records show nothing. */
#include <string.h>

#include "measure/calibration.h"
#include "measure/devrt/child_runs.h"
#include "support/support.h"

#define POOL 100
#define STREAMS 256
#define RELEASE 5000000

static launch_record accepted(int64_t call_ns, int64_t held_ns, int64_t start_ns)
{
    return (launch_record){.call_ns = call_ns, .return_ns = call_ns + held_ns, .start_ns = start_ns};
}

static int64_t median(observations *o, gcast_reading_id id)
{
    return samples_median(&o->readings[id]);
}

/* Warps that are called 1 ms apart; lane i begins i ns later, and children start 160 ns apart. */
static void fill_round(launch_record *round)
{
    for (int64_t lanes = 1; lanes <= 32; lanes *= 2)
        for (int64_t i = 0; i < lanes; i++) {
            int64_t call_ns = lanes * 1000000;
            round[lanes - 1 + i] =
                accepted(call_ns + i, 5800 + 220 * lanes - i, call_ns + 6000 + 190 * lanes + 160 * i);
        }
}

static void test_latency(void **state)
{
    (void)state;
    gcast_error err;
    observations o = {0};
    launch_record round[CHILD_ROUND_RECORDS];
    fill_round(round);
    assert_ok(learn_child_latency(&o, round, &err), &err);
    assert_int_equal(median(&o, GCAST_READ_CHILD_LAUNCH), 6000);
    assert_int_equal(median(&o, GCAST_READ_CHILD_STEP), 190);
    assert_int_equal(median(&o, GCAST_READ_CHILD_CALL), 5800);
    assert_int_equal(median(&o, GCAST_READ_CHILD_CALL_STEP), 220);
    round[40].start_ns = 0; /* did not run */
    assert_ok(learn_child_latency(&o, round, &err), &err);
    fill_round(round);
    round[0].error = CHILD_POOL_FULL;
    assert_ok(learn_child_latency(&o, round, &err), &err);
    assert_int_equal(o.readings[GCAST_READ_CHILD_LAUNCH].count, 1);
    assert_int_equal(o.readings[GCAST_READ_CHILD_CALL_STEP].count, 1);
    for (int i = 0; i < CHILD_ROUND_RECORDS; i++) /* shorter with more lanes: the step is not below 0 */
        round[i] = accepted(1000, 9000 - 100 * i, 90000 - 100 * i);
    assert_ok(learn_child_latency(&o, round, &err), &err);
    assert_int_equal(o.readings[GCAST_READ_CHILD_STEP].count, 2);
    assert_int_equal(o.readings[GCAST_READ_CHILD_STEP].at[1], 0);
    observations_free(&o);
}

static void test_service(void **state)
{
    (void)state;
    gcast_error err;
    observations o = {0};
    launch_record burst[1000];
    for (int64_t i = 0; i < 1000; i++)
        burst[999 - i] = accepted(1000 + i, 20000, 30000 + i * 213 + (i % 3) * 32);
    assert_ok(learn_child_service(&o, burst, 1000, &err), &err);
    assert_int_equal(median(&o, GCAST_READ_CHILD_SERVICE), 213);
    assert_ok(learn_child_service(&o, burst, 1, &err), &err);
    burst[7].start_ns = 0;
    assert_ok(learn_child_service(&o, burst, 1000, &err), &err);
    assert_int_equal(o.readings[GCAST_READ_CHILD_SERVICE].count, 1);
    observations_free(&o);
}

static void test_pool(void **state)
{
    (void)state;
    gcast_error err;
    observations o = {0};
    launch_record calls[POOL + 21];
    memset(calls, 0, sizeof calls);
    for (int64_t i = 0; i < POOL + 21; i++)
        calls[i] = accepted(1000 + 8000 * i, i < POOL ? 6000 : 13000 + i - POOL, 1000 + 8000 * i + 6500);
    for (int64_t i = POOL; i < POOL + 21; i++)
        calls[i].error = CHILD_POOL_FULL;
    assert_ok(learn_child_pool(&o, calls, POOL + 21, &err), &err);
    assert_int_equal(median(&o, GCAST_READ_CHILD_POOL), POOL);
    assert_int_equal(o.readings[GCAST_READ_CHILD_REFUSED].count, 21);
    assert_int_equal(median(&o, GCAST_READ_CHILD_REFUSED), 13010);
    assert_ok(learn_child_pool(&o, calls, POOL, &err), &err); /* none is refused */
    calls[POOL + 3].error = 0;                                /* the pool was not full after all */
    assert_ok(learn_child_pool(&o, calls, POOL + 21, &err), &err);
    calls[POOL + 3].error = 701; /* refused for another reason */
    assert_ok(learn_child_pool(&o, calls, POOL + 21, &err), &err);
    assert_int_equal(o.readings[GCAST_READ_CHILD_POOL].count, 1);
    observations_free(&o);
}

/* Every `queues`th child waits for the first one's end. */
static void fill_streams(launch_record *calls, int queues)
{
    for (int64_t i = 0; i < STREAMS; i++)
        calls[i] = accepted(1000 + 7000 * i, 6500, i && i % queues == 0 ? RELEASE + 900 * i : 1000 + 7000 * i + 6800);
}

static void test_queues(void **state)
{
    (void)state;
    gcast_error err;
    observations o = {0};
    launch_record calls[STREAMS];
    fill_streams(calls, 64);
    assert_ok(learn_child_queues(&o, calls, STREAMS, RELEASE, &err), &err);
    fill_streams(calls, 32);
    assert_ok(learn_child_queues(&o, calls, STREAMS, RELEASE, &err), &err);
    assert_int_equal(o.readings[GCAST_READ_CHILD_QUEUES].count, 2);
    assert_int_equal(o.readings[GCAST_READ_CHILD_QUEUES].at[0], 64);
    assert_int_equal(o.readings[GCAST_READ_CHILD_QUEUES].at[1], 32);
    calls[33].start_ns = RELEASE + 1; /* waits, and is no multiple */
    assert_ok(learn_child_queues(&o, calls, STREAMS, RELEASE, &err), &err);
    fill_streams(calls, 1000); /* none waits */
    assert_ok(learn_child_queues(&o, calls, STREAMS, RELEASE, &err), &err);
    assert_ok(learn_child_queues(&o, calls, STREAMS, 2000, &err), &err); /* the first started too late */
    assert_int_equal(o.readings[GCAST_READ_CHILD_QUEUES].count, 2);
    observations_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_service),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

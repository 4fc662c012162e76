/* Steps between the jobs of a queue, which the module of an SM-centric kernel has beside the plan. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "smc/module_layout.h"

static gcast_plan *make(gcast_mapping mapping, uint32_t jobs, uint32_t sms, uint32_t workers, bool in_turn)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p = NULL;
    gcast_error err;
    memcpy(o.grid, (uint32_t[]){jobs, 1, 1}, sizeof o.grid);
    o.mapping = mapping;
    o.sms = sms;
    o.workers = workers;
    o.in_turn = in_turn;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    return p;
}

static void assert_steps(gcast_plan *p, uint32_t step)
{
    for (uint32_t q = 0; q < p->queues; q++)
        assert_int_equal(smc_queue_step(p, q), step);
    gcast_plan_free(p);
}

static void ranges(void **state)
{
    (void)state;
    assert_steps(make(GCAST_MAPPING_QUEUES, 30, 4, 2, false), 1);
    assert_steps(make(GCAST_MAPPING_SEGMENTS, 30, 4, 3, false), 1);
    assert_steps(make(GCAST_MAPPING_PERSISTENT, 30, 4, 0, false), 1);
}

static void in_turn(void **state)
{
    (void)state;
    assert_steps(make(GCAST_MAPPING_QUEUES, 32, 4, 2, true), 4);
    assert_steps(make(GCAST_MAPPING_QUEUES, 32, 1, 2, true), 1);
    for (uint32_t jobs = 30; jobs < 70; jobs++)
        for (uint32_t workers = 1; workers < 5; workers++)
            if (jobs % 5 == 0)
                assert_steps(make(GCAST_MAPPING_SEGMENTS, jobs, 5, workers, true), 5 * workers);
}

/* A step is that within a segment: from the last job of one to the first of the next it is another. */
static void segments(void **state)
{
    (void)state;
    static uint32_t jobs_of_three[] = {10, 12, 14, 1, 3, 5, 7}; /* 3, 2, 2 */
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, 7, 1, 3, false);
    memcpy(p->job, jobs_of_three, sizeof jobs_of_three);
    assert_int_equal(smc_queue_step(p, 0), 2);
    p->workers[0] = 2; /* 4, 3: 14, 1 is within the first one */
    assert_int_equal(smc_queue_step(p, 0), 0);
    p->workers[0] = 3;
    p->mapping = GCAST_MAPPING_QUEUES;
    assert_int_equal(smc_queue_step(p, 0), 0);
    p->mapping = GCAST_MAPPING_SEGMENTS;
    p->job[6] = 6; /* in the last one */
    assert_int_equal(smc_queue_step(p, 0), 0);
    gcast_plan_free(p);
}

static void unequal(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_QUEUES, 5, 1, 1, false);
    memcpy(p->job, (uint32_t[]){0, 2, 1, 4, 3}, 5 * sizeof *p->job);
    assert_int_equal(smc_queue_step(p, 0), 0);
    memcpy(p->job, (uint32_t[]){0, 1, 2, 3, 5}, 5 * sizeof *p->job);
    assert_int_equal(smc_queue_step(p, 0), 0);
    memcpy(p->job, (uint32_t[]){4, 3, 2, 1, 0}, 5 * sizeof *p->job); /* by -1 */
    assert_int_equal(smc_queue_step(p, 0), 0);
    gcast_plan_free(p);
    p = make(GCAST_MAPPING_QUEUES, 2, 1, 1, false);
    memcpy(p->job, (uint32_t[]){1, 0}, 2 * sizeof *p->job);
    assert_int_equal(smc_queue_step(p, 0), 0);
    gcast_plan_free(p);
}

/* Where no worker takes a step, it is 1: any would do, but for 0. */
static void no_step(void **state)
{
    (void)state;
    assert_steps(make(GCAST_MAPPING_QUEUES, 4, 4, 1, true), 1);
    assert_steps(make(GCAST_MAPPING_QUEUES, 1, 4, 1, false), 1);
    assert_steps(make(GCAST_MAPPING_SEGMENTS, 8, 2, 4, true), 1);
    gcast_plan *p = make(GCAST_MAPPING_ONE_JOB, 5, 1, 5, false);
    memcpy(p->job, (uint32_t[]){4, 2, 1, 0, 3}, 5 * sizeof *p->job);
    assert_steps(p, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),  cmocka_unit_test(in_turn), cmocka_unit_test(segments),
        cmocka_unit_test(unequal), cmocka_unit_test(no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

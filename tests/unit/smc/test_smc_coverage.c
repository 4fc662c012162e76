/* What marks say of a plan: which jobs ran, how often and where; and which marks are none. */
#include "support/support.h"

#include <string.h>

#define JOBS 8
#define SMS 4

/* What a worker on an SM adds when a job is complete. */
static uint32_t mark(uint32_t sm)
{
    return 1 + ((sm + 1) << 12);
}

static gcast_plan *make(gcast_mapping mapping, bool steal)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p = NULL;
    gcast_error err;
    memcpy(o.grid, (uint32_t[]){4, 2, 1}, sizeof o.grid);
    o.mapping = mapping;
    o.steal = steal;
    o.sms = SMS;
    o.workers = mapping == GCAST_MAPPING_PERSISTENT ? 0 : 2;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    return p;
}

/* Job j is planned on SM j / 2 and ran there. */
static void fill(uint32_t marks[JOBS])
{
    for (uint32_t j = 0; j < JOBS; j++)
        marks[j] = mark(j / 2);
}

static gcast_smc_coverage *read(const gcast_plan *p, const uint32_t *marks, uint32_t launches)
{
    gcast_smc_coverage *c = NULL;
    gcast_error err;
    assert_ok(gcast_smc_coverage_make(p, marks, launches, &c, &err), &err);
    assert_int_equal(c->jobs, p->jobs);
    return c;
}

static void assert_counts(const gcast_smc_coverage *c, uint32_t missing, uint32_t repeated, uint32_t displaced)
{
    assert_int_equal(c->missing, missing);
    assert_int_equal(c->repeated, repeated);
    assert_int_equal(c->displaced, displaced);
}

static void all_run_where_planned(void **state)
{
    (void)state;
    static const gcast_mapping bound[] = {GCAST_MAPPING_ONE_JOB, GCAST_MAPPING_SEGMENTS, GCAST_MAPPING_QUEUES};
    uint32_t marks[JOBS];
    fill(marks);
    for (size_t i = 0; i < 3; i++) {
        gcast_plan *p = make(bound[i], false);
        gcast_smc_coverage *c = read(p, marks, 1);
        assert_counts(c, 0, 0, 0);
        assert_int_equal(c->sms, SMS);
        for (uint32_t j = 0; j < JOBS; j++) {
            assert_int_equal(c->sm[j], j / 2);
            assert_int_equal(c->planned_sm[j], j / 2);
        }
        for (uint32_t sm = 0; sm < SMS; sm++)
            assert_int_equal(c->jobs_of_sm[sm], 2);
        gcast_smc_coverage_free(c);
        gcast_plan_free(p);
    }
}

static void missing_and_repeated_are_listed(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_QUEUES, false);
    uint32_t marks[JOBS];
    fill(marks);
    marks[1] = marks[7] = 0;
    marks[4] = 2 * mark(2);
    gcast_smc_coverage *c = read(p, marks, 1);
    assert_counts(c, 2, 1, 0);
    assert_int_equal(c->missing_job[0], 1);
    assert_int_equal(c->missing_job[1], 7);
    assert_int_equal(c->repeated_job[0], 4);
    assert_int_equal(c->sm[1], GCAST_SMC_UNKNOWN);
    assert_int_equal(c->sm[4], GCAST_SMC_UNKNOWN);
    assert_int_equal(c->jobs_of_sm[0], 1);
    assert_int_equal(c->jobs_of_sm[2], 1);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
}

static void displaced_only_where_bound(void **state)
{
    (void)state;
    uint32_t marks[JOBS];
    fill(marks);
    marks[5] = mark(0);
    marks[6] = mark(9); /* an SM that the plan does not know */
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, false);
    gcast_smc_coverage *c = read(p, marks, 1);
    assert_counts(c, 0, 0, 2);
    assert_int_equal(c->displaced_job[0], 5);
    assert_int_equal(c->displaced_job[1], 6);
    assert_int_equal(c->sm[6], 9);
    assert_int_equal(c->sms, 10);
    assert_int_equal(c->jobs_of_sm[9], 1);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
    p = make(GCAST_MAPPING_QUEUES, true);
    c = read(p, marks, 1);
    assert_counts(c, 0, 0, 0);
    assert_int_equal(c->planned_sm[5], 2);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
    p = make(GCAST_MAPPING_PERSISTENT, false);
    c = read(p, marks, 1);
    assert_counts(c, 0, 0, 0);
    assert_int_equal(c->planned_sm[5], GCAST_SMC_UNKNOWN);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
}

static void several_launches_sum_up(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, false);
    uint32_t marks[JOBS];
    gcast_smc_coverage *c;
    for (uint32_t j = 0; j < JOBS; j++)
        marks[j] = 3 * mark(j / 2);
    marks[2] = 2 * mark(1);
    marks[3] = 2 * mark(1) + mark(3);
    marks[7] = 4 * mark(3);
    c = read(p, marks, 3);
    assert_counts(c, 1, 1, 1);
    assert_int_equal(c->missing_job[0], 2);
    assert_int_equal(c->repeated_job[0], 7);
    assert_int_equal(c->displaced_job[0], 3);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
}

/* The SMs of so many launches add up to more than a mark holds. */
static void sums_may_wrap(void **state)
{
    (void)state;
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p = NULL;
    gcast_error err;
    uint32_t sm[] = {7, 4000}, marks[2] = {0};
    memcpy(o.grid, (uint32_t[]){2, 1, 1}, sizeof o.grid);
    o.sms = 4096;
    o.workers = 1;
    o.sm = sm;
    o.sm_count = 2;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    for (uint32_t i = 0; i < GCAST_SMC_MAX_LAUNCHES; i++)
        for (uint32_t j = 0; j < 2; j++)
            marks[j] += mark(sm[j]);
    gcast_smc_coverage *c = read(p, marks, GCAST_SMC_MAX_LAUNCHES);
    assert_counts(c, 0, 0, 0);
    assert_int_equal(c->sm[1], GCAST_SMC_UNKNOWN);
    assert_int_equal(c->jobs_of_sm[4000], 0);
    gcast_smc_coverage_free(c);
    marks[1] += (1u << 12);
    c = read(p, marks, GCAST_SMC_MAX_LAUNCHES);
    assert_counts(c, 0, 0, 1);
    assert_int_equal(c->displaced_job[0], 1);
    gcast_smc_coverage_free(c);
    gcast_plan_free(p);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, false);
    uint32_t marks[JOBS];
    gcast_smc_coverage *c;
    gcast_error err;
    fill(marks);
    assert_int_equal(gcast_smc_coverage_make(p, marks, 0, &c, &err), GCAST_USAGE);
    assert_null(c);
    assert_int_equal(gcast_smc_coverage_make(p, marks, 4096, &c, &err), GCAST_USAGE);
    marks[3] = 1 << 12;
    assert_int_equal(gcast_smc_coverage_make(p, marks, 1, &c, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "job 3"));
    marks[3] = 1;
    assert_int_equal(gcast_smc_coverage_make(p, marks, 1, &c, &err), GCAST_INPUT);
    marks[3] = 1 + ((GCAST_PLAN_MAX_SMS + 1) << 12);
    assert_int_equal(gcast_smc_coverage_make(p, marks, 1, &c, &err), GCAST_INPUT);
    fill(marks);
    p->job[0] = p->job[1];
    assert_int_equal(gcast_smc_coverage_make(p, marks, 1, &c, &err), GCAST_INPUT);
    assert_string_equal(err.message, "job 0 is missing");
    assert_int_equal(gcast_smc_coverage_make(p, marks, 1, &c, NULL), GCAST_INPUT);
    assert_null(c);
    gcast_smc_coverage_free(NULL);
    gcast_plan_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_run_where_planned),
        cmocka_unit_test(missing_and_repeated_are_listed),
        cmocka_unit_test(displaced_only_where_bound),
        cmocka_unit_test(several_launches_sum_up),
        cmocka_unit_test(sums_may_wrap),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

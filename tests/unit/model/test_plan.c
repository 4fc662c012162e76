/* Plans in equal parts and by weight, what gcast_plan_make refuses, and what gcast_plan_check sees. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gcast_plan_options options(uint32_t x, uint32_t y, uint32_t z, uint32_t sms, uint32_t workers)
{
    gcast_plan_options o = gcast_plan_options_default();
    memcpy(o.grid, (uint32_t[]){x, y, z}, sizeof o.grid);
    o.sms = sms;
    o.workers = workers;
    return o;
}

static gcast_plan *make(const gcast_plan_options *o)
{
    gcast_plan *p = NULL;
    gcast_error err;
    assert_ok(gcast_plan_make(o, &p, &err), &err);
    assert_ok(gcast_plan_check(p, &err), &err);
    return p;
}

static void assert_queue(const gcast_plan *p, uint32_t queue, uint32_t first_job, uint32_t count)
{
    assert_int_equal(p->first[queue + 1] - p->first[queue], count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(p->job[p->first[queue] + i], first_job + i);
}

static void even_loses_no_remainder(void **state)
{
    (void)state;
    gcast_plan_options o = options(5, 2, 1, 4, 3);
    gcast_plan *p = make(&o);
    assert_int_equal(p->jobs, 10);
    assert_int_equal(p->queues, 4);
    assert_queue(p, 0, 0, 2);
    assert_queue(p, 1, 2, 3);
    assert_queue(p, 2, 5, 2);
    assert_queue(p, 3, 7, 3);
    for (int sm = 0; sm < 4; sm++)
        assert_int_equal(p->workers[sm], 3);
    gcast_plan_free(p);
}

static void jobs_follow_the_list(void **state)
{
    (void)state;
    gcast_plan_options o = options(4, 1, 1, 6, 2);
    uint32_t sm[] = {4, 1};
    o.sm = sm;
    o.sm_count = 2;
    gcast_plan *p = make(&o);
    assert_queue(p, 4, 0, 2);
    assert_queue(p, 1, 2, 2);
    assert_int_equal(p->workers[0], 0);
    assert_int_equal(p->workers[1], 2);
    gcast_plan_free(p);
}

/* An SM without jobs is used only where its workers may steal. */
static void workers_without_jobs(void **state)
{
    (void)state;
    gcast_plan_options o = options(1, 1, 2, 3, 5);
    gcast_plan *p = make(&o);
    assert_int_equal(p->workers[0] + p->workers[1] + p->workers[2], 10);
    gcast_plan_free(p);
    o.mapping = GCAST_MAPPING_QUEUES;
    o.steal = true;
    p = make(&o);
    assert_true(p->steal);
    assert_int_equal(p->workers[0] + p->workers[1] + p->workers[2], 15);
    gcast_plan_free(p);
}

static void assert_shares(uint32_t jobs, const double *weight, const uint32_t *count, uint32_t sms)
{
    gcast_plan_options o = options(jobs, 1, 1, sms, 1);
    o.weight = weight;
    gcast_plan *p = make(&o);
    for (uint32_t sm = 0; sm < sms; sm++)
        assert_int_equal(p->first[sm + 1] - p->first[sm], count[sm]);
    gcast_plan_free(p);
}

static void weights(void **state)
{
    (void)state;
    assert_shares(10, (double[]){1, 1, 1}, (uint32_t[]){4, 3, 3}, 3); /* of equal remainders, the lower part */
    assert_shares(10, (double[]){0, 3, 1}, (uint32_t[]){0, 8, 2}, 3);
    assert_shares(7, (double[]){0, 0, 2}, (uint32_t[]){0, 0, 7}, 3);
    assert_shares(4, (double[]){1e308, 1e308, 1e308}, (uint32_t[]){2, 1, 1}, 3);
    assert_shares(4, (double[]){5e-324, 0, 5e-324}, (uint32_t[]){2, 0, 2}, 3);
    assert_shares(100, (double[]){0.505, 0.255, 0.24}, (uint32_t[]){51, 25, 24}, 3); /* 50.5, 25.5, 24 */
}

static void one_job(void **state)
{
    (void)state;
    gcast_plan_options o = options(8, 1, 1, 4, 2);
    gcast_error err;
    gcast_plan *p;
    o.mapping = GCAST_MAPPING_ONE_JOB;
    gcast_plan_free(make(&o));
    o.grid[0] = 9;
    assert_int_equal(gcast_plan_make(&o, &p, &err), GCAST_USAGE);
    assert_null(p);
    assert_string_equal(err.message, "9 jobs do not fit: with the mapping one-job, 4 SMs of 2 workers take 8");
    o.grid[0] = 6;
    o.weight = (double[]){3, 1, 1, 1};
    assert_int_equal(gcast_plan_make(&o, &p, &err), GCAST_USAGE);
    assert_string_equal(err.message, "by its weight SM 0 gets 3 jobs: with the mapping one-job, 2 workers take 2");
}

static void persistent(void **state)
{
    (void)state;
    gcast_plan_options o = options(7, 1, 1, 4, 0);
    o.mapping = GCAST_MAPPING_PERSISTENT;
    gcast_plan *p = make(&o);
    assert_int_equal(p->queues, 1);
    assert_int_equal(p->sms, 4);
    assert_queue(p, 0, 0, 7);
    gcast_plan_free(p);
}

static void refuse(const gcast_plan_options *o, const char *message)
{
    gcast_plan *p;
    gcast_error err;
    assert_int_equal(gcast_plan_make(o, &p, &err), GCAST_USAGE);
    assert_null(p);
    assert_string_equal(err.message, message);
    assert_int_equal(gcast_plan_make(o, &p, NULL), GCAST_USAGE);
}

#define REFUSE(message, ...)                                                                                           \
    do {                                                                                                               \
        gcast_plan_options o = options(4, 1, 1, 4, 1);                                                                 \
        __VA_ARGS__;                                                                                                   \
        refuse(&o, message);                                                                                           \
    } while (0)

static void refused_options(void **state)
{
    (void)state;
    uint32_t twice[] = {2, 0, 2}, none[] = {4};
    double all_0[] = {0, 0, 0, 0}, negative[] = {1, -0.5, 1, 1}, endless[] = {1, 1, INFINITY, 1}, no[] = {NAN, 1, 1, 1};
    REFUSE("there is no mapping number 4", o.mapping = GCAST_MAPPINGS);
    REFUSE("there is no mapping number -1", o.mapping = (gcast_mapping)-1);
    REFUSE("a grid of 4 x 0 x 1 has no jobs", o.grid[1] = 0);
    REFUSE("a grid of 65536 x 65536 x 1 has more than 2147483647 jobs", o.grid[0] = o.grid[1] = 65536);
    REFUSE("a grid of 4294967295 x 4294967295 x 4294967295 has more than 2147483647 jobs",
           memset(o.grid, 0xff, sizeof o.grid));
    REFUSE("a GPU has from 1 to 4096 SMs, not 0", o.sms = 0);
    REFUSE("a GPU has from 1 to 4096 SMs, not 4097", o.sms = 4097);
    REFUSE("an SM has from 1 to 524287 workers, not 0", o.workers = 0);
    REFUSE("an SM has from 1 to 524287 workers, not 524288", o.workers = 524288);
    REFUSE("workers steal with the mapping queues, not with segments", o.steal = true);
    REFUSE("SM 2 is listed twice", (o.sm = twice, o.sm_count = 3));
    REFUSE("there is no SM 4: the GPU has 0 to 3", (o.sm = none, o.sm_count = 1));
    REFUSE("the list of SMs to use is empty", o.sm = none);
    REFUSE("3 SMs to use, but no list of them", o.sm_count = 3);
    REFUSE("all 4 weights are 0: no SM gets jobs", o.weight = all_0);
    REFUSE("the weight of SM 1 is -0.5: it must be 0 or more, and finite", o.weight = negative);
    REFUSE("the weight of SM 2 is inf: it must be 0 or more, and finite", o.weight = endless);
    REFUSE("the weight of SM 0 is nan: it must be 0 or more, and finite", o.weight = no);
    REFUSE("the mapping persistent has no workers per SM: 0 is needed, not 1", o.mapping = GCAST_MAPPING_PERSISTENT);
    REFUSE("the mapping persistent assigns no jobs to SMs: it takes no weights",
           (o.mapping = GCAST_MAPPING_PERSISTENT, o.workers = 0, o.weight = all_0));
    REFUSE("the mapping persistent uses all SMs: it takes no list",
           (o.mapping = GCAST_MAPPING_PERSISTENT, o.workers = 0, o.sm = none, o.sm_count = 1));
    refuse(NULL, "a grid of 0 x 0 x 0 has no jobs");
    gcast_plan_options unsized = {0};
    refuse(&unsized, "gcast_plan_options without a size: gcast_plan_options_default() gives one");
}

static void spoil(gcast_mapping mapping, void (*change)(gcast_plan *), const char *path, const char *message)
{
    gcast_plan_options o = options(6, 1, 1, 3, mapping == GCAST_MAPPING_PERSISTENT ? 0 : 2);
    gcast_error err;
    o.mapping = mapping;
    gcast_plan *p = make(&o);
    change(p);
    assert_int_equal(gcast_plan_check(p, &err), GCAST_INPUT);
    assert_string_equal(err.path, path);
    assert_string_equal(err.message, message);
    gcast_plan_free(p);
}

#define CHANGE(name, statement)                                                                                        \
    static void name(gcast_plan *p)                                                                                    \
    {                                                                                                                  \
        statement;                                                                                                     \
    }
CHANGE(repeat_a_job, p->job[4] = 1)
CHANGE(invent_a_job, p->job[3] = 6)
CHANGE(lose_jobs, p->first[3] = 5)
CHANGE(begin_late, p->first[0] = 1)
CHANGE(go_back, p->first[1] = 5)
CHANGE(take_workers, p->workers[2] = 0)
CHANGE(take_all_workers, (p->steal = true, memset(p->workers, 0, 3 * sizeof *p->workers)))
CHANGE(hire, p->workers[1] = 4)
CHANGE(overcrowd, p->workers[1] = 0x80000)
CHANGE(let_steal, p->steal = true)
CHANGE(no_mapping, p->mapping = GCAST_MAPPINGS)
CHANGE(no_sms, p->sms = 0)
CHANGE(more_queues, p->queues = 4)
CHANGE(other_grid, p->grid[1] = 2)
CHANGE(empty_grid, p->grid[2] = 0)
CHANGE(huge_grid, p->grid[0] = p->grid[1] = p->grid[2] = UINT32_MAX)
CHANGE(dismiss_one, p->workers[1] = 1)

static void check_sees_what_is_wrong(void **state)
{
    (void)state;
    const gcast_mapping segments = GCAST_MAPPING_SEGMENTS;
    spoil(segments, repeat_a_job, "/queues", "job 1 is listed twice");
    spoil(segments, invent_a_job, "/queues/1", "there is no job 6: the grid has 0 to 5");
    spoil(segments, lose_jobs, "/queues", "the queues have 5 jobs in all, the grid has 6");
    spoil(segments, begin_late, "/queues/0", "the first queue begins at 1, not at 0");
    spoil(segments, go_back, "/queues/1", "the queue ends at 4, before it begins at 5");
    spoil(segments, take_workers, "/queues/2", "SM 2 has 2 jobs, but no workers");
    spoil(segments, overcrowd, "/workers/1", "must be from 0 to 524287, not 524288");
    spoil(segments, let_steal, "/steal", "workers steal with the mapping queues, not with segments");
    spoil(segments, no_mapping, "/mapping", "there is no mapping number 4");
    spoil(segments, no_sms, "/sms", "must be from 1 to 4096, not 0");
    spoil(segments, more_queues, "/queues", "the mapping segments needs 3 queues, not 4");
    spoil(segments, other_grid, "/grid", "a grid of 12 jobs in a plan of 6");
    spoil(segments, empty_grid, "/grid/2", "must be at least 1");
    spoil(segments, huge_grid, "/grid", "4294967295 x 4294967295 x 4294967295 are more than 2147483647 jobs");
    spoil(GCAST_MAPPING_QUEUES, take_all_workers, "/workers", "no SM has workers");
    spoil(GCAST_MAPPING_ONE_JOB, dismiss_one, "/queues/1",
          "SM 1 has 2 jobs: with the mapping one-job, 1 workers take 1");
    spoil(GCAST_MAPPING_PERSISTENT, hire, "/workers/1", "the mapping persistent has no workers per SM, not 4");
    spoil(GCAST_MAPPING_PERSISTENT, more_queues, "/queues", "the mapping persistent needs 1 queues, not 4");
}

/* A queue without workers is emptied by others. */
static void stealing_needs_workers_somewhere(void **state)
{
    (void)state;
    gcast_plan_options o = options(6, 1, 1, 3, 2);
    gcast_error err;
    o.mapping = GCAST_MAPPING_QUEUES;
    o.steal = true;
    gcast_plan *p = make(&o);
    p->workers[0] = p->workers[2] = 0;
    assert_ok(gcast_plan_check(p, &err), &err);
    gcast_plan_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_loses_no_remainder),
        cmocka_unit_test(jobs_follow_the_list),
        cmocka_unit_test(workers_without_jobs),
        cmocka_unit_test(weights),
        cmocka_unit_test(one_job),
        cmocka_unit_test(persistent),
        cmocka_unit_test(refused_options),
        cmocka_unit_test(check_sees_what_is_wrong),
        cmocka_unit_test(stealing_needs_workers_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

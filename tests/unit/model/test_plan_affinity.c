/* Plans in which jobs that share data are on one SM. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/plan/affinity.h"
#include "model/plan/item_index.h"

/* Job data from lists that end with NONE. */
#define NONE UINT32_MAX
typedef const uint32_t item_list[8];

static gcast_job_data *data_of(item_list *lists, uint32_t jobs)
{
    gcast_job_data *d = calloc(1, sizeof *d);
    d->jobs = jobs;
    d->first = calloc(jobs + 1, sizeof *d->first);
    d->item = calloc(jobs * 8, sizeof *d->item);
    for (uint32_t j = 0, uses = 0; j < jobs; j++) {
        for (int i = 0; i < 8 && lists[j][i] != NONE; i++)
            d->item[uses++] = lists[j][i];
        d->first[j + 1] = uses;
    }
    return d;
}

static gcast_plan *make(gcast_mapping mapping, const gcast_job_data *data, uint32_t sms)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p = NULL;
    gcast_error err;
    o.mapping = mapping;
    o.grid[0] = data->jobs;
    o.grid[1] = o.grid[2] = 1;
    o.sms = sms;
    o.workers = mapping == GCAST_MAPPING_PERSISTENT ? 0 : 1;
    o.data = data;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    assert_ok(gcast_plan_check(p, &err), &err);
    return p;
}

static void scores(void **state)
{
    (void)state;
    gcast_job_data *d =
        data_of((item_list[]){{1, 2, 3, NONE}, {2, 3, 4, 5, NONE}, {NONE}, {NONE}, {9, NONE}, {1, 2, 3, NONE}}, 6);
    assert_true(gcast_job_data_affinity(d, 0, 1) == 2.0 / 5);
    assert_true(gcast_job_data_affinity(d, 1, 0) == 2.0 / 5);
    assert_true(gcast_job_data_affinity(d, 0, 5) == 1);
    assert_true(gcast_job_data_affinity(d, 0, 4) == 0);
    assert_true(gcast_job_data_affinity(d, 0, 2) == 0);
    assert_true(gcast_job_data_affinity(d, 2, 3) == 0);
    gcast_job_data_free(d);
}

/* Two groups, their numbers alternate; a job without data fills each SM. */
static void related_jobs_go_together(void **state)
{
    (void)state;
    gcast_job_data *d = data_of(
        (item_list[]){
            {1, 2, NONE}, {7, 8, NONE}, {NONE}, {2, 3, NONE}, {8, 9, NONE}, {1, 3, NONE}, {NONE}, {7, 9, NONE}},
        8);
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, d, 2), *one = make(GCAST_MAPPING_PERSISTENT, d, 2);
    uint32_t sm_of[8];
    for (uint32_t sm = 0; sm < 2; sm++)
        for (uint32_t i = p->first[sm]; i < p->first[sm + 1]; i++)
            sm_of[p->job[i]] = sm;
    assert_int_equal(p->first[1], 4);
    assert_true(sm_of[0] == sm_of[3] && sm_of[0] == sm_of[5]);
    assert_true(sm_of[1] == sm_of[4] && sm_of[1] == sm_of[7]);
    assert_true(sm_of[0] != sm_of[1] && sm_of[2] != sm_of[6]);
    assert_memory_equal(one->job, p->job, 8 * sizeof *p->job);
    gcast_plan_free(p);
    gcast_plan_free(one);
    gcast_job_data_free(d);
}

/* A component that fits comes before one that must be split. */
static void whole_components_first(void **state)
{
    (void)state;
    gcast_job_data *d = data_of((item_list[]){{1, NONE}, {1, NONE}, {1, NONE}, {2, NONE}, {2, NONE}, {NONE}}, 6);
    gcast_plan *p = make(GCAST_MAPPING_QUEUES, d, 2);
    const uint32_t *job = p->job;
    assert_true(job[0] + job[1] + job[2] == 3); /* jobs 0, 1 and 2 */
    assert_true(job[3] + job[4] == 7 && job[5] == 5);
    gcast_plan_free(p);
    gcast_job_data_free(d);
}

static void weak_relations_are_dropped(void **state)
{
    (void)state;
    gcast_job_data d = {.jobs = 2, .first = (uint32_t[]){0, 11, 21}, .item = (uint32_t[21]){0}};
    item_index x;
    for (uint32_t i = 0; i < 21; i++)
        d.item[i] = i < 11 ? i : i - 1; /* item 10 is shared: 1 of 20 */
    assert_true(item_index_build(&x, &d));
    assert_int_equal(item_index_find(&x, 0), 1);
    assert_int_equal(x.found[0].job, 1);
    assert_int_equal(x.found[0].score, SCORE_ONE / 20);
    item_index_free(&x);
    d.first = (uint32_t[]){0, 11, 22};
    d.item = (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    assert_true(item_index_build(&x, &d)); /* 1 of 21 */
    assert_int_equal(item_index_find(&x, 0), 0);
    assert_int_equal(item_index_find(&x, 1), 0);
    item_index_free(&x);
}

static void wrong_data_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t jobs, first[4], item[4];
        const char *path, *message;
    } cases[] = {
        {2, {0, 1, 2}, {1, 2}, "/jobs", "the data are of 2 jobs, the grid has 3"},
        {3, {0, 1, 3, 4}, {1, 5, 5, 2}, "/jobs/1", "the items of job 1 are not ascending"},
        {3, {0, 2, 1, 4}, {1, 2, 3, 4}, "/jobs/1", "the items of job 1 are not ascending"},
        {3, {1, 2, 3, 4}, {1, 2, 3, 4}, "/jobs/0", "the items of job 0 are not ascending"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_job_data d = {cases[i].jobs, (uint32_t *)cases[i].first, (uint32_t *)cases[i].item};
        gcast_plan_options o = gcast_plan_options_default();
        gcast_plan *p;
        gcast_error err;
        o.grid[0] = 3;
        o.grid[1] = o.grid[2] = o.sms = o.workers = 1;
        o.data = &d;
        assert_int_equal(gcast_plan_make(&o, &p, &err), GCAST_INPUT);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.message, cases[i].message);
    }
}

/* `jobs` jobs of 8 items of `items`, those near to each other in a random order of the jobs. */
static gcast_job_data *large(uint32_t jobs, uint32_t items)
{
    gcast_job_data *d = calloc(1, sizeof *d);
    support_random r = {1};
    uint32_t *number = malloc(jobs * sizeof *number);
    d->jobs = jobs;
    d->first = malloc((jobs + 1) * sizeof *d->first);
    d->item = malloc(8 * (size_t)jobs * sizeof *d->item);
    for (uint32_t j = 0; j < jobs; j++) {
        uint32_t k = (uint32_t)support_between(&r, 0, j);
        number[j] = number[k];
        number[k] = j;
    }
    for (uint32_t j = 0; j <= jobs; j++)
        d->first[j] = 8 * j;
    for (uint32_t j = 0; j < jobs; j++)
        for (uint32_t i = 0; i < 8; i++)
            d->item[8 * (size_t)j + i] = (uint32_t)((uint64_t)number[j] * items / jobs) + i;
    free(number);
    return d;
}

/* Pairs of jobs that are adjacent in number[] have most in common; many of them must be on one SM. */
static void large_data_take_little_time(void **state)
{
    (void)state;
    static const uint32_t items[] = {100000, 100}; /* an item has 8 users, or 8000, of which few are compared */
    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        gcast_job_data *d = large(100000, items[k]);
        clock_t start = clock(); /* of the processor: other programs do not count */
        gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, d, 132);
        double adjacent = 0;
        printf("%u items: %.2f s\n", items[k], (double)(clock() - start) / CLOCKS_PER_SEC);
        for (uint32_t i = 0; i + 1 < p->jobs; i++)
            adjacent += gcast_job_data_affinity(d, p->job[i], p->job[i + 1]);
        assert_true(adjacent > 0.5 * p->jobs); /* in the order of numbers it is below 0.1 of them */
        assert_true(clock() - start < 60 * CLOCKS_PER_SEC);
        gcast_plan_free(p);
        gcast_job_data_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores),
        cmocka_unit_test(related_jobs_go_together),
        cmocka_unit_test(whole_components_first),
        cmocka_unit_test(weak_relations_are_dropped),
        cmocka_unit_test(wrong_data_are_refused),
        cmocka_unit_test(large_data_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

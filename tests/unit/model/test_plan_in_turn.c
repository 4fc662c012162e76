/* Plans whose jobs are dealt to the SMs one by one. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

static gcast_plan_options options(uint32_t jobs, uint32_t sms, uint32_t workers, gcast_mapping mapping)
{
    gcast_plan_options o = gcast_plan_options_default();
    memcpy(o.grid, (uint32_t[]){jobs, 1, 1}, sizeof o.grid);
    o.sms = sms;
    o.workers = workers;
    o.mapping = mapping;
    o.in_turn = true;
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

static void assert_queue(const gcast_plan *p, uint32_t queue, const uint32_t *job, uint32_t count)
{
    assert_int_equal(p->first[queue + 1] - p->first[queue], count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(p->job[p->first[queue] + i], job[i]);
}

static void even(void **state)
{
    (void)state;
    gcast_plan_options o = options(12, 4, 2, GCAST_MAPPING_QUEUES);
    gcast_plan *p = make(&o);
    for (uint32_t sm = 0; sm < 4; sm++)
        assert_queue(p, sm, (uint32_t[]){sm, sm + 4, sm + 8}, 3);
    gcast_plan_free(p);
    memcpy(o.grid, (uint32_t[]){2, 3, 2}, sizeof o.grid);
    p = make(&o);
    assert_queue(p, 1, (uint32_t[]){1, 5, 9}, 3);
    gcast_plan_free(p);
    uint32_t sm[] = {3, 1};
    o.sm = sm;
    o.sm_count = 2;
    p = make(&o);
    assert_queue(p, 3, (uint32_t[]){0, 2, 4, 6, 8, 10}, 6);
    assert_queue(p, 1, (uint32_t[]){1, 3, 5, 7, 9, 11}, 6);
    gcast_plan_free(p);
}

/* The SMs that have one job more without in_turn have it here, too. */
static void remainders(void **state)
{
    (void)state;
    gcast_plan_options o = options(10, 4, 1, GCAST_MAPPING_QUEUES);
    gcast_plan *p = make(&o);
    assert_queue(p, 0, (uint32_t[]){0, 4}, 2);
    assert_queue(p, 1, (uint32_t[]){1, 5, 8}, 3);
    assert_queue(p, 2, (uint32_t[]){2, 6}, 2);
    assert_queue(p, 3, (uint32_t[]){3, 7, 9}, 3);
    gcast_plan_free(p);
}

static void more_sms_than_jobs(void **state)
{
    (void)state;
    gcast_plan_options o = options(3, 5, 2, GCAST_MAPPING_ONE_JOB);
    uint32_t next = 0;
    gcast_plan *p = make(&o);
    for (uint32_t sm = 0; sm < 5; sm++) {
        uint32_t count = p->first[sm + 1] - p->first[sm];
        assert_true(count <= 1);
        assert_int_equal(p->workers[sm], count ? 2 : 0);
        if (count)
            assert_int_equal(p->job[p->first[sm]], next++);
    }
    assert_int_equal(next, 3);
    gcast_plan_free(p);
}

/* A job of an SM with a c-th part of all comes when that part of the SM's jobs should have come. Every other SM is at
 * most half a job ahead or behind then. */
static void assert_spread(const gcast_plan *p, uint32_t sms)
{
    for (uint32_t sm = 0; sm < sms; sm++) {
        uint32_t count = p->first[sm + 1] - p->first[sm];
        for (uint32_t i = 0; i < count; i++) {
            double ideal = (i + 0.5) * p->jobs / count - 0.5;
            assert_true(fabs(p->job[p->first[sm] + i] - ideal) <= (sms - 1) / 2.0 + 1e-6);
        }
    }
}

static void weights(void **state)
{
    (void)state;
    gcast_plan_options o = options(8, 3, 1, GCAST_MAPPING_QUEUES);
    o.weight = (double[]){2, 1, 1};
    gcast_plan *p = make(&o);
    assert_queue(p, 0, (uint32_t[]){0, 3, 4, 7}, 4);
    assert_queue(p, 1, (uint32_t[]){1, 5}, 2);
    assert_queue(p, 2, (uint32_t[]){2, 6}, 2);
    gcast_plan_free(p);
    o.weight = (double[]){0, 1, 0};
    p = make(&o);
    assert_queue(p, 1, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8);
    assert_int_equal(p->workers[0] + p->workers[2], 0);
    gcast_plan_free(p);
}

static void random_weights_are_spread(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 200; round++) {
        double weight[8];
        seed = seed * 1664525 + 1013904223;
        uint32_t sms = 2 + (seed >> 16) % 7, jobs = 1 + (seed >> 8) % 500;
        for (uint32_t k = 0; k < sms; k++) {
            seed = seed * 1664525 + 1013904223;
            weight[k] = 1 + 3 * k + (seed >> 16) % 20; /* rarely all alike */
        }
        gcast_plan_options o = options(jobs, sms, 1, GCAST_MAPPING_QUEUES);
        o.weight = weight;
        gcast_plan *p = make(&o), *in_ranges;
        assert_spread(p, sms);
        o.in_turn = false;
        in_ranges = make(&o);
        assert_memory_equal(p->first, in_ranges->first, (sms + 1) * sizeof *p->first);
        gcast_plan_free(in_ranges);
        gcast_plan_free(p);
    }
}

/* Worker w of W does the w-th, (w + W)-th, ... of its SM's jobs. */
static void segments(void **state)
{
    (void)state;
    for (uint32_t jobs = 1; jobs < 60; jobs += 2)
        for (uint32_t workers = 1; workers < 6; workers++) {
            gcast_plan_options o = options(jobs, 3, workers, GCAST_MAPPING_QUEUES);
            gcast_plan *dealt = make(&o);
            o.mapping = GCAST_MAPPING_SEGMENTS;
            gcast_plan *p = make(&o);
            for (uint32_t sm = 0; sm < 3; sm++) {
                const uint32_t *queue = p->job + p->first[sm], *job = dealt->job + dealt->first[sm];
                uint32_t count = p->first[sm + 1] - p->first[sm];
                for (uint32_t w = 0; w < workers; w++) {
                    uint32_t first = w * (count / workers) + min_u32(w, count % workers);
                    uint32_t length = count / workers + (w < count % workers);
                    for (uint32_t i = 0; i < length; i++)
                        assert_int_equal(queue[first + i], job[w + i * workers]);
                }
            }
            gcast_plan_free(dealt);
            gcast_plan_free(p);
        }
}

static void refused(void **state)
{
    (void)state;
    gcast_plan_options o = options(2, 2, 0, GCAST_MAPPING_PERSISTENT);
    uint32_t first[] = {0, 1, 2}, item[] = {0, 0};
    gcast_job_data data = {2, first, item};
    gcast_plan *p;
    gcast_error err;
    assert_int_equal(gcast_plan_make(&o, &p, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, "persistent assigns no jobs"));
    assert_null(p);
    o = options(2, 2, 1, GCAST_MAPPING_SEGMENTS);
    o.data = &data;
    assert_int_equal(gcast_plan_make(&o, &p, &err), GCAST_USAGE);
    assert_non_null(strstr(err.message, "in turn, or by the data"));
    assert_null(p);
    o.in_turn = false;
    gcast_plan_free(make(&o));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even),
        cmocka_unit_test(remainders),
        cmocka_unit_test(more_sms_than_jobs),
        cmocka_unit_test(weights),
        cmocka_unit_test(random_weights_are_spread),
        cmocka_unit_test(segments),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

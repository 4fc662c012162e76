/* Random plans: every job is in one queue, parts are as even or as weighted as they can be, jobs that share data are
 * together at least as much as in the order of numbers, and a file gives the plan back. The oracle counts in the plain
 * way, on purpose. `prop_plan SEED` tries one. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/affinity.h"
#include "property/trial.h"

#define MAX_JOBS 400
#define MAX_SMS 40

typedef struct drawn {
    gcast_plan_options o;
    uint32_t jobs;
    uint32_t sm[MAX_SMS];
    double weight[MAX_SMS];
    gcast_job_data data;
    uint32_t first[MAX_JOBS + 1];
    uint32_t item[MAX_JOBS * 8];
} drawn;

static void shuffle(support_random *r, uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = (uint32_t)support_between(r, 0, i);
        at[i] = i;
        at[i] = at[k];
        at[k] = i;
    }
}

/* Groups of jobs that use the items of their group, and now and then one of all. */
static void draw_data(drawn *d, support_random *r)
{
    uint32_t groups = (uint32_t)support_between(r, 1, 20), number[MAX_JOBS], uses = 0;
    int strangers = (int)support_between(r, 0, 20);
    shuffle(r, number, d->jobs);
    for (uint32_t j = 0; j < d->jobs; j++) {
        uint32_t group = number[j] * groups / d->jobs;
        d->first[j] = uses;
        for (uint32_t i = 0; i < 8; i++)
            if (percent(r, strangers))
                d->item[uses++] = (uint32_t)support_between(r, 0, 3) + 4 * i;
            else if (percent(r, 60) && group)
                d->item[uses++] = group * 1000 + i;
        for (uint32_t i = d->first[j]; i < uses; i++) /* ascending */
            for (uint32_t k = i; k > d->first[j] && d->item[k - 1] > d->item[k]; k--) {
                uint32_t value = d->item[k];
                d->item[k] = d->item[k - 1];
                d->item[k - 1] = value;
            }
    }
    d->first[d->jobs] = uses;
    d->data = (gcast_job_data){d->jobs, d->first, d->item};
    d->o.data = &d->data;
}

static void draw(drawn *d, support_random *r)
{
    gcast_plan_options *o = &d->o;
    *o = gcast_plan_options_default();
    do {
        for (int i = 0; i < 3; i++)
            o->grid[i] = (uint32_t)support_between(r, 1, i == 0 ? 100 : 5);
        d->jobs = o->grid[0] * o->grid[1] * o->grid[2];
    } while (d->jobs > MAX_JOBS);
    o->mapping = (gcast_mapping)support_between(r, 0, GCAST_MAPPINGS - 1);
    o->steal = o->mapping == GCAST_MAPPING_QUEUES && percent(r, 50);
    o->sms = (uint32_t)support_between(r, 1, MAX_SMS);
    if (percent(r, 40))
        draw_data(d, r);
    if (o->mapping == GCAST_MAPPING_PERSISTENT)
        return;
    o->workers = (uint32_t)support_between(r, 1, 8);
    if (percent(r, 40)) {
        shuffle(r, d->sm, o->sms);
        o->sm = d->sm;
        o->sm_count = (uint32_t)support_between(r, 1, o->sms);
    }
    if (percent(r, 40)) {
        o->weight = d->weight;
        for (uint32_t k = 0; k < MAX_SMS; k++)
            d->weight[k] =
                percent(r, 20) ? 0 : ldexp((double)support_between(r, 1, 1000), (int)support_between(r, -9, 9));
        d->weight[0] = 1;
    }
}

static bool is_in_one_queue(const drawn *d, const gcast_plan *p, uint32_t job)
{
    int times = 0;
    for (uint32_t q = 0; q < p->queues; q++)
        for (uint32_t i = p->first[q]; i < p->first[q + 1]; i++)
            times += p->job[i] == job;
    return times == 1 && p->jobs == d->jobs;
}

/* What an SM's part of the jobs must be near to; negative: it is not used. */
static double exact_share(const drawn *d, uint32_t sm)
{
    uint32_t count = d->o.sm ? d->o.sm_count : d->o.sms;
    double sum = 0, own = -1;
    for (uint32_t k = 0; k < count; k++) {
        double weight = d->o.weight ? d->o.weight[k] : 1;
        own = (d->o.sm ? d->o.sm[k] : k) == sm ? weight : own;
        sum += weight;
    }
    return own < 0 ? own : own / sum * d->jobs;
}

static bool is_fair(const drawn *d, const gcast_plan *p)
{
    bool fair = true;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        double share = exact_share(d, sm);
        uint32_t length = p->first[sm + 1] - p->first[sm], workers = share >= 0 ? d->o.workers : 0;
        fair = fair && (share < 0 ? length == 0 : fabs(length - share) < 1 + 1e-9) && (share != 0 || length == 0);
        fair = fair && p->workers[sm] == (length || d->o.steal ? workers : 0);
        fair = fair && (p->mapping != GCAST_MAPPING_ONE_JOB || length <= d->o.workers);
    }
    return fair;
}

/* The scores of related jobs in one queue, summed up; without an order the jobs are in that of their numbers. */
static double shared_score(const drawn *d, const gcast_plan *p, bool by_number)
{
    double sum = 0;
    uint32_t begin = 0;
    for (uint32_t k = 0, count = d->o.sm ? d->o.sm_count : d->o.sms; k < count; k++) {
        uint32_t sm = d->o.sm ? d->o.sm[k] : k, length = p->first[sm + 1] - p->first[sm];
        for (uint32_t a = 0; a < length; a++)
            for (uint32_t b = 0; b < a; b++) {
                uint32_t x = by_number ? begin + a : p->job[p->first[sm] + a];
                uint32_t y = by_number ? begin + b : p->job[p->first[sm] + b];
                double score = gcast_job_data_affinity(&d->data, x, y);
                sum += score >= 0.05 ? score : 0;
            }
        begin += length;
    }
    return sum;
}

static bool comes_back(const gcast_plan *p)
{
    char *text;
    gcast_plan *reread;
    gcast_error err;
    assert_ok(gcast_plan_write(p, &text, &err), &err);
    assert_ok(gcast_plan_read(text, strlen(text), "written", &reread, &err), &err);
    bool same = p->mapping == reread->mapping && p->steal == reread->steal && p->queues == reread->queues &&
                memcmp(p->job, reread->job, p->jobs * sizeof *p->job) == 0 &&
                memcmp(p->first, reread->first, (p->queues + 1) * sizeof *p->first) == 0 &&
                memcmp(p->workers, reread->workers, p->sms * sizeof *p->workers) == 0;
    free(text);
    gcast_plan_free(reread);
    return same;
}

typedef struct plan_tally {
    long made, full, with_data; /* plans, those that one-job refuses, those by affinity */
    double grown, plain;        /* scores within queues by affinity, and in the order of numbers */
} plan_tally;

static bool may_be_full(const drawn *d)
{
    bool full = false;
    for (uint32_t sm = 0; sm < d->o.sms; sm++)
        full = full || exact_share(d, sm) > d->o.workers - 1;
    return full && d->o.mapping == GCAST_MAPPING_ONE_JOB;
}

static void try_seed(uint64_t seed, plan_tally *t)
{
    static drawn d;
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    gcast_plan *p, *same;
    gcast_error err;
    draw(&d, &r);
    bool is_refused = gcast_plan_make(&d.o, &p, &err) != GCAST_OK, ok = true;
    if (is_refused) {
        assert_true(may_be_full(&d) && !p);
        t->full++;
        return;
    }
    assert_ok(gcast_plan_check(p, &err), &err);
    for (uint32_t j = 0; j < d.jobs && ok; j++)
        ok = is_in_one_queue(&d, p, j);
    bool is_persistent = d.o.mapping == GCAST_MAPPING_PERSISTENT;
    ok = ok && (is_persistent || is_fair(&d, p)) && comes_back(p);
    if (d.o.data && !is_persistent) {
        double grown = shared_score(&d, p, false), plain = shared_score(&d, p, true);
        ok = ok && grown >= plain * (1 - 1e-5) - 0.01; /* the library rounds scores to 2^-20 */
        t->grown += grown;
        t->plain += plain;
        t->with_data++;
    }
    assert_ok(gcast_plan_make(&d.o, &same, &err), &err);
    ok = ok && memcmp(p->job, same->job, p->jobs * sizeof *p->job) == 0;
    gcast_plan_free(p);
    gcast_plan_free(same);
    t->made++;
    if (!ok)
        fprintf(stderr, "seed %" PRIu64 "\n", seed);
    assert_true(ok);
}

static void plans(void **state)
{
    (void)state;
    plan_tally t = {0};
    uint64_t runs = trial_runs();
    for (uint64_t seed = 1; seed <= runs; seed++)
        try_seed(seed, &t);
    printf("%ld plans, %ld that do not fit, %ld by affinity: %.0f shared, in the order of numbers %.0f\n", t.made,
           t.full, t.with_data, t.grown, t.plain);
    assert_true(runs < 200 || (t.full > 0 && t.with_data > 0 && 2 * t.grown > 3 * t.plain));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        try_seed(strtoull(argv[1], NULL, 10), &(plan_tally){0});
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random plans: all mappings, with SMs that have no jobs, more workers than jobs, or fewer workers than a launch
 * brings; launches that fill the SMs, and launches that bring too few. */
#include "model/plan/plan.h"
#include "property/generate.h"
#include "property/oracle_state.h"

/* Job numbers in a random order, or ascending. */
static void number_jobs(support_random *r, gcast_plan *p)
{
    bool shuffled = percent(r, 50);
    for (uint32_t i = 0; i < p->jobs; i++) {
        uint32_t k = shuffled ? (uint32_t)support_between(r, 0, i) : i;
        p->job[i] = p->job[k];
        p->job[k] = i;
    }
}

/* Each job gets an SM that the kernel may use, and each SM that has jobs gets workers. With stealing, jobs of SMs
 * without workers are done by others. */
static void deal_jobs(support_random *r, gcast_plan *p, uint64_t allowed)
{
    uint32_t counts[64] = {0}, sms[64], sm_count = 0;
    for (uint32_t sm = 0; sm < p->sms; sm++)
        if (p->steal || allowed >> sm & 1)
            sms[sm_count++] = sm;
    uint32_t favourite = sms[support_between(r, 0, sm_count - 1)];
    int to_favourite = percent(r, 30) ? 60 : 0;
    for (uint32_t i = 0; i < p->jobs; i++)
        counts[percent(r, to_favourite) ? favourite : sms[support_between(r, 0, sm_count - 1)]]++;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        uint32_t min = p->mapping == GCAST_MAPPING_ONE_JOB ? counts[sm] : counts[sm] && !p->steal ? 1 : 0;
        p->first[sm + 1] = p->first[sm] + counts[sm];
        p->workers[sm] = min + (uint32_t)one_of(r, 0, 0, 0, 1, 1, 2, 5);
    }
    p->workers[favourite] = p->workers[favourite] ? p->workers[favourite] : 1;
}

void generate_plan(support_random *r, const gcast_gpu *gpu, int sms, uint64_t allowed, gcast_op *op, generated *g)
{
    gcast_error err;
    gcast_mapping mapping = (gcast_mapping)support_between(r, 0, GCAST_MAPPINGS - 1);
    gcast_plan *p = plan_new(mapping, op->grid, (uint32_t)sms);
    assert_non_null(p);
    p->steal = mapping == GCAST_MAPPING_QUEUES && percent(r, 40);
    number_jobs(r, p);
    if (mapping == GCAST_MAPPING_PERSISTENT)
        p->first[1] = p->jobs;
    else
        deal_jobs(r, p, allowed);
    assert_ok(gcast_plan_check(p, &err), &err);
    assert_true(g->plan_count < GENERATED_PLANS);
    g->plans[g->plan_count++] = p;
    op->policy = mapping == GCAST_MAPPING_PERSISTENT ? GCAST_POLICY_PERSISTENT : GCAST_POLICY_SM_CENTRIC;
    op->plan = p;
    op->fill = percent(r, 50) && oracle_fit_empty(gpu, op) <= 6 ? 0 : (uint32_t)one_of(r, 1, 1, 2, 3, 4, 7);
}

void generate_worker_times(support_random *r, gcast_gpu *gpu)
{
    gpu->retreat_ns = one_of(r, 0, 1, 2, 5, 10, 30);
    gpu->job_overhead_ns = percent(r, 40) ? 0 : one_of(r, 1, 2, 5, 10);
}

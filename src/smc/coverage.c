/* Evaluates the marks of a transformed kernel (gridcast/smc.h; smc/module_layout.h has the layout of a mark). */
#include <stdlib.h>

#include "base/api.h"
#include "gridcast/smc.h"
#include "smc/module_layout.h"

#define MAX_SM_SUM (UINT32_MAX >> SMC_MARK_SM_SHIFT) /* a mark has the sum of SM + 1 modulo MAX_SM_SUM + 1 */

static uint32_t count_of(uint32_t mark)
{
    return mark & SMC_MARK_COUNT_MASK;
}

/* The SM of a mark whose job ran once. */
static uint32_t sm_of(uint32_t mark)
{
    return (mark >> SMC_MARK_SM_SHIFT) - 1;
}

static uint32_t *new_words(uint32_t count)
{
    return calloc((size_t)count + 1, sizeof(uint32_t));
}

/* Refuses impossible marks, and finds the number of SMs: those of the plan, or more if marks name higher ones. */
static gcast_status check_marks(const gcast_plan *plan, const uint32_t *marks, uint32_t *sms, gcast_error *err)
{
    *sms = plan->sms;
    for (uint32_t j = 0; j < plan->jobs; j++) {
        uint32_t mark = marks[j];
        if (count_of(mark) == 0 && mark)
            return gcast_error_set(err, GCAST_INPUT, NULL, "the mark of job %u, 0x%x, has an SM but no count", j, mark);
        if (count_of(mark) != 1)
            continue;
        if (sm_of(mark) >= GCAST_PLAN_MAX_SMS)
            return gcast_error_set(err, GCAST_INPUT, NULL, "the mark of job %u, 0x%x, has a count but no SM", j, mark);
        *sms = sm_of(mark) >= *sms ? sm_of(mark) + 1 : *sms;
    }
    return GCAST_OK;
}

static bool allocate(gcast_smc_coverage *c)
{
    c->missing_job = new_words(c->jobs);
    c->repeated_job = new_words(c->jobs);
    c->displaced_job = new_words(c->jobs);
    c->planned_sm = new_words(c->jobs);
    c->sm = new_words(c->jobs);
    c->jobs_of_sm = new_words(c->sms);
    return c->missing_job && c->repeated_job && c->displaced_job && c->planned_sm && c->sm && c->jobs_of_sm;
}

static void find_planned(const gcast_plan *plan, gcast_smc_coverage *c)
{
    for (uint32_t q = 0; q < plan->queues; q++)
        for (uint32_t i = plan->first[q]; i < plan->first[q + 1]; i++)
            c->planned_sm[plan->job[i]] = plan->mapping == GCAST_MAPPING_PERSISTENT ? GCAST_SMC_UNKNOWN : q;
}

/* Did a complete job run on its planned SM in each launch, as far as the sum of SMs shows? */
static bool is_at_home(const gcast_smc_coverage *c, uint32_t job, uint32_t mark, uint32_t launches)
{
    return mark >> SMC_MARK_SM_SHIFT == (launches * (c->planned_sm[job] + 1) & MAX_SM_SUM);
}

static void read_marks(const gcast_plan *plan, const uint32_t *marks, uint32_t launches, gcast_smc_coverage *c)
{
    bool is_bound = plan->mapping != GCAST_MAPPING_PERSISTENT && !plan->steal;
    for (uint32_t j = 0; j < c->jobs; j++) {
        uint32_t count = count_of(marks[j]);
        c->sm[j] = launches == 1 && count == 1 ? sm_of(marks[j]) : GCAST_SMC_UNKNOWN;
        if (c->sm[j] != GCAST_SMC_UNKNOWN)
            c->jobs_of_sm[c->sm[j]]++;
        if (count < launches)
            c->missing_job[c->missing++] = j;
        else if (count > launches)
            c->repeated_job[c->repeated++] = j;
        else if (is_bound && !is_at_home(c, j, marks[j], launches))
            c->displaced_job[c->displaced++] = j;
    }
}

gcast_status gcast_smc_coverage_make(const gcast_plan *plan, const uint32_t *marks, uint32_t launches,
                                     gcast_smc_coverage **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!plan || !marks || !out)
        return argument_missing(err);
    uint32_t sms;
    if (launches < 1 || launches > GCAST_SMC_MAX_LAUNCHES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "marks are of 1 to %d launches, not of %u",
                               GCAST_SMC_MAX_LAUNCHES, launches);
    gcast_status status = gcast_plan_check(plan, err);
    if (status == GCAST_OK)
        status = check_marks(plan, marks, &sms, err);
    if (status != GCAST_OK)
        return status;
    gcast_smc_coverage *c = calloc(1, sizeof *c);
    if (!c)
        return gcast_error_set_memory(err);
    c->jobs = plan->jobs;
    c->sms = sms;
    if (!allocate(c)) {
        gcast_smc_coverage_free(c);
        return gcast_error_set_memory(err);
    }
    find_planned(plan, c);
    read_marks(plan, marks, launches, c);
    *out = c;
    return GCAST_OK;
}

void gcast_smc_coverage_free(gcast_smc_coverage *c)
{
    if (!c)
        return;
    free(c->missing_job);
    free(c->repeated_job);
    free(c->displaced_job);
    free(c->planned_sm);
    free(c->sm);
    free(c->jobs_of_sm);
    free(c);
}

#include "measure/smc/launch_end.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "smc/module_layout.h"

/* Jobs that ran more often than once, or not where they should have. */
static gcast_status refuse_wrong(const gcast_smc_coverage *c, gcast_error *err)
{
    if (c->repeated)
        return gcast_error_set(err, GCAST_GPU, NULL, "%u jobs ran more than once, the first is job %u", c->repeated,
                               c->repeated_job[0]);
    if (c->displaced)
        return gcast_error_set(err, GCAST_GPU, NULL, "%u jobs ran on another SM than planned, the first is job %u",
                               c->displaced, c->displaced_job[0]);
    return GCAST_OK;
}

static gcast_status refuse_unrepaired(const gcast_plan *plan, const uint32_t *marks, gcast_error *err)
{
    for (uint32_t j = 0; j < plan->jobs; j++)
        if ((marks[j] & SMC_MARK_COUNT_MASK) != 1)
            return gcast_error_set(err, GCAST_GPU, NULL, "job %u ran %u times, though a launch was to repair that", j,
                                   marks[j] & SMC_MARK_COUNT_MASK);
    return GCAST_OK;
}

/* The jobs that are missing, in another launch. */
static gcast_status repair(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                           gcast_smc_outcome *outcome, uint32_t *marks, gcast_error *err)
{
    const gcast_smc_coverage *c = outcome->coverage;
    gcast_status status = smc_on_gpu_repair(k, c->missing_job, c->missing, min_u32(launched, c->missing), a, err);
    if (status == GCAST_OK)
        status = smc_on_gpu_fetch(k, a->stream, marks, NULL, err);
    if (status == GCAST_OK)
        status = refuse_unrepaired(k->plan, marks, err);
    if (status == GCAST_OK) {
        outcome->repaired = c->missing;
        outcome->repairs = 1;
    }
    return status;
}

gcast_status smc_finish(smc_on_gpu *k, uint32_t launched, const gcast_smc_launch_arguments *a,
                        gcast_smc_outcome *outcome, gcast_error *err)
{
    const gcast_plan *p = k->plan;
    uint32_t *marks = malloc(((size_t)p->jobs + p->sms) * sizeof *marks);
    *outcome = (gcast_smc_outcome){.launched = launched};
    if (!marks)
        return gcast_error_set_memory(err);
    uint32_t *arrived = marks + p->jobs;
    gcast_status status = smc_on_gpu_fetch(k, a->stream, marks, arrived, err);
    if (status == GCAST_OK)
        status = gcast_smc_coverage_make(p, marks, 1, &outcome->coverage, err);
    for (uint32_t s = 0; status == GCAST_OK && s < p->sms; s++)
        outcome->short_sms += arrived[s] < p->workers[s];
    if (status == GCAST_OK)
        status = refuse_wrong(outcome->coverage, err);
    if (status == GCAST_OK && outcome->coverage->missing)
        status = repair(k, launched, a, outcome, marks, err);
    if (status != GCAST_OK) {
        gcast_smc_coverage_free(outcome->coverage);
        *outcome = (gcast_smc_outcome){.launched = launched};
    }
    free(marks);
    return status;
}

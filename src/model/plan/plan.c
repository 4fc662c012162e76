#include "model/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/plan/affinity.h"

uint32_t plan_job_count(const uint32_t grid[3])
{
    uint64_t jobs = 1;
    for (int i = 0; i < 3; i++) {
        jobs *= grid[i];
        if (jobs > GCAST_PLAN_MAX_JOBS)
            return 0;
    }
    return (uint32_t)jobs;
}

gcast_plan *plan_new(gcast_mapping mapping, const uint32_t grid[3], uint32_t sms)
{
    gcast_plan *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->mapping = mapping;
    for (int i = 0; i < 3; i++)
        p->grid[i] = grid[i];
    p->jobs = plan_job_count(grid);
    p->sms = sms;
    p->queues = mapping == GCAST_MAPPING_PERSISTENT ? 1 : sms;
    p->workers = calloc(sms, sizeof *p->workers);
    p->first = calloc((size_t)p->queues + 1, sizeof *p->first);
    p->job = malloc((size_t)p->jobs * sizeof *p->job);
    if (!p->workers || !p->first || !p->job) {
        gcast_plan_free(p);
        return NULL;
    }
    return p;
}

gcast_plan *plan_copy(const gcast_plan *plan)
{
    gcast_plan *p = plan_new(plan->mapping, plan->grid, plan->sms);
    if (!p)
        return NULL;
    p->steal = plan->steal;
    memcpy(p->workers, plan->workers, p->sms * sizeof *p->workers);
    memcpy(p->first, plan->first, ((size_t)p->queues + 1) * sizeof *p->first);
    memcpy(p->job, plan->job, p->jobs * sizeof *p->job);
    return p;
}

void gcast_plan_free(gcast_plan *plan)
{
    if (!plan)
        return;
    free(plan->workers);
    free(plan->first);
    free(plan->job);
    free(plan);
}

void gcast_job_data_free(gcast_job_data *data)
{
    if (!data)
        return;
    free(data->first);
    free(data->item);
    free(data);
}

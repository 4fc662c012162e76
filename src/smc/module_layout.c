#include "smc/module_layout.h"

/* Does the i-th job of a queue begin a segment? */
static bool begins_segment(uint32_t i, uint32_t jobs, uint32_t workers)
{
    uint32_t size = jobs / workers, longer = jobs % workers;
    if (i < longer * (size + 1))
        return i % (size + 1) == 0;
    return (i - longer * (size + 1)) % size == 0;
}

uint32_t smc_queue_step(const gcast_plan *plan, uint32_t queue)
{
    const uint32_t *job = plan->job + plan->first[queue];
    uint32_t jobs = plan->first[queue + 1] - plan->first[queue], step = 0;
    bool is_cut = plan->mapping == GCAST_MAPPING_SEGMENTS;
    if (plan->mapping == GCAST_MAPPING_ONE_JOB)
        return 1;
    for (uint32_t i = 1; i < jobs; i++) {
        if (is_cut && begins_segment(i, jobs, plan->workers[queue]))
            continue;
        if (job[i] < job[i - 1] || (step && job[i] - job[i - 1] != step))
            return 0;
        step = job[i] - job[i - 1];
    }
    return step ? step : 1;
}

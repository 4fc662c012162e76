#include "model/plan/plan_options.h"

#include <math.h>
#include <stdio.h>

#include "base/text/number.h"
#include "model/plan/plan.h"

static gcast_status check_ranges(const gcast_plan_options *o, gcast_error *err)
{
    if ((unsigned)o->mapping >= GCAST_MAPPINGS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no mapping number %d", (int)o->mapping);
    if (o->grid[0] == 0 || o->grid[1] == 0 || o->grid[2] == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a grid of %u x %u x %u has no jobs", o->grid[0], o->grid[1],
                               o->grid[2]);
    if (plan_job_count(o->grid) == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a grid of %u x %u x %u has more than %d jobs", o->grid[0],
                               o->grid[1], o->grid[2], GCAST_PLAN_MAX_JOBS);
    if (o->sms == 0 || o->sms > GCAST_PLAN_MAX_SMS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a GPU has from 1 to %d SMs, not %u", GCAST_PLAN_MAX_SMS,
                               o->sms);
    if (o->steal && o->mapping != GCAST_MAPPING_QUEUES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "workers steal with the mapping queues, not with %s",
                               gcast_mapping_name(o->mapping));
    if (o->in_turn && o->data)
        return gcast_error_set(err, GCAST_USAGE, NULL, "jobs are dealt in turn, or by the data that they share");
    if (o->in_turn && o->mapping == GCAST_MAPPING_PERSISTENT)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the mapping persistent deals no jobs: they are in one queue");
    return GCAST_OK;
}

/* Every SM takes jobs of the one queue as it likes. */
static gcast_status check_persistent(const gcast_plan_options *o, gcast_error *err)
{
    if (o->workers)
        return gcast_error_set(err, GCAST_USAGE, NULL,
                               "the mapping persistent has no workers per SM: 0 is needed, not %u", o->workers);
    if (o->sm || o->sm_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the mapping persistent uses whatever SMs there are: no list");
    if (o->weight)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the mapping persistent gives no SM a part: no weights");
    return GCAST_OK;
}

static gcast_status check_sm_list(const gcast_plan_options *o, gcast_error *err)
{
    bool is_listed[GCAST_PLAN_MAX_SMS] = {0};
    if (!o->sm && o->sm_count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%u SMs to use, but no list of them", o->sm_count);
    if (o->sm && o->sm_count == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the list of SMs to use is empty");
    for (uint32_t k = 0; k < o->sm_count; k++) {
        if (o->sm[k] >= o->sms)
            return gcast_error_set(err, GCAST_USAGE, NULL, "there is no SM %u: the GPU has 0 to %u", o->sm[k],
                                   o->sms - 1);
        if (is_listed[o->sm[k]])
            return gcast_error_set(err, GCAST_USAGE, NULL, "SM %u is listed twice", o->sm[k]);
        is_listed[o->sm[k]] = true;
    }
    return GCAST_OK;
}

static gcast_status check_weights(const gcast_plan_options *o, gcast_error *err)
{
    uint32_t count = o->sm ? o->sm_count : o->sms;
    bool is_positive = false;
    for (uint32_t k = 0; k < count; k++) {
        if (!isfinite(o->weight[k]) || o->weight[k] < 0) {
            char text[32] = "";
            number_print(text, sizeof text, "%g", o->weight[k]);
            return gcast_error_set(err, GCAST_USAGE, NULL,
                                   "the weight of SM %u is %s: it must be 0 or more, and finite", o->sm ? o->sm[k] : k,
                                   text);
        }
        is_positive = is_positive || o->weight[k] > 0;
    }
    return is_positive ? GCAST_OK
                       : gcast_error_set(err, GCAST_USAGE, NULL, "all %u weights are 0: no SM gets jobs", count);
}

/* Paths are those of gridcast.job-data/1. */
static gcast_status check_data(const gcast_job_data *data, uint32_t jobs, gcast_error *err)
{
    char path[32];
    if (!data->first)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the data say of no job where its items begin");
    if (data->jobs != jobs)
        return gcast_error_set(err, GCAST_INPUT, "/jobs", "the data are of %u jobs, the grid has %u", data->jobs, jobs);
    for (uint32_t j = 0; j < jobs; j++) {
        bool is_ascending = data->first[j] <= data->first[j + 1] && (j > 0 || data->first[0] == 0);
        if (is_ascending && data->first[j + 1] && !data->item)
            return gcast_error_set(err, GCAST_USAGE, NULL, "the data have no items");
        for (uint32_t i = data->first[j]; is_ascending && i + 1 < data->first[j + 1]; i++)
            is_ascending = data->item[i] < data->item[i + 1];
        if (!is_ascending) {
            snprintf(path, sizeof path, "/jobs/%u", j);
            return gcast_error_set(err, GCAST_INPUT, path, "the items of job %u are not ascending", j);
        }
    }
    return GCAST_OK;
}

gcast_status plan_options_check(const gcast_plan_options *o, gcast_error *err)
{
    gcast_status status = check_ranges(o, err);
    if (status != GCAST_OK)
        return status;
    if (o->mapping == GCAST_MAPPING_PERSISTENT)
        status = check_persistent(o, err);
    else if (o->workers == 0 || o->workers > GCAST_PLAN_MAX_WORKERS)
        status = gcast_error_set(err, GCAST_USAGE, NULL, "an SM has from 1 to %d workers, not %u",
                                 GCAST_PLAN_MAX_WORKERS, o->workers);
    if (status == GCAST_OK)
        status = check_sm_list(o, err);
    if (status == GCAST_OK && o->weight)
        status = check_weights(o, err);
    if (status == GCAST_OK && o->data)
        status = check_data(o->data, plan_job_count(o->grid), err);
    return status;
}

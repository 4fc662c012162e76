/* gridcast.job-data/1: what reads gives plans by affinity that are complete, of every mapping. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"
#include "model/plan/affinity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void make_plan(const gcast_job_data *d, gcast_mapping mapping, uint32_t sms)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p;
    gcast_error err;
    o.mapping = mapping;
    o.grid[0] = d->jobs;
    o.grid[1] = o.grid[2] = 1;
    o.sms = sms;
    o.workers = mapping == GCAST_MAPPING_PERSISTENT ? 0 : d->jobs;
    o.data = d;
    check(gcast_plan_make(&o, &p, &err) == GCAST_OK, err.message);
    check(gcast_plan_check(p, &err) == GCAST_OK, err.message);
    gcast_plan_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_job_data *d;
    gcast_error err;
    if (gcast_job_data_read((const char *)data, size, "fuzz", &d, &err) != GCAST_OK) {
        check(d == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    for (uint32_t j = 0; j < d->jobs; j++) {
        double score = gcast_job_data_affinity(d, 0, j);
        check(score >= 0 && score <= 1, "a score that is none");
        for (uint32_t i = d->first[j]; i + 1 < d->first[j + 1]; i++)
            check(d->item[i] < d->item[i + 1], "items are not ascending");
    }
    for (int mapping = 0; mapping < GCAST_MAPPINGS; mapping++)
        make_plan(d, (gcast_mapping)mapping, size % 7 + 1);
    gcast_job_data_free(d);
    return 0;
}

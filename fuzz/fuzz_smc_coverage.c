/* Any bytes as marks: they are refused with a message, or every job is complete, missing, or repeated, and what is
 * known of SMs adds up. The first byte chooses the mapping, the second the launches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_JOBS 64

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void add_up(const gcast_smc_coverage *c, uint32_t launches)
{
    uint64_t known = 0, of_sms = 0;
    for (uint32_t j = 0; j < c->jobs; j++) {
        known += c->sm[j] != GCAST_SMC_UNKNOWN;
        check(c->sm[j] == GCAST_SMC_UNKNOWN || c->sm[j] < c->sms, "a job on an SM that is not counted");
    }
    for (uint32_t sm = 0; sm < c->sms; sm++)
        of_sms += c->jobs_of_sm[sm];
    check(known == of_sms, "the jobs of SMs do not add up");
    check((uint64_t)c->missing + c->repeated + c->displaced <= c->jobs, "a job counts twice");
    check(launches > 1 || known == c->jobs - c->missing - c->repeated, "a job is complete on no SM");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *plan;
    gcast_smc_coverage *c;
    gcast_error err;
    uint32_t marks[MAX_JOBS] = {0}, launches;
    if (size < 6 || size > 2 + sizeof marks)
        return 0;
    o.mapping = (gcast_mapping)(data[0] % GCAST_MAPPINGS);
    o.steal = o.mapping == GCAST_MAPPING_QUEUES && data[0] & 8;
    o.grid[0] = (uint32_t)(size - 2) / 4;
    o.grid[1] = o.grid[2] = 1;
    o.sms = 1 + data[0] / 16;
    o.workers = o.mapping == GCAST_MAPPING_PERSISTENT ? 0 : MAX_JOBS;
    launches = 1 + data[1] % 128;
    check(gcast_plan_make(&o, &plan, &err) == GCAST_OK, err.message);
    memcpy(marks, data + 2, size - 2);
    if (gcast_smc_coverage_make(plan, marks, launches, &c, &err) == GCAST_OK)
        add_up(c, launches);
    else
        check(c == NULL && err.message[0] && err.code == GCAST_INPUT, "a failure without a message");
    gcast_smc_coverage_free(c);
    gcast_plan_free(plan);
    return 0;
}

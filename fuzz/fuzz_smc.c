/* Any PTX made SM-centric: a kernel is refused with a message, or what comes of it is PTX, with its variables in it;
 * and the survey says the same of each kernel as the transformation. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/gridcast.h"
#include "lines.h"
#include "ptx/public.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void transform(const char *source, size_t size, const gcast_smc_options *o, bool is_refused)
{
    gcast_ptx *p;
    gcast_error err;
    char *out, variable[1100];
    size_t out_size;
    uint64_t bytes;
    gcast_status status = gcast_smc_transform(source, size, "fuzz", o, &out, &out_size, &err);
    check((status == GCAST_OK) == !is_refused, status == GCAST_OK ? "the survey refuses it" : err.message);
    if (status != GCAST_OK) {
        check(status == GCAST_INPUT && err.message[0] && !out, "a failure without a message");
        return;
    }
    check(gcast_ptx_parse(out, out_size, "transformed", &p, &err) == GCAST_OK, err.message);
    if (strlen(o->kernel) < 1000) {
        snprintf(variable, sizeof variable, "%s_smc", o->kernel);
        check(gcast_ptx_variable_bytes(p, variable, &bytes) && bytes == 72, "its variable is not there");
    }
    gcast_ptx_free(p);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_plan_options wanted = gcast_plan_options_default();
    gcast_smc_options o = gcast_smc_options_default();
    gcast_plan *plan;
    gcast_ptx *p;
    gcast_error err;
    if (gcast_ptx_parse((const char *)data, size, "fuzz", &p, &err) != GCAST_OK)
        return 0;
    memcpy(wanted.grid, (uint32_t[]){3, 2, 1}, sizeof wanted.grid);
    wanted.sms = 2;
    wanted.workers = 1;
    check(gcast_plan_make(&wanted, &plan, &err) == GCAST_OK, err.message);
    o.independent = size % 2;
    o.plan = size % 3 ? plan : NULL;
    for (uint32_t i = 0; i < gcast_ptx_kernels(p) && i < 4; i++) {
        o.kernel = gcast_ptx_kernel(p, i);
        gcast_status status = gcast_smc_check(p, &o, &err);
        check(status == GCAST_OK || (status == GCAST_INPUT && err.message[0]), "a refusal without a message");
        transform((const char *)data, size, &o, status != GCAST_OK);
    }
    gcast_plan_free(plan);
    gcast_ptx_free(p);
    return 0;
}

#include "cli/smc/corun/corun_plans.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/smc/plan_args.h"

/* plan.json becomes plan-1.json for the first kernel. */
static gcast_status number_path(const char *path, uint32_t kernel, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    int size = snprintf(out, PATH_MAX, "%.*s-%u%s", (int)length, path, kernel + 1, path + length);
    return size < PATH_MAX ? GCAST_OK : say(GCAST_USAGE, "--save-plan: the name is too long");
}

static gcast_status check_path(const corun_request *c, const char *path)
{
    const args *a = c->smc->a;
    for (uint32_t k = 0; k < c->options.kernels; k++)
        if (atomic_file_same(a->operands[k], path) || atomic_file_same(c->kernel[k].launch->ptx, path))
            return say(GCAST_USAGE, "--save-plan %s: is a file that is read", path);
    return output_check(path, args_has(a, "force"));
}

gcast_status corun_plans_check(const corun_request *c)
{
    static const char *const of_mapping[] = {"segments", "queues", "steal"};
    gcast_plan_options options = gcast_plan_options_default();
    const args *a = c->smc->a;
    const char *path = args_value(a, "save-plan");
    char numbered[PATH_MAX];
    for (size_t i = 0; !path && i < sizeof of_mapping / sizeof *of_mapping; i++)
        if (args_has(a, of_mapping[i]))
            return say(GCAST_USAGE, "--%s goes with --save-plan", of_mapping[i]);
    if (path && output_is_standard(path))
        return say(GCAST_USAGE, "--save-plan %s: there are several plans, for a file each", path);
    gcast_status status = smc_mapping_read(a, &options);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++) {
        status = number_path(path, k, numbered);
        if (status == GCAST_OK)
            status = check_path(c, numbered);
    }
    return status;
}

static gcast_status make_plan(const corun_request *c, uint32_t kernel, const uint32_t *kernel_of, char **out)
{
    gcast_plan_options o = gcast_plan_options_default();
    uint32_t sm[GCAST_PLAN_MAX_SMS];
    gcast_plan *plan = NULL;
    gcast_error err;
    gcast_status status = smc_mapping_read(c->smc->a, &o);
    if (status != GCAST_OK)
        return status;
    if (args_has(c->smc->a, "device")) { /* as it was measured */
        o.mapping = GCAST_MAPPING_QUEUES;
        o.in_turn = true;
    }
    memcpy(o.grid, c->kernel[kernel].launch->grid, sizeof o.grid);
    o.sms = c->options.sms;
    o.workers = c->found.config.workers[kernel];
    o.sm = sm;
    for (uint32_t s = 0; s < o.sms; s++)
        if (kernel_of[s] == kernel)
            sm[o.sm_count++] = s;
    if (gcast_plan_make(&o, &plan, &err) != GCAST_OK || gcast_plan_write(plan, out, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", c->kernel[kernel].file);
        status = say_error(&err);
    }
    gcast_plan_free(plan);
    return status;
}

gcast_status corun_plans_write(const corun_request *c)
{
    const char *path = args_value(c->smc->a, "save-plan");
    char *written[GCAST_CORUN_MAX] = {NULL}, numbered[PATH_MAX];
    uint32_t kernel_of[GCAST_PLAN_MAX_SMS];
    gcast_status status = GCAST_OK;
    gcast_corun_deal_sms(&c->found.config, c->options.kernels, c->options.sms, kernel_of);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++)
        status = make_plan(c, k, kernel_of, &written[k]);
    for (uint32_t k = 0; path && k < c->options.kernels && status == GCAST_OK; k++) {
        status = number_path(path, k, numbered);
        if (status == GCAST_OK)
            status = output_bytes(numbered, args_has(c->smc->a, "force"), written[k], strlen(written[k]));
    }
    for (uint32_t k = 0; k < GCAST_CORUN_MAX; k++)
        free(written[k]);
    return status;
}

#include "cli/smc/plan_args.h"

#include <string.h>

#include "base/number.h"
#include "base/vec.h"
#include "cli/args.h"
#include "cli/say.h"
#include "gridcast/error.h"
#include "gridcast/names.h"
#include "gridcast/plan.h"
#include "model/plan/affinity.h"

/* Some options are lists: SMs such as 0-15,20, and weights such as 1,2.5,1. */

typedef VEC(uint32_t) sm_list;
typedef VEC(double) weight_list;

static gcast_status bad_sms(const char *option, const char *value)
{
    return say(GCAST_USAGE, "--%s is a list of SMs below %d such as 0-15,20, not %s", option, GCAST_PLAN_MAX_SMS,
               value);
}

/* `option` is for messages. Errors are printed, here and below. */
static gcast_status sm_list_read(const char *option, const char *value, sm_list *out)
{
    const char *at = value;
    do {
        uint64_t first, last;
        at += out->count > 0; /* behind the comma */
        if (!read_digits(&at, &first))
            return bad_sms(option, value);
        last = first;
        if (*at == '-' && (at++, !read_digits(&at, &last)))
            return bad_sms(option, value);
        if (last < first || last >= GCAST_PLAN_MAX_SMS || (*at && *at != ','))
            return bad_sms(option, value);
        for (uint64_t sm = first; sm <= last; sm++)
            if (out->count > GCAST_PLAN_MAX_SMS)
                return say(GCAST_USAGE, "--%s %s: an SM is listed twice", option, value);
            else if (!vec_push(out, (uint32_t)sm))
                return say_no_memory();
    } while (*at);
    return GCAST_OK;
}

static gcast_status weight_list_read(const char *option, const char *value, weight_list *out)
{
    const char *at = value;
    do {
        char *end;
        at += out->count > 0; /* behind the comma */
        double weight = number_parse(at, &end);
        if (end == at || (*end && *end != ','))
            return say(GCAST_USAGE, "--%s is a list of numbers such as 1,2.5,1, not %s", option, value);
        if (out->count == GCAST_PLAN_MAX_SMS)
            return say(GCAST_USAGE, "--%s has more than %d weights", option, GCAST_PLAN_MAX_SMS);
        if (!vec_push(out, weight))
            return say_no_memory();
        at = end;
    } while (*at);
    return GCAST_OK;
}

/* Inputs of a plan, freed once it is made. */
typedef struct plan_inputs {
    gcast_plan_options options; /* for gcast_plan_make */
    sm_list sms;                /* of --on */
    weight_list weights;        /* of --weights */
    gcast_job_data *data;       /* of --data */
} plan_inputs;

const char *smc_plan_option(const args *a)
{
    static const char *const making[] = {"grid",    "sms", "persistent", "one-job", "segments", "queues", "steal",
                                         "workers", "on",  "weights",    "data",    "in-turn",  NULL};
    for (size_t i = 0; i < a->given_count; i++)
        for (size_t k = 0; making[k]; k++)
            if (args_is(a, i, making[k]))
                return making[k];
    return NULL;
}

gcast_smc_options smc_options_read(const args *a, const char *kernel)
{
    gcast_smc_options options = gcast_smc_options_default();
    options.kernel = kernel;
    options.independent = args_has(a, "independent");
    options.whole_warps = args_has(a, "whole-warps");
    return options;
}

gcast_status smc_mapping_read(const args *a, gcast_plan_options *o)
{
    const char *chosen = NULL;
    for (int m = 0; m < GCAST_MAPPINGS; m++) {
        const char *name = gcast_name(GCAST_NAMES_MAPPING, (gcast_mapping)m);
        if (!args_has(a, name))
            continue;
        if (chosen)
            return say(GCAST_USAGE, "--%s and --%s are two mappings: give one", chosen, name);
        chosen = name;
        o->mapping = (gcast_mapping)m;
    }
    o->steal = args_has(a, "steal");
    o->in_turn = args_has(a, "in-turn");
    if (o->steal && chosen && o->mapping != GCAST_MAPPING_QUEUES)
        return say(GCAST_USAGE, "--steal needs --queues, not --%s", chosen);
    if (o->steal)
        o->mapping = GCAST_MAPPING_QUEUES;
    return GCAST_OK;
}

/* With one queue for all SMs, options about single SMs have no meaning. */
static gcast_status check_persistent(const args *a)
{
    static const char *const of_sms[] = {"workers", "on", "weights"};
    for (size_t i = 0; i < sizeof of_sms / sizeof *of_sms; i++)
        if (args_has(a, of_sms[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --persistent: any SM takes any job", of_sms[i]);
    return GCAST_OK;
}

static gcast_status load_gpu(smc_request *r)
{
    const char *gpu = args_value(r->a, "gpu");
    gcast_error err;
    return gpu && gcast_gpu_load(gpu, &r->gpu, &err) != GCAST_OK ? say_error(&err) : GCAST_OK;
}

/* The number of SMs of --sms, or of the GPU, which is loaded. `user` is what needs it. */
static gcast_status read_sm_count(const smc_request *r, const char *user, uint32_t *sms)
{
    int64_t given = 0;
    if (!args_has(r->a, "gpu") == !args_has(r->a, "sms"))
        return say(GCAST_USAGE, "%s needs --gpu or --sms: the number of SMs", user);
    gcast_status status = args_int(r->a, "sms", 1, GCAST_PLAN_MAX_SMS, &given);
    *sms = r->gpu ? (uint32_t)r->gpu->sms : (uint32_t)given;
    return status;
}

gcast_status smc_sms_read(smc_request *r, const char *user, uint32_t *sms)
{
    gcast_status status = load_gpu(r);
    return status == GCAST_OK ? read_sm_count(r, user, sms) : status;
}

static gcast_status read_lists(const args *a, plan_inputs *in)
{
    gcast_plan_options *o = &in->options;
    gcast_error err;
    gcast_status status = GCAST_OK;
    if (args_has(a, "on"))
        status = sm_list_read("on", args_value(a, "on"), &in->sms);
    if (status == GCAST_OK && args_has(a, "weights"))
        status = weight_list_read("weights", args_value(a, "weights"), &in->weights);
    o->sm = in->sms.at;
    o->sm_count = (uint32_t)in->sms.count;
    uint32_t used = o->sm ? o->sm_count : o->sms;
    if (status == GCAST_OK && args_has(a, "weights") && in->weights.count != used)
        status = say(GCAST_USAGE, "--weights has %zu weights, and there are %u SMs to use", in->weights.count, used);
    o->weight = in->weights.at;
    if (status == GCAST_OK && args_has(a, "data") &&
        gcast_job_data_load(args_value(a, "data"), &in->data, &err) != GCAST_OK)
        status = say_error(&err);
    o->data = in->data;
    return status;
}

static gcast_status make_plan(smc_request *r, plan_inputs *in)
{
    static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535};
    const args *a = r->a;
    gcast_plan_options *o = &in->options;
    int64_t workers = 1;
    gcast_error err;
    if (!args_has(a, "grid"))
        return say(GCAST_USAGE, "a plan needs --grid: the blocks of the original launch");
    gcast_status status = args_dims(a, "grid", max_grid, o->grid);
    uint64_t jobs = (uint64_t)o->grid[0] * o->grid[1]; /* below 2^31 x 2^16 */
    if (status == GCAST_OK && (jobs > GCAST_SMC_MAX_JOBS || jobs * o->grid[2] > GCAST_SMC_MAX_JOBS))
        status =
            say(GCAST_USAGE, "--grid %s: a plan has at most %d jobs here", args_value(a, "grid"), GCAST_SMC_MAX_JOBS);
    if (status == GCAST_OK)
        status = smc_mapping_read(a, o);
    if (status == GCAST_OK && o->mapping == GCAST_MAPPING_PERSISTENT)
        status = check_persistent(a);
    if (status == GCAST_OK)
        status = read_sm_count(r, "a plan", &o->sms);
    if (status == GCAST_OK)
        status = args_int(a, "workers", 1, GCAST_PLAN_MAX_WORKERS, &workers);
    if (status == GCAST_OK)
        status = read_lists(a, in);
    if (status != GCAST_OK)
        return status;
    o->workers = o->mapping == GCAST_MAPPING_PERSISTENT ? 0 : (uint32_t)workers;
    if (gcast_plan_make(o, &r->plan, &err) == GCAST_OK)
        return GCAST_OK;
    if (err.code == GCAST_INPUT && args_has(a, "data")) /* only data are read from a file */
        snprintf(err.file, sizeof err.file, "%s", args_value(a, "data"));
    return say_error(&err);
}

static gcast_status load_plan(smc_request *r)
{
    const char *path = args_value(r->a, "plan"), *making = smc_plan_option(r->a);
    gcast_error err;
    if (making)
        return say(GCAST_USAGE, "--%s cannot be used with --plan: the file has the whole plan", making);
    if (gcast_plan_load(path, &r->plan, &err) != GCAST_OK)
        return say_error(&err);
    if (r->gpu && (uint32_t)r->gpu->sms != r->plan->sms)
        return say(GCAST_USAGE, "--gpu %s has %d SMs, and the plan %s is for %u", r->gpu->name, r->gpu->sms, path,
                   r->plan->sms);
    return GCAST_OK;
}

gcast_status smc_plan_read(smc_request *r)
{
    gcast_status status = load_gpu(r);
    if (status != GCAST_OK)
        return status;
    if (args_has(r->a, "plan"))
        return load_plan(r);
    if (!r->gpu && !smc_plan_option(r->a))
        return GCAST_OK;
    plan_inputs in = {.options = gcast_plan_options_default()};
    status = make_plan(r, &in);
    vec_free(&in.sms);
    vec_free(&in.weights);
    gcast_job_data_free(in.data);
    return status;
}

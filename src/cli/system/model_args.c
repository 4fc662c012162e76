#include "cli/system/model_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/read.h"

bool system_wanted(const args *a)
{
    struct stat st;
    const char *path = a->operand_count ? a->operands[0] : "";
    return path_ends_with(path, ".amxmi") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool is_in(const option_spec *options, const char *name)
{
    for (; options && options->name; options++)
        if (strcmp(options->name, name) == 0)
            return true;
    return false;
}

gcast_status system_options_check(const args *a)
{
    bool wanted = system_wanted(a);
    if (!wanted && a->operand_count > 1)
        return say(GCAST_USAGE, "%s takes one workload; several files or a folder are an AMALTHEA model", a->cmd->name);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *name = a->given[i].spec->name;
        bool of_system = is_in(a->cmd->system_options, name);
        if (of_system && !wanted)
            return say(GCAST_USAGE, "--%s needs an AMALTHEA model", name);
        if (wanted && !of_system && is_in(a->cmd->options, name) && !command_shared(a->cmd, name))
            return say(GCAST_USAGE, "--%s needs a workload, not an AMALTHEA model", name);
    }
    return GCAST_OK;
}

/* --kernels, --core, --wait, --chain and others become the options of gcast_system_read. */

typedef struct model_args {
    gcast_system_options options;
    gcast_gpu *gpu;      /* of --gpu, with only the SMs of --sms; NULL without --gpu */
    const char **values; /* those of --core, then those of --chain */
} model_args;

static void model_args_free(model_args *m)
{
    gcast_gpu_free(m->gpu);
    free(m->values);
}

/* --kernels FILE, and --kernels fill. */
static gcast_status kernels_from_args(const args *a, gcast_system_options *o)
{
    for (size_t i = 0; i < a->given_count; i++) {
        if (!args_is(a, i, "kernels"))
            continue;
        if (strcmp(a->given[i].value, "fill") == 0)
            o->fill = true;
        else if (o->given)
            return say(GCAST_USAGE, "--kernels takes one file");
        else
            o->given = a->given[i].value;
    }
    return GCAST_OK;
}

/* Adds the values of an option, which may repeat, to `values`. Returns how many there are. */
static size_t add_values(const args *a, const char *option, const char **values)
{
    size_t count = 0;
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, option))
            values[count++] = a->given[i].value;
    return count;
}

/* --core and --chain */
static gcast_status lists_from_args(const args *a, model_args *m)
{
    gcast_system_options *o = &m->options;
    if (!(m->values = calloc(a->given_count + 1, sizeof *m->values)))
        return say_no_memory();
    o->cores = m->values;
    o->core_count = add_values(a, "core", m->values);
    o->chains = m->values + o->core_count;
    o->chain_count = add_values(a, "chain", m->values + o->core_count);
    return GCAST_OK;
}

/* --wait, --contexts, --rate-monotonic and --tick */
static gcast_status choices_from_args(const args *a, gcast_system_options *o)
{
    int contexts = 0, waiting = 0;
    const char *tick = args_value(a, "tick");
    gcast_status status = args_choice(a, "contexts", contexts_choices, &contexts);
    if (status == GCAST_OK && args_has(a, "contexts"))
        o->sharing = (gcast_sharing)(contexts + GCAST_SHARING_STREAMS);
    if (status == GCAST_OK && tick &&
        (!units_parse_picoseconds(tick, &o->tick_ps) || o->tick_ps < 1 || o->tick_ps > 1000000000000))
        return say(GCAST_USAGE, "--tick is a time from 1ps to 1s, such as 500ps or 1ns, not %s", tick);
    if (status == GCAST_OK)
        status = args_choice(a, "wait", wait_choices, &waiting);
    if (status == GCAST_OK && args_has(a, "wait"))
        o->waiting = (gcast_waiting)(waiting + GCAST_WAITING_BUSY);
    o->rate_monotonic = args_has(a, "rate-monotonic");
    return status;
}

/* The GPU of --gpu, with only the SMs of --sms; NULL without --gpu. */
static gcast_status load_gpu(const args *a, gcast_gpu **gpu)
{
    gcast_error err;
    int64_t sms = 0;
    const char *name = args_value(a, "gpu");
    gcast_status status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    if (!name && sms)
        return say(GCAST_USAGE, "--sms needs --gpu");
    if (name && gcast_gpu_load(name, gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (sms && gcast_gpu_partition(*gpu, (int)sms, &err) != GCAST_OK)
        return say(GCAST_USAGE, "--sms %lld: %s has %d SMs", (long long)sms, (*gpu)->name, (*gpu)->sms);
    return GCAST_OK;
}

static gcast_status model_args_read(const args *a, model_args *m)
{
    *m = (model_args){.options = gcast_system_options_default()};
    gcast_status status = load_gpu(a, &m->gpu);
    if (status == GCAST_OK)
        status = kernels_from_args(a, &m->options);
    if (status == GCAST_OK)
        status = lists_from_args(a, m);
    if (status == GCAST_OK)
        status = choices_from_args(a, &m->options);
    m->options.gpu = m->gpu;
    if (status != GCAST_OK)
        model_args_free(m);
    return status;
}

/* Prints an error of a model; of an option, by the option's name. */
static gcast_status say_model_error(gcast_error *err)
{
    bool is_core = strncmp(err->path, "/cores/", 7) == 0, is_chain = strncmp(err->path, "/chains/", 8) == 0;
    if (err->code == GCAST_USAGE && (is_core || is_chain))
        return say(GCAST_USAGE, "%s: %s", is_core ? "--core" : "--chain", err->message);
    return say_error(err);
}

gcast_status system_from_args(const args *a, gcast_system **system)
{
    gcast_error err;
    model_args m;
    *system = NULL;
    gcast_status status = model_args_read(a, &m);
    if (status != GCAST_OK)
        return status;
    if (system_open(a->operands, a->operand_count, &m.options, args_has(a, "map"), system, &err) != GCAST_OK)
        status = say_model_error(&err);
    model_args_free(&m);
    return status;
}

gcast_status model_from_args(const args *a, gcast_system **model)
{
    gcast_error err;
    model_args m;
    *model = NULL;
    gcast_status status = model_args_read(a, &m);
    if (status != GCAST_OK)
        return status;
    if (system_read_model(a->operands, a->operand_count, &m.options, model, &err) != GCAST_OK)
        status = say_model_error(&err);
    model_args_free(&m);
    return status;
}

/* The part of a model on the GPU becomes a workload. */

const option_spec convert_system_shared[] = {
    {"output", 0, NULL, "write the tasks on the GPU; - is standard output"},
    {"to", 0, NULL, NULL},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

gcast_status model_workload_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu)
{
    gcast_error err;
    gcast_system *system;
    bool bounded = true;
    *w = NULL;
    *gpu = NULL;
    gcast_status status = system_from_args(a, &system);
    if (status != GCAST_OK)
        return status;
    if (gcast_system_workload(system, w, &bounded, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK && !bounded)
        say_note("no bound is known for the release of tasks on the GPU: the workload releases them with the tasks "
                 "that start them");
    if (status == GCAST_OK) {
        *gpu = system->gpu;
        system->gpu = NULL;
    }
    gcast_system_free(system);
    return status;
}

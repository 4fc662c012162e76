#include "cli/system/opened_system.h"

#include <stdio.h>

#include "cli/say.h"
#include "cli/system/given_args.h"
#include "gridcast/read.h"

/* The GPU of --gpu, with only the SMs of --sms; NULL where none is named. */
static gcast_status load_gpu(const args *a, gcast_gpu **gpu)
{
    gcast_error err;
    int64_t sms = 0;
    const char *name = args_value(a, "gpu");
    gcast_status status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    if (!name && sms)
        return say(GCAST_USAGE, "--sms goes with --gpu");
    if (name && gcast_gpu_load(name, gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (sms && gcast_gpu_partition(*gpu, (int)sms, &err) != GCAST_OK)
        return say(GCAST_USAGE, "--sms %lld: %s has %d SMs", (long long)sms, (*gpu)->name, (*gpu)->sms);
    return GCAST_OK;
}

gcast_status opened_model_from_args(const args *a, opened_system *o)
{
    gcast_error err;
    *o = (opened_system){0};
    gcast_status status = load_gpu(a, &o->gpu);
    if (status == GCAST_OK && amalthea_read(a->operands, a->operand_count, &o->model, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK)
        status = given_from_args(a, o->model, &o->given);
    if (status != GCAST_OK)
        opened_system_free(o);
    return status;
}

gcast_status opened_system_from_args(const args *a, opened_system *o)
{
    gcast_error err;
    gcast_status status = opened_model_from_args(a, o);
    if (status == GCAST_OK && amalthea_system(o->model, o->gpu, o->given, &o->s, &err) != GCAST_OK) {
        status = say_error(&err);
        opened_system_free(o);
    }
    return status;
}

void opened_system_free(opened_system *o)
{
    system_free(o->s);
    given_free(o->given);
    if (o->model)
        amalthea_free(o->model);
    gcast_gpu_free(o->gpu);
    *o = (opened_system){0};
}

gcast_status say_system_error(const sys_system *s, gcast_error *err)
{
    if (!err->file[0])
        snprintf(err->file, sizeof err->file, "%s", s->source);
    return say_error(err);
}

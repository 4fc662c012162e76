#include "amalthea/lower/gpu/time_slices.h"

#include <strings.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/mapping/task_units.h"
#include "amalthea/lower/properties.h"

#define DEFAULT_SLICE_NS 1000000 /* of the Tegra driver (GCAPS) */
#define DEFAULT_SWITCH_NS 200000 /* from one context to the next (GCAPS) */
#define DAY_NS INT64_C(86400000000000)

/* A time slice among parameters: a key that begins as given. */
static gcast_status find_slice(lowering *l, const am_parameter *parameters, size_t count, const char *key,
                               size_t length, int64_t *ns)
{
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(parameters[i].key, key, length) != 0)
            continue;
        int64_t slice;
        if (!property_time(&parameters[i], &slice) || slice < 1 || slice > DAY_NS)
            return lower_error(l, parameters[i].at, "The time slice %s is \"%s\", which is no time up to a day.",
                               parameters[i].key, parameters[i].value);
        *ns = slice;
    }
    return GCAST_OK;
}

static gcast_status of_tasks(lowering *l, size_t *with)
{
    static const char key[] = "TimeSlice";
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        const lowered_task *t = &l->tasks[i];
        if (t->index < 0 || t->allocation < 0)
            continue;
        const am_allocation *a = &l->m->allocations[t->allocation];
        int64_t *slice = &l->made[t->index].slice_ns;
        status = find_slice(l, a->parameters, a->parameter_count, key, sizeof key - 1, slice);
        *with += *slice > 0;
    }
    return status;
}

/* Schedulers that are responsible for the GPU: what tasks have that say nothing is the longest slice. */
static gcast_status of_schedulers(lowering *l)
{
    static const char key[] = "maximumTimeslice";
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->scheduler_count && status == GCAST_OK; i++) {
        const am_scheduler *s = &l->m->schedulers[i];
        bool gpu = false;
        for (size_t k = 0; k < s->unit_count; k++)
            gpu |= s->units[k] == l->gpu_unit;
        if (gpu)
            status = find_slice(l, s->parameters, s->parameter_count, key, sizeof key - 1, &l->s->slice_ns);
    }
    return status;
}

/* What the model does not say, where slices are asked for. */
static gcast_status fill_in(lowering *l)
{
    gcast_status status = GCAST_OK;
    bool silent = false;
    for (size_t i = 0; i < l->s->task_count; i++)
        silent |= l->places[i].core == SYS_GPU && !l->made[i].slice_ns;
    if (!l->s->slice_ns)
        l->s->slice_ns = DEFAULT_SLICE_NS;
    if (silent)
        status = finding_of_gpu(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                                "Tasks on the GPU without a time slice have one of %lld us.",
                                (long long)(l->s->slice_ns / 1000));
    if (l->given->switch_ns >= 0 || status != GCAST_OK)
        return status;
    return finding_of_gpu(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                          "How long the GPU takes from one context to the next is not said: %d us are taken, as "
                          "published for Tegra.",
                          DEFAULT_SWITCH_NS / 1000);
}

gcast_status time_slices_find(lowering *l)
{
    size_t with = 0;
    if (l->gpu_unit < 0)
        return GCAST_OK;
    gcast_status status = of_tasks(l, &with);
    if (status == GCAST_OK)
        status = of_schedulers(l);
    l->s->sharing = l->given->has_sharing ? l->given->sharing : SYS_ONE_CONTEXT;
    l->s->switch_ns = l->given->switch_ns >= 0 ? l->given->switch_ns : DEFAULT_SWITCH_NS;
    if (status != GCAST_OK || !l->s->gpu)
        return status;
    if (l->s->sharing == SYS_SLICES)
        return fill_in(l);
    if (l->given->has_sharing || (!with && !l->s->slice_ns))
        return GCAST_OK;
    l->told_slices = true;
    return finding_of_gpu(
        l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
        "The model has time slices for the GPU. Analysed is one context, in which each GPU task has a "
        "stream of its own; --contexts slices takes the slices.");
}

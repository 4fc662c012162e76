/* amalthea_system makes a system of a model, part by part: each part may need earlier ones. */
#include <stdio.h>
#include <string.h>

#include "amalthea/lower/doubts.h"
#include "amalthea/lower/event_chains.h"
#include "amalthea/lower/gpu_tasks.h"
#include "amalthea/lower/lowering.h"
#include "amalthea/lower/places.h"
#include "amalthea/lower/processors.h"
#include "amalthea/lower/scheduling.h"
#include "amalthea/lower/steps/activations.h"
#include "amalthea/lower/steps/raw_steps.h"
#include "amalthea/lower/steps/runnable_cost.h"
#include "amalthea/lower/steps/task_steps.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/lower/time_limits.h"

/* The file's name without folders and ending. */
static const char *system_name(lowering *l, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    char *name = arena_strdup(&l->s->memory, start);
    if (!name) {
        lower_no_memory(l);
        return NULL;
    }
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

/* Adds findings about what the reader has not used. */
static gcast_status tell_unknown(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->unknown_count && status == GCAST_OK; i++) {
        const am_unknown *u = &l->m->unknown[i];
        char times[40] = "";
        if (u->count > 1)
            snprintf(times, sizeof times, ", %zu times", u->count);
        if (u->meaning == AM_UNUSED_CHECK)
            status = finding_unchecked(l, u->at, u->count, "%s%s: not understood%s.", u->what, times,
                                       strncmp(u->what, "affinity", 8) == 0 ? "; --map may break it" : "");
        else if (u->meaning != AM_UNUSED_HARMLESS)
            status = finding_add(l, u->at,
                                 SYS_CONDITION | SYS_LEFT_OUT | (u->meaning == AM_UNUSED_EITHER ? SYS_APPROXIMATED : 0),
                                 "Not understood and not used: %s%s.", u->what, times);
    }
    return status;
}

static gcast_status tell_timeless(lowering *l)
{
    if (!l->timeless)
        return GCAST_OK;
    return finding_add(l, l->timeless_at, SYS_CONDITION | SYS_LEFT_OUT,
                       "Runnables without any content that tasks call: %zu (first: %s). They take no time here.",
                       l->timeless, l->timeless_of);
}

static gcast_status tell_semaphores(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->semaphore_count && status == GCAST_OK; i++)
        if (l->asking[i].count)
            status = finding_add(
                l, l->asking_at[i], SYS_CONDITION,
                "Semaphore %s is requested by %s: waits for semaphores are not analysed, and no bound includes them.",
                l->m->semaphores[i], names_text(&l->asking[i]));
    return status;
}

static gcast_status tell_shapes(lowering *l)
{
    gcast_status status = GCAST_OK;
    if (l->filling.count)
        status =
            finding_of_gpu(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                           "Kernels without known shapes are assumed to fill the GPU: %s.", names_text(&l->filling));
    if (l->no_registers.count && status == GCAST_OK)
        status = finding_of_gpu(
            l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
            "The model gives no registers per thread for %s: they are assumed not to limit the blocks on an SM.",
            names_text(&l->no_registers));
    return status;
}

static gcast_status make_all(lowering *l)
{
    static gcast_status (*const parts[])(lowering *) = {
        given_check,     processors_find,     runnable_costs_start,   raw_steps_make,    starts_find,
        task_units_find, gpu_candidates_find, task_steps_make,        places_make,       task_deadlines_find,
        priorities_make, time_slices_find,    scheduling_doubts_find, event_chains_make, time_limits_make,
        affinities_make, doubts_find,         tell_timeless,          tell_semaphores,   tell_shapes,
        tell_unknown,
    };
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == GCAST_OK; i++)
        status = parts[i](l);
    return status;
}

static gcast_status keep_findings(lowering *l)
{
    sys_finding *kept = lower_array(l, l->findings.count, sizeof *kept);
    if (!kept)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < l->findings.count; i++) {
        kept[i] = l->findings.at[i];
        if (kept[i].task >= 0) /* a task of the model; one that is left out affects no task */
            kept[i].task = l->tasks[kept[i].task].index < 0 ? SYS_NO_TASKS : l->tasks[kept[i].task].index;
    }
    l->s->findings = kept;
    l->s->finding_count = l->findings.count;
    l->s->loose = l->loose;
    return GCAST_OK;
}

static gcast_status keep_sources(lowering *l)
{
    size_t count = l->m->crcs ? l->m->file_count : 0;
    sys_source *kept = lower_array(l, count, sizeof *kept);
    if (!kept)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < count; i++) {
        kept[i] = (sys_source){lower_keep(l, l->m->files[i]), l->m->crcs[i]};
        if (!kept[i].path)
            return GCAST_RESOURCE;
    }
    l->s->sources = kept;
    l->s->source_count = count;
    return GCAST_OK;
}

static gcast_status start(lowering *l)
{
    const char *path = l->m->file_count ? l->m->files[0] : "";
    l->s->name = system_name(l, path);
    l->s->source = lower_keep(l, path);
    l->tasks = lower_scratch(l, l->m->task_count, sizeof *l->tasks);
    return l->s->name && l->s->source && l->tasks ? keep_sources(l) : GCAST_RESOURCE;
}

gcast_status amalthea_system(const am_model *m, const gcast_gpu *gpu, const sys_given *given, sys_system **s,
                             gcast_error *err)
{
    static const sys_given nothing = {.file = "", .switch_ns = -1};
    lowering l = {.m = m, .gpu = gpu, .given = given ? given : &nothing, .err = err};
    arena memory = {0};
    *s = NULL;
    l.s = arena_alloc(&memory, sizeof *l.s);
    if (!l.s)
        return gcast_error_set_memory(err);
    l.s->memory = memory;
    gcast_status status = start(&l);
    if (status == GCAST_OK)
        status = make_all(&l);
    if (status == GCAST_OK)
        status = keep_findings(&l);
    if (status == GCAST_OK)
        status = system_check(l.s, err);
    vec_free(&l.findings);
    vec_free(&l.links);
    arena_free(&l.scratch);
    if (status == GCAST_OK)
        *s = l.s;
    else
        system_free(l.s);
    return status;
}

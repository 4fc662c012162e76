#include "amalthea/lower/places.h"

#include <stdio.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/processors.h"
#include "amalthea/lower/steps/task_steps.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/model.h"

static gcast_status set_cores(lowering *l, const am_affinity *from, sys_affinity *a)
{
    bool *cores = from->unit_count ? lower_array(l, l->s->core_count + 1, sizeof *cores) : NULL;
    if (from->unit_count && !cores)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < from->unit_count; i++) {
        if (from->units[i] == l->gpu_unit)
            cores[l->s->core_count] = true;
        else if (l->core_of[from->units[i]] >= 0)
            cores[l->core_of[from->units[i]]] = true;
    }
    a->cores = cores;
    return GCAST_OK;
}

/* Makes an affinity of the tasks that are not left out. */
static gcast_status make_one(lowering *l, const am_affinity *from, sys_affinity *a)
{
    int *tasks = lower_array(l, from->task_count, sizeof *tasks),
        *groups = lower_array(l, from->task_count, sizeof *groups);
    name_list names = {0};
    char words[400];
    if (!tasks || !groups)
        return GCAST_RESOURCE;
    *a = (sys_affinity){.together = from->together, .tasks = tasks, .groups = groups};
    for (size_t i = 0; i < from->task_count; i++) {
        int task = l->tasks[from->tasks[i]].index;
        if (task < 0)
            continue;
        groups[a->task_count] = from->groups[i];
        tasks[a->task_count++] = task;
        names_add(&names, l->made[task].name);
    }
    snprintf(words, sizeof words, "%s on %s", names_text(&names), from->together ? "one core" : "different cores");
    a->words = lower_keep(l, words);
    return a->words ? set_cores(l, from, a) : GCAST_RESOURCE;
}

gcast_status affinities_make(lowering *l)
{
    size_t count = l->m->affinities.count;
    sys_affinity *all = lower_array(l, count, sizeof *all);
    gcast_status status = all ? GCAST_OK : GCAST_RESOURCE;
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = make_one(l, &l->m->affinities.at[i], &all[i]);
    l->s->affinities = all;
    l->s->affinity_count = status == GCAST_OK ? count : 0;
    return status;
}

/* Can the task be on this processing unit? *core is its place in the system. */
static bool can_be_on(const lowering *l, const lowered_task *lt, int unit, int *core)
{
    const sys_task *t = &l->made[lt->index];
    if (unit == l->gpu_unit) {
        *core = SYS_GPU;
        return lt->gpu_candidate && !lt->why_not_gpu && system_can_run(l->s, t, SYS_GPU);
    }
    *core = l->core_of[unit];
    return *core >= 0 && system_can_run(l->s, t, *core);
}

/* The first step that cannot run on this kind of core. */
static const char *never_on(const sys_task *t, int kind)
{
    for (size_t i = 0; i < t->step_count; i++)
        if (t->steps[i].kind == SYS_RUN && t->steps[i].on[kind].min_ns == SYS_NEVER)
            return t->steps[i].name;
    return "?";
}

/* The error for a task that can run on none of its units. */
static gcast_status refuse(lowering *l, size_t task)
{
    const lowered_task *lt = &l->tasks[task];
    const am_task *t = &l->m->tasks[task];
    am_place at = lt->allocation < 0 ? t->at : l->m->allocations[lt->allocation].at;
    if (!lt->unit_count)
        return lower_error(l, t->at,
                           "Task %s is mapped to no core: neither an allocation of the model with a responsible "
                           "scheduler nor the file of --kernels names one.",
                           t->name);
    int unit = lt->units[0];
    const am_unit *u = &l->m->units[unit];
    if (unit == l->gpu_unit)
        return lower_error(l, lt->why_at, "Task %s is mapped to the GPU, but cannot run there: %s.", t->name,
                           lt->why_not_gpu ? lt->why_not_gpu : "the model does not give its time");
    if (l->core_of[unit] < 0)
        return lower_error(l, at, "Task %s is mapped to %s, which is neither a CPU nor a GPU.", t->name, u->name);
    int kind = l->s->cores[l->core_of[unit]].kind;
    return lower_error(l, at,
                       "Task %s is mapped to %s, but cannot run there: the model does not say how long %s takes on %s.",
                       t->name, u->name, never_on(&l->made[lt->index], kind), l->s->kinds[kind]);
}

static gcast_status choose_core(lowering *l, size_t task, sys_place *place)
{
    const lowered_task *t = &l->tasks[task];
    for (size_t i = 0; i < t->unit_count; i++) {
        if (!can_be_on(l, t, t->units[i], &place->core))
            continue;
        if (t->unit_count == 1)
            return GCAST_OK;
        name_list units = {0};
        for (size_t k = 0; k < t->unit_count; k++)
            names_add(&units, l->m->units[t->units[k]].name);
        return finding_of_task(l, l->m->tasks[task].at, task, SYS_CONDITION | SYS_APPROXIMATED | SYS_ELSEWHERE,
                               "Task %s may run on %s: %s is assumed.", l->m->tasks[task].name, names_text(&units),
                               l->m->units[t->units[i]].name);
    }
    return refuse(l, task);
}

static gcast_status choose_wait(lowering *l, size_t task, sys_place *place, sys_choice *choice)
{
    const sys_given_task *g = given_task(l, task);
    bool active, passive, waits = task_waits(&l->tasks[task], &active, &passive);
    choice->may_busy = waits;
    choice->may_suspend = true;
    place->busy = active;
    if (g && g->has_busy) { /* may be given for a task that waits for nothing, as one for all tasks */
        place->busy = waits && g->busy;
        return GCAST_OK;
    }
    if (!active || !passive)
        return GCAST_OK;
    return finding_of_task(
        l, l->m->tasks[task].at, task, SYS_CONDITION | SYS_APPROXIMATED,
        "Task %s waits for some events actively and for others passively: it is assumed to hold its core in all waits.",
        l->m->tasks[task].name);
}

/* Could a model have the task there? If it has schedulers, one of the task's kind must be responsible for the unit. */
static bool has_scheduler(const lowering *l, size_t task, int unit, int present)
{
    const lowered_task *t = &l->tasks[task];
    int own = t->allocation < 0 ? -1 : l->m->allocations[t->allocation].scheduler;
    bool from_gpu = present == SYS_GPU;
    return !l->m->scheduler_count ||
           scheduler_for(l->m, from_gpu ? -1 : own, unit, l->m->tasks[task].isr, unit == l->gpu_unit) >= 0;
}

static int unit_of(const lowering *l, size_t core)
{
    int unit = 0;
    while (l->core_of[unit] != (int)core)
        unit++;
    return unit;
}

/* Lists the cores with a scheduler for the task where every step can run, and the GPU. The task may always stay where
 * it is now. */
static gcast_status list_cores(lowering *l, size_t task, int present, sys_choice *choice)
{
    const lowered_task *lt = &l->tasks[task];
    const sys_task *t = &l->made[lt->index];
    int *cores = lower_array(l, l->s->core_count + 1, sizeof *cores);
    if (!cores)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < l->s->core_count; i++)
        if (system_can_run(l->s, t, (int)i) && ((int)i == present || has_scheduler(l, task, unit_of(l, i), present)))
            cores[choice->core_count++] = (int)i;
    if (lt->gpu_candidate && !lt->why_not_gpu && system_can_run(l->s, t, SYS_GPU) &&
        (present == SYS_GPU || has_scheduler(l, task, l->gpu_unit, present)))
        cores[choice->core_count++] = SYS_GPU;
    choice->cores = cores;
    return GCAST_OK;
}

/* Adds a finding on a task that could be on the GPU if more were known. */
static gcast_status tell_not_on_gpu(lowering *l, size_t task, const sys_place *place)
{
    const lowered_task *t = &l->tasks[task];
    if (place->core == SYS_GPU || !t->gpu_candidate || !t->why_not_gpu)
        return GCAST_OK;
    return finding_add(l, t->why_at, 0, "Task %s has times for the GPU, but cannot be put there: %s.",
                       l->m->tasks[task].name, t->why_not_gpu);
}

gcast_status places_make(lowering *l)
{
    size_t count = l->s->task_count;
    sys_choice *choices = lower_array(l, count, sizeof *choices);
    gcast_status status = GCAST_OK;
    l->places = lower_array(l, count, sizeof *l->places);
    if (!choices || !l->places)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++) {
        int index = l->tasks[i].index;
        if (index < 0)
            continue;
        status = choose_core(l, i, &l->places[index]);
        if (status == GCAST_OK)
            status = choose_wait(l, i, &l->places[index], &choices[index]);
        if (status == GCAST_OK)
            status = list_cores(l, i, l->places[index].core, &choices[index]);
        if (status == GCAST_OK)
            status = tell_not_on_gpu(l, i, &l->places[index]);
    }
    l->s->places = l->places;
    l->s->choices = choices;
    return status;
}

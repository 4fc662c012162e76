#include "amalthea/lower/task_units.h"

#include <string.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/processors.h"
#include "base/units.h"

const sys_given_task *given_task(const lowering *l, size_t task)
{
    for (size_t i = 0; i < l->given->task_count; i++)
        if (strcmp(l->given->tasks[i].name, l->m->tasks[task].name) == 0)
            return &l->given->tasks[i];
    return NULL;
}

const sys_given_kernel *given_kernel(const lowering *l, const char *name)
{
    for (size_t i = 0; i < l->given->kernel_count; i++)
        if (strcmp(l->given->kernels[i].runnable, name) == 0)
            return &l->given->kernels[i];
    return NULL;
}

/* The processing unit of this name, or the only GPU where it is "gpu"; -1: there is none. */
static int given_unit(const am_model *m, const char *name)
{
    int gpu = -1;
    for (size_t i = 0; i < m->unit_count; i++) {
        if (m->units[i].kind != AM_UNIT_PROCESSOR)
            continue;
        if (strcmp(m->units[i].name, name) == 0)
            return (int)i;
        if (processor_type(m, (int)i) == AM_PU_GPU)
            gpu = (int)i;
    }
    return strcmp(name, "gpu") == 0 ? gpu : -1;
}

static bool is_task(const lowering *l, const char *name)
{
    for (size_t i = 0; i < l->m->task_count; i++)
        if (strcmp(l->m->tasks[i].name, name) == 0)
            return true;
    return false;
}

static bool range_ok(sys_range r)
{
    return r.min_ns >= 0 && r.min_ns <= r.max_ns && r.max_ns <= DAY_NS;
}

static gcast_status check_kernels(lowering *l)
{
    for (size_t i = 0; i < l->given->kernel_count; i++) {
        bool found = false;
        for (size_t k = 0; k < l->m->runnable_count && !found; k++)
            found = strcmp(l->m->runnables[k].name, l->given->kernels[i].runnable) == 0;
        found |= is_task(l, l->given->kernels[i].runnable);
        if (!found)
            return lower_given_error(l,
                                     "The model has no runnable %s, for which --kernels gives the shape of a kernel.",
                                     l->given->kernels[i].runnable);
    }
    return GCAST_OK;
}

static gcast_status check_accesses(lowering *l)
{
    for (size_t i = 0; i < l->given->access_count; i++) {
        const sys_given_access *a = &l->given->accesses[i];
        bool found = false;
        for (size_t k = 0; k < l->m->definition_count && !found; k++)
            found = l->m->definitions[k].kind == AM_UNIT_PROCESSOR && strcmp(l->m->definitions[k].name, a->kind) == 0;
        if (!found)
            return lower_given_error(l,
                                     "The model has no definition of processing units %s, for which times of "
                                     "accesses to memory are given.",
                                     a->kind);
        if (!range_ok(a->read) || !range_ok(a->write))
            return lower_given_error(l, "Times of accesses to memory by %s are out of range.", a->kind);
    }
    return GCAST_OK;
}

static gcast_status check_tasks(lowering *l)
{
    for (size_t i = 0; i < l->given->task_count; i++) {
        const sys_given_task *t = &l->given->tasks[i];
        if (!is_task(l, t->name))
            return lower_given_error(l, "The model has no task %s, for which --kernels gives data.", t->name);
        if (t->core && given_unit(l->m, t->core) < 0)
            return lower_given_error(l, "The model has no processing unit %s, which --kernels gives for task %s.",
                                     t->core, t->name);
        if (!range_ok(t->extra) || t->deadline_ns > DAY_NS)
            return lower_given_error(l, "A time that is given for task %s is out of range.", t->name);
    }
    return GCAST_OK;
}

gcast_status given_check(lowering *l)
{
    gcast_status status = check_kernels(l);
    if (status == GCAST_OK)
        status = check_accesses(l);
    return status == GCAST_OK ? check_tasks(l) : status;
}

const am_scheduler *task_scheduler(const lowering *l, const lowered_task *t)
{
    int s = t->allocation < 0 ? -1 : l->m->allocations[t->allocation].scheduler;
    return s < 0 ? NULL : &l->m->schedulers[s];
}

static bool has_unit(const int *units, size_t count, int unit)
{
    for (size_t i = 0; i < count; i++)
        if (units[i] == unit)
            return true;
    return false;
}

static const char *unit_names(const lowering *l, const int *units, size_t count, name_list *n)
{
    *n = (name_list){0};
    for (size_t i = 0; i < count; i++)
        names_add(n, l->m->units[units[i]].name);
    return names_text(n);
}

/* Finds the first allocation of each task. */
static gcast_status find_allocations(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count; i++)
        l->tasks[i].allocation = -1;
    for (size_t i = 0; i < l->m->allocation_count && status == GCAST_OK; i++) {
        const am_allocation *a = &l->m->allocations[i];
        if (a->task < 0)
            continue;
        lowered_task *t = &l->tasks[a->task];
        if (t->allocation < 0)
            t->allocation = (int)i;
        else if (t->index >= 0)
            status = finding_doubt_of_task(l, a->at, (size_t)a->task, SYS_CONDITION | SYS_APPROXIMATED | SYS_ELSEWHERE,
                                           "Task %s is allocated more than once: the first allocation is used.",
                                           l->m->tasks[a->task].name);
    }
    return status;
}

static gcast_status check_affinity(lowering *l, size_t task, const am_scheduler *s)
{
    const am_allocation *a = &l->m->allocations[l->tasks[task].allocation];
    name_list owned;
    for (size_t i = 0; s && s->unit_count && i < a->affinity_count; i++)
        if (!has_unit(s->units, s->unit_count, a->affinity[i]))
            return finding_doubt_of_task(
                l, a->at, task, SYS_CONDITION,
                "Task %s is bound to %s, but its scheduler %s is responsible for %s: %s is used.",
                l->m->tasks[task].name, l->m->units[a->affinity[i]].name, s->name,
                unit_names(l, s->units, s->unit_count, &owned), l->m->units[a->affinity[i]].name);
    return GCAST_OK;
}

/* Puts the task where the user says. */
static gcast_status put_by_hand(lowering *l, lowered_task *t, const char *core)
{
    int *unit = lower_scratch(l, 1, sizeof *unit);
    if (unit)
        *unit = given_unit(l->m, core);
    t->units = unit;
    t->unit_count = 1;
    return unit ? GCAST_OK : GCAST_RESOURCE;
}

/* Puts the task on the core, if there is only one and no GPU. */
static gcast_status put_on_only_core(lowering *l, size_t task, name_list *homeless)
{
    if (l->s->core_count != 1 || l->gpu_unit >= 0)
        return GCAST_OK;
    names_add(homeless, l->m->tasks[task].name);
    return put_by_hand(l, &l->tasks[task], l->s->cores[0].name);
}

static gcast_status find_units(lowering *l, size_t task, name_list *homeless)
{
    lowered_task *t = &l->tasks[task];
    const sys_given_task *g = given_task(l, task);
    const am_scheduler *s = task_scheduler(l, t);
    if (g && g->core)
        return put_by_hand(l, t, g->core);
    const am_allocation *a = t->allocation < 0 ? NULL : &l->m->allocations[t->allocation];
    if (a && a->affinity_count) {
        t->units = a->affinity;
        t->unit_count = a->affinity_count;
        return check_affinity(l, task, s);
    }
    if (s && s->unit_count) {
        t->units = s->units;
        t->unit_count = s->unit_count;
        return GCAST_OK;
    }
    return put_on_only_core(l, task, homeless);
}

/* Adds findings on schedulers that run on a unit that they are not responsible for. */
static gcast_status check_schedulers(lowering *l)
{
    gcast_status status = GCAST_OK;
    name_list owned;
    for (size_t i = 0; i < l->m->scheduler_count && status == GCAST_OK; i++) {
        const am_scheduler *s = &l->m->schedulers[i];
        if (s->executing_unit < 0 || !s->unit_count || has_unit(s->units, s->unit_count, s->executing_unit))
            continue;
        status = finding_doubt(l, s->at, 0, "Scheduler %s runs on %s, but is responsible for %s.", s->name,
                               l->m->units[s->executing_unit].name, unit_names(l, s->units, s->unit_count, &owned));
    }
    return status;
}

gcast_status task_units_find(lowering *l)
{
    name_list homeless = {0};
    gcast_status status = find_allocations(l);
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0)
            status = find_units(l, i, &homeless);
    if (status == GCAST_OK && homeless.count)
        status = finding_add(l, lower_nowhere(), 0, "Mapped to no core: %s. %s is used, the only core.",
                             names_text(&homeless), l->s->cores[0].name);
    if (status == GCAST_OK && l->m->runnable_allocation_count)
        status = finding_add(l, l->m->runnable_allocations[0].at, SYS_CONDITION | SYS_APPROXIMATED,
                             "Allocations of runnables are not used: runnables run where the tasks that call them do.");
    return status == GCAST_OK ? check_schedulers(l) : status;
}

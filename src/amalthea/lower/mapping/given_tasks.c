#include "amalthea/lower/mapping/given_tasks.h"

#include <string.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/processors.h"

#define DAY_NS INT64_C(86400000000000)

const sys_given_task *given_task(const lowering *l, size_t task)
{
    for (size_t i = 0; i < l->given->task_count; i++)
        if (strcmp(l->given->tasks[i].name, l->m->tasks[task].name) == 0)
            return &l->given->tasks[i];
    return NULL;
}

int given_unit(const am_model *m, const char *name)
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
            return lower_given_error(l, "The model has no runnable %s, for which the shape of a kernel is given.",
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
            return lower_given_error(l, "The model has no task %s, for which something is given.", t->name);
        if (t->core && given_unit(l->m, t->core) < 0)
            return lower_given_error(l, "The model has no processing unit %s, which is given for task %s.", t->core,
                                     t->name);
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

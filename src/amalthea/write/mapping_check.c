/* See mapping_check.h. */
#include "amalthea/write/mapping_check.h"

#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "amalthea/read/read_again.h"
#include "amalthea/write/same_model.h"

static gcast_status wrong(gcast_error *err, const char *what, const char *name)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL, "the new mapping reads otherwise than it was written: %s%s", what,
                           name);
}

static const am_allocation *allocation_of(const am_model *m, int task)
{
    for (size_t i = 0; i < m->allocation_count; i++)
        if (m->allocations[i].task == task)
            return &m->allocations[i];
    return NULL;
}

static int task_of(const am_model *m, const sys_task *task)
{
    for (size_t i = 0; i < m->task_count; i++)
        if (m->tasks[i].isr == task->isr && strcmp(m->tasks[i].name, task->name) == 0)
            return (int)i;
    return -1;
}

static bool waits_as(const am_task *task, bool busy)
{
    size_t active = 0, all = 0;
    count_waits(task->items, task->item_count, &active, &all);
    return active == (busy ? all : 0);
}

static bool is_on(const am_model *m, const am_allocation *a, const char *unit)
{
    return a->affinity_count == 1 && strcmp(m->units[a->affinity[0]].name, unit) == 0;
}

/* A task that moved is where it was to go; `task` is its index in the model. */
static gcast_status check_moved(const am_model *again, const sys_system *s, size_t i, int task, const sys_place *to,
                                gcast_error *err)
{
    const sys_place *from = &s->places[i];
    const char *name = s->tasks[i].name;
    const am_allocation *a = allocation_of(again, task);
    if (to->busy != from->busy && !waits_as(&again->tasks[task], to->busy))
        return wrong(err, "how it waits: ", name);
    if (to->core == from->core && to->priority == from->priority)
        return GCAST_OK;
    if (!a)
        return wrong(err, "no allocation of ", name);
    const char *unit = to->core == SYS_GPU ? s->gpu_name : s->cores[to->core].name;
    if (to->core != from->core && !again->tasks[task].isr && !is_on(again, a, unit))
        return wrong(err, "the core of ", name);
    if (to->priority != from->priority && (!a->has_priority || a->priority != to->priority))
        return wrong(err, "the priority of ", name);
    return GCAST_OK;
}

/* A task that did not move is as it was. */
static gcast_status check_rest(const am_model *m, const am_model *again, const bool *moved, gcast_error *err)
{
    for (size_t i = 0; i < m->task_count; i++) {
        const am_allocation *a = allocation_of(m, (int)i), *b = allocation_of(again, (int)i);
        size_t before = 0, after = 0, all = 0;
        if (moved[i])
            continue;
        count_waits(m->tasks[i].items, m->tasks[i].item_count, &before, &all);
        count_waits(again->tasks[i].items, again->tasks[i].item_count, &after, &all);
        if (!a != !b || (a && !same_allocation(a, b)) || before != after)
            return wrong(err, "it changed ", m->tasks[i].name);
    }
    return GCAST_OK;
}

static gcast_status check_tasks(const am_model *m, const am_model *again, const sys_system *s, const sys_place *places,
                                bool *moved, gcast_error *err)
{
    for (size_t i = 0; i < s->task_count; i++) {
        const sys_place *a = &s->places[i], *b = &places[i];
        if (a->core == b->core && a->priority == b->priority && a->busy == b->busy)
            continue;
        int task = task_of(again, &s->tasks[i]);
        if (task < 0)
            return wrong(err, "no task ", s->tasks[i].name);
        moved[task] = true;
        gcast_status status = check_moved(again, s, i, task, b, err);
        if (status != GCAST_OK)
            return status;
    }
    return check_rest(m, again, moved, err);
}

gcast_status mapping_check(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                           const char *bytes, size_t size, gcast_error *err)
{
    am_model *again;
    bool *moved = calloc(m->task_count + 1, sizeof *moved);
    if (!moved)
        return gcast_error_set_memory(err);
    gcast_status status = amalthea_read_again(m, path, bytes, size, &again, err);
    if (status == GCAST_OK) {
        status = same_but_places(m, again) ? check_tasks(m, again, s, places, moved, err)
                                           : wrong(err, "something else changed", "");
        amalthea_free(again);
    }
    free(moved);
    return status;
}

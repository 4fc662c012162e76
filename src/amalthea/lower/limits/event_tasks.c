#include "amalthea/lower/limits/event_tasks.h"

#include <strings.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"

/* The task is among those of an entry. */
static void note(int *entry, int task)
{
    if (*entry == EVENT_NO_TASK)
        *entry = task;
    else if (*entry != task)
        *entry = EVENT_AMBIGUOUS;
}

static gcast_status note_item(lowering *l, const am_item *item, int runnable, void *data)
{
    int task = *(const int *)data;
    (void)runnable;
    if ((item->kind == AM_ITEM_CALL || item->kind == AM_ITEM_SERVER_CALL) && item->runnable >= 0)
        note(&l->caller[item->runnable], task);
    if (item->kind != AM_ITEM_ACCESS || item->label < 0)
        return GCAST_OK;
    note(&l->label_user[item->label], task);
    note(item->write ? &l->label_writer[item->label] : &l->label_reader[item->label], task);
    return GCAST_OK;
}

static int *entries(lowering *l, size_t count)
{
    int *e = lower_scratch(l, count, sizeof *e);
    for (size_t i = 0; e && i < count; i++)
        e[i] = EVENT_NO_TASK;
    return e;
}

gcast_status event_tasks_start(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    l->label_reader = entries(l, m->label_count);
    l->label_writer = entries(l, m->label_count);
    l->label_user = entries(l, m->label_count);
    l->caller = entries(l, m->runnable_count);
    l->started = entries(l, m->stimulus_count);
    if (!l->label_reader || !l->label_writer || !l->label_user || !l->caller || !l->started)
        return GCAST_RESOURCE;
    for (int i = 0; (size_t)i < m->task_count && status == GCAST_OK; i++) {
        if (l->tasks[i].index < 0)
            continue;
        for (size_t k = 0; k < m->tasks[i].stimulus_count; k++)
            if (m->tasks[i].stimuli[k] >= 0)
                note(&l->started[m->tasks[i].stimuli[k]], i);
        status = walk_task(l, i, note_item, &i);
    }
    return status;
}

static int task_of_label(const lowering *l, const am_event *e)
{
    if (strcasecmp(e->type, "read") == 0)
        return l->label_reader[e->entity];
    if (strcasecmp(e->type, "write") == 0)
        return l->label_writer[e->entity];
    return l->label_user[e->entity];
}

int event_task(const lowering *l, int event)
{
    const am_event *e = event < 0 ? NULL : &l->m->events[event];
    if (e && e->kind == AM_EVENT_OTHER)
        return EVENT_UNKNOWN;
    if (!e || e->entity < 0)
        return EVENT_NO_TASK;
    switch (e->kind) {
    case AM_EVENT_PROCESS:
        return e->entity;
    case AM_EVENT_RUNNABLE:
        return e->process >= 0 ? e->process : l->caller[e->entity];
    case AM_EVENT_LABEL:
        return e->process >= 0 ? e->process : e->runnable >= 0 ? l->caller[e->runnable] : task_of_label(l, e);
    case AM_EVENT_STIMULUS:
        return l->started[e->entity];
    default:
        return EVENT_NO_TASK;
    }
}

const char *event_task_why(int task)
{
    return task == EVENT_AMBIGUOUS ? "event %.200s happens in several tasks"
           : task == EVENT_UNKNOWN ? "event %.200s is not understood"
                                   : "event %.200s happens in no task";
}

#include "amalthea/lower/tasks/event_waits.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/tasks/links.h"

static bool has_event(const am_item *item, int event)
{
    for (size_t i = 0; i < item->event_count; i++)
        if (item->events[i] == event)
            return true;
    return false;
}

/* Was the event waited for before, and not cleared since? */
static bool still_set(const lowered_task *t, size_t step, int event)
{
    bool set = false;
    for (size_t k = 0; k < step; k++) {
        if (t->raw[k].kind == RAW_WAIT && has_event(t->raw[k].items[0], event))
            set = true;
        if (t->raw[k].kind == RAW_CLEAR && has_event(t->raw[k].items[0], event))
            set = false;
    }
    return set;
}

/* Does the setter do more after it has set the event? */
static gcast_status check_last(lowering *l, int setter, size_t set, const char *event)
{
    const lowered_task *t = &l->tasks[setter];
    for (size_t k = set + 1; k < t->raw_count; k++)
        if (t->raw[k].kind == RAW_RUN || t->raw[k].kind == RAW_WAIT || t->raw[k].kind == RAW_TRIGGER)
            return finding_of_task(
                l, t->raw[set].items[0]->at, (size_t)setter, SYS_CONDITION | SYS_APPROXIMATED,
                "Task %s goes on after it has set event %s: who waits for the event is taken to wait "
                "for its end.",
                l->m->tasks[setter].name, event);
    return GCAST_OK;
}

gcast_status wait_for(lowering *l, size_t task, size_t step, int event, int *other)
{
    const lowered_task *t = &l->tasks[task];
    const am_task *waiter = &l->m->tasks[task];
    am_place at = t->raw[step].items[0]->at;
    const char *name = event < 0 ? "?" : l->m->os_events[event];
    *other = WAIT_NOT;
    if (still_set(t, step, event))
        return GCAST_OK;
    int setter = -1;
    size_t set = 0;
    for (int i = event < 0 ? LINK_END : l->first_set[event]; i != LINK_END; i = l->links.at[i].next) {
        const task_link *link = &l->links.at[i];
        int process = l->tasks[link->task].raw[link->raw].items[0]->process;
        if (l->tasks[link->task].index < 0 || link->task == setter || (process >= 0 && process != (int)task))
            continue;
        if (setter >= 0)
            return lower_error(l, at, "Task %s waits for event %s, which several tasks set, %s and %s.", waiter->name,
                               name, l->m->tasks[setter].name, l->m->tasks[link->task].name);
        setter = link->task;
        set = link->raw;
    }
    if (setter < 0)
        return lower_error(l, at, "Task %s waits for event %s, which no task sets for it.", waiter->name, name);
    if (l->tasks[setter].trigger != (int)task || l->tasks[setter].trigger_raw > step)
        return lower_error(l, at,
                           "Task %s waits for event %s, which %s sets: only events of tasks that it has triggered "
                           "before are analysed.",
                           waiter->name, name, l->m->tasks[setter].name);
    if (t->raw[l->tasks[setter].trigger_raw].maybe)
        return lower_error(l, at, "Task %s waits for event %s, which %s sets: a switch need not trigger that task.",
                           waiter->name, name, l->m->tasks[setter].name);
    *other = setter;
    return check_last(l, setter, set, name);
}

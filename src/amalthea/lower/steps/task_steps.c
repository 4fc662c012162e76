#include "amalthea/lower/steps/task_steps.h"

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/activations.h"
#include "amalthea/lower/steps/gpu_ops.h"
#include "amalthea/lower/steps/runnable_cost.h"
#include "amalthea/lower/task_units.h"

#define WAIT_NOT (-1) /* the event is set already */

/* A wait for an event is a wait for the end of the task that sets it. */

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

/* Adds a finding if the setter does more after it has set the event. */
static gcast_status check_last(lowering *l, int setter, size_t set, const char *event)
{
    const lowered_task *t = &l->tasks[setter];
    for (size_t k = set + 1; k < t->raw_count; k++)
        if (t->raw[k].kind == RAW_RUN || t->raw[k].kind == RAW_WAIT || t->raw[k].kind == RAW_TRIGGER)
            return finding_of_task(l, t->raw[set].items[0]->at, (size_t)setter, SYS_CONDITION | SYS_APPROXIMATED,
                                   "Task %s continues after it has set event %s: tasks that wait for the event wait "
                                   "for the end of the task here.",
                                   l->m->tasks[setter].name, event);
    return GCAST_OK;
}

/* Finds the task of the model for whose end the wait in raw step `step` waits by this event, or WAIT_NOT. */
static gcast_status wait_for(lowering *l, size_t task, size_t step, int event, int *other)
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

typedef VEC(sys_step) step_list;

bool task_waits(const lowered_task *t, bool *active, bool *passive)
{
    *active = *passive = false;
    for (size_t k = 0; k < t->raw_count; k++) {
        if (t->raw[k].kind != RAW_WAIT)
            continue;
        *active |= t->raw[k].items[0]->active;
        *passive |= !t->raw[k].items[0]->active;
    }
    return *active || *passive;
}

static cost_owner owner_of(const lowering *l, size_t task, const raw_step *raw)
{
    const am_task *t = &l->m->tasks[task];
    return (cost_owner){raw->name, t->properties, t->property_count};
}

/* Computes the time of a step on each kind of core. */
static gcast_status cost_on_cores(lowering *l, size_t task, const raw_step *raw, sys_step *step)
{
    size_t kinds = l->s->kind_count;
    cost_owner owner = owner_of(l, task, raw);
    sys_range *on = lower_array(l, kinds, sizeof *on), *access = lower_array(l, kinds, sizeof *access);
    if (!on || !access)
        return GCAST_RESOURCE;
    step->on = on;
    step->access = access;
    for (size_t k = 0; k < kinds; k++) {
        fine_cost c;
        const tick_clock *clock = &l->processors[k].clock;
        gcast_status status = items_cost(l, k, &owner, raw->items, raw->item_count, &c);
        if (status != GCAST_OK)
            return status;
        if (c.never)
            on[k].min_ns = on[k].max_ns = SYS_NEVER;
        else if (!fine_range(clock, c.min, c.max, &on[k]) || !fine_range(clock, c.access_min, c.access_max, &access[k]))
            return lower_error(l, raw->items[0]->at, "%s takes longer than a day on %s.", raw->name,
                               l->processors[k].name);
        if ((raw->maybe || raw->spare) && !c.never)
            on[k].min_ns = access[k].min_ns = 0;
    }
    return GCAST_OK;
}

static gcast_status push(lowering *l, step_list *steps, const sys_step *step)
{
    return vec_push(steps, *step) ? GCAST_OK : lower_no_memory(l);
}

static gcast_status add_run(lowering *l, size_t task, const raw_step *raw, step_list *steps)
{
    sys_step step = {.kind = SYS_RUN, .task = SYS_NONE, .op = gcast_op_default(GCAST_KIND_KERNEL)};
    step.name = lower_keep(l, raw->name);
    gcast_status status = step.name ? cost_on_cores(l, task, raw, &step) : GCAST_RESOURCE;
    return status == GCAST_OK ? push(l, steps, &step) : status;
}

/* Adds a step for each task that the stimulus starts. */
static gcast_status add_triggers(lowering *l, size_t task, size_t raw, step_list *steps)
{
    gcast_status status = GCAST_OK;
    int stimulus = l->tasks[task].raw[raw].items[0]->stimulus;
    int i = stimulus < 0 ? LINK_END : l->first_listener[stimulus];
    for (; i != LINK_END && status == GCAST_OK; i = l->next_listener[i]) {
        const lowered_task *other = &l->tasks[i];
        sys_step step = {.kind = SYS_TRIGGER, .task = other->index, .op = gcast_op_default(GCAST_KIND_KERNEL)};
        step.maybe = l->tasks[task].raw[raw].maybe;
        step.name = lower_keep(l, l->m->tasks[i].name);
        l->made[other->index].trigger = l->tasks[task].index;
        l->made[other->index].trigger_step = steps->count;
        status = step.name ? push(l, steps, &step) : GCAST_RESOURCE;
    }
    return status;
}

static gcast_status add_waits(lowering *l, size_t task, size_t raw, step_list *steps)
{
    const am_item *wait = l->tasks[task].raw[raw].items[0];
    const char *name = l->m->tasks[task].name;
    if (wait->event_count > 1 && !wait->wait_all)
        return lower_error(
            l, wait->at, "Task %s waits for any one of several events: only waits for all events are analysed.", name);
    for (size_t i = 0; i < wait->event_count; i++) {
        int other;
        gcast_status status = wait_for(l, task, raw, wait->events[i], &other);
        if (status != GCAST_OK)
            return status;
        if (other == WAIT_NOT)
            continue;
        sys_task *waited = &l->made[l->tasks[other].index];
        if (waited->waiter != SYS_NONE)
            return lower_error(l, wait->at, "Task %s waits twice for task %s, which it has triggered once.", name,
                               waited->name);
        waited->waiter = l->tasks[task].index;
        sys_step step = {.kind = SYS_WAIT, .task = l->tasks[other].index, .op = gcast_op_default(GCAST_KIND_KERNEL)};
        step.name = lower_keep(l, waited->name);
        status = step.name ? push(l, steps, &step) : GCAST_RESOURCE;
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

/* Adds the extra time that the user gives to the first step on a core. */
static gcast_status add_extra(lowering *l, size_t task, step_list *steps)
{
    const sys_given_task *g = given_task(l, task);
    if (!g || !g->extra.max_ns)
        return GCAST_OK;
    for (size_t i = 0; i < steps->count; i++) {
        sys_range *on = (sys_range *)steps->at[i].on; /* made above */
        if (steps->at[i].kind != SYS_RUN)
            continue;
        for (size_t k = 0; k < l->s->kind_count; k++)
            if (on[k].min_ns != SYS_NEVER) {
                on[k].min_ns += g->extra.min_ns;
                on[k].max_ns += g->extra.max_ns;
            }
        return GCAST_OK;
    }
    return lower_given_error(l, "Task %s runs no code to which time could be added.", l->m->tasks[task].name);
}

/* A task that does nothing has one step that takes no time. */
static gcast_status add_nothing(lowering *l, size_t task, step_list *steps)
{
    const am_task *t = &l->m->tasks[task];
    raw_step nothing = {.kind = RAW_RUN, .name = t->name, .runnable = -1, .of = -1};
    gcast_status status = finding_of_task(l, t->at, task, SYS_CONDITION | SYS_LEFT_OUT,
                                          "Task %s does nothing: it calls no runnable.", t->name);
    return status == GCAST_OK ? add_run(l, task, &nothing, steps) : status;
}

static gcast_status make_steps(lowering *l, size_t task, step_list *steps)
{
    lowered_task *t = &l->tasks[task];
    gcast_status status = GCAST_OK;
    t->step_of = lower_scratch(l, t->raw_count + 1, sizeof *t->step_of);
    if (!t->step_of)
        return GCAST_RESOURCE;
    for (size_t k = 0; k < t->raw_count && status == GCAST_OK; k++) {
        t->step_of[k] = steps->count;
        if (t->raw[k].kind == RAW_RUN)
            status = add_run(l, task, &t->raw[k], steps);
        else if (t->raw[k].kind == RAW_TRIGGER)
            status = add_triggers(l, task, k, steps);
        else if (t->raw[k].kind == RAW_WAIT)
            status = add_waits(l, task, k, steps);
        if (steps->count)
            steps->at[steps->count - 1].yields |= t->raw[k].yields;
    }
    t->step_of[t->raw_count] = steps->count;
    if (status == GCAST_OK && !steps->count)
        status = add_nothing(l, task, steps);
    if (status == GCAST_OK)
        status = gpu_ops_make(l, task, steps->at, &steps->count);
    return status == GCAST_OK ? add_extra(l, task, steps) : status;
}

static gcast_status make_task(lowering *l, size_t task)
{
    const lowered_task *lt = &l->tasks[task];
    sys_task *t = &l->made[lt->index];
    step_list steps = {0};
    gcast_status status = make_steps(l, task, &steps);
    if (status == GCAST_OK) {
        sys_step *kept = lower_array(l, steps.count, sizeof *kept);
        for (size_t i = 0; kept && i < steps.count; i++)
            kept[i] = steps.at[i];
        t->steps = kept;
        t->step_count = steps.count;
        status = kept ? GCAST_OK : GCAST_RESOURCE;
    }
    vec_free(&steps);
    return status;
}

static gcast_status start_task(lowering *l, size_t task)
{
    static const sys_preemption preemptions[AM_PREEMPTIONS] = {[AM_PREEMPTION_PREEMPTIVE] = SYS_PREEMPTIVE,
                                                               [AM_PREEMPTION_COOPERATIVE] = SYS_COOPERATIVE,
                                                               [AM_PREEMPTION_NONE] = SYS_NON_PREEMPTIVE};
    const am_task *from = &l->m->tasks[task];
    sys_task *t = &l->made[l->tasks[task].index];
    l->origin[l->tasks[task].index] = (int)task;
    t->isr = from->isr;
    t->activation_limit = from->activation_limit;
    t->trigger = t->waiter = SYS_NONE;
    t->root = l->tasks[task].index;
    t->deadline_name = "";
    t->preemption = preemptions[from->preemption];
    t->name = lower_keep(l, from->name);
    if (!t->name)
        return GCAST_RESOURCE;
    if (l->tasks[task].trigger < 0)
        return arrival_of(l, task, t);
    t->arrival = SYS_TRIGGERED;
    return GCAST_OK;
}

/* Triggered tasks have the period of their root. */
static void find_roots(lowering *l)
{
    for (size_t i = 0; i < l->s->task_count; i++) {
        sys_task *t = &l->made[i];
        int root = (int)i;
        while (l->made[root].arrival == SYS_TRIGGERED)
            root = l->made[root].trigger;
        t->root = root;
        t->period_ns = l->made[root].period_ns;
    }
}

gcast_status task_steps_make(lowering *l)
{
    gcast_status status = GCAST_OK;
    l->made = lower_array(l, l->s->task_count, sizeof *l->made);
    l->origin = lower_scratch(l, l->s->task_count, sizeof *l->origin);
    if (!l->made || !l->origin)
        return GCAST_RESOURCE;
    l->s->tasks = l->made;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0)
            status = start_task(l, i);
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0)
            status = make_task(l, i);
    if (status == GCAST_OK)
        find_roots(l);
    return status;
}

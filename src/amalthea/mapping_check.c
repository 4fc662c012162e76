#include "amalthea/mapping_check.h"

#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "amalthea/read/read_model.h"

/* Two models are compared item by item. Both come from one reader, so equal ones have equal indices. */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool same_ints(const int *a, const int *b, size_t a_count, size_t b_count)
{
    return a_count == b_count && (!a_count || memcmp(a, b, a_count * sizeof *a) == 0);
}

static bool same_value(const am_value *a, const am_value *b)
{
    return a->given == b->given && a->kind == b->kind && a->bounded_below == b->bounded_below &&
           a->bounded_above == b->bounded_above && a->lower == b->lower && a->upper == b->upper &&
           a->average == b->average;
}

static bool same_properties(const am_property *a, const am_property *b, size_t a_count, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (!same_text(a[i].key, b[i].key) || !same_text(a[i].value, b[i].value))
            return false;
    return true;
}

static bool same_ticks(const am_item *a, const am_item *b)
{
    if (a->tick_count != b->tick_count)
        return false;
    for (size_t i = 0; i < a->tick_count; i++)
        if (a->ticks[i].definition != b->ticks[i].definition || !same_value(&a->ticks[i].value, &b->ticks[i].value))
            return false;
    return true;
}

static bool same_items(const am_item *a, const am_item *b, size_t a_count, size_t b_count);

static bool same_item(const am_item *a, const am_item *b)
{
    return a->kind == b->kind && same_text(a->name, b->name) && a->unordered == b->unordered &&
           a->is_default == b->is_default && a->probability == b->probability && a->odd_sum == b->odd_sum &&
           same_ticks(a, b) && a->runnable == b->runnable && a->asynchronous == b->asynchronous &&
           a->label == b->label && a->write == b->write && a->stimulus == b->stimulus &&
           same_ints(a->events, b->events, a->event_count, b->event_count) && a->wait_all == b->wait_all &&
           a->process == b->process && a->semaphore == b->semaphore && a->request == b->request &&
           same_items(a->items, b->items, a->item_count, b->item_count);
}

/* The recursion is bounded by the depth of elements in XML. */
static bool same_items(const am_item *a, const am_item *b, size_t a_count, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (!same_item(&a[i], &b[i]))
            return false;
    return true;
}

static bool same_software(const am_model *a, const am_model *b)
{
    if (a->task_count != b->task_count || a->runnable_count != b->runnable_count || a->label_count != b->label_count)
        return false;
    for (size_t i = 0; i < a->task_count; i++) {
        const am_task *x = &a->tasks[i], *y = &b->tasks[i];
        if (!same_text(x->name, y->name) || x->isr != y->isr || x->preemption != y->preemption ||
            x->activation_limit != y->activation_limit ||
            !same_ints(x->stimuli, y->stimuli, x->stimulus_count, y->stimulus_count) ||
            !same_items(x->items, y->items, x->item_count, y->item_count) ||
            !same_properties(x->properties, y->properties, x->property_count, y->property_count))
            return false;
    }
    for (size_t i = 0; i < a->runnable_count; i++) {
        const am_runnable *x = &a->runnables[i], *y = &b->runnables[i];
        if (!same_text(x->name, y->name) || !same_items(x->items, y->items, x->item_count, y->item_count) ||
            !same_properties(x->properties, y->properties, x->property_count, y->property_count))
            return false;
    }
    for (size_t i = 0; i < a->label_count; i++) {
        const am_label *x = &a->labels[i], *y = &b->labels[i];
        if (!same_text(x->name, y->name) || x->bits != y->bits || x->memory != y->memory)
            return false;
    }
    return true;
}

static bool same_platform(const am_model *a, const am_model *b)
{
    if (a->unit_count != b->unit_count || a->definition_count != b->definition_count ||
        a->scheduler_count != b->scheduler_count || a->runnable_allocation_count != b->runnable_allocation_count)
        return false;
    for (size_t i = 0; i < a->unit_count; i++) {
        const am_unit *x = &a->units[i], *y = &b->units[i];
        if (!same_text(x->name, y->name) || x->kind != y->kind || x->definition != y->definition ||
            x->frequency != y->frequency || x->access_count != y->access_count)
            return false;
    }
    for (size_t i = 0; i < a->scheduler_count; i++) {
        const am_scheduler *x = &a->schedulers[i], *y = &b->schedulers[i];
        if (!same_text(x->name, y->name) || !same_text(x->algorithm_name, y->algorithm_name) ||
            x->parent != y->parent || !same_ints(x->units, y->units, x->unit_count, y->unit_count) ||
            !same_properties(x->parameters, y->parameters, x->parameter_count, y->parameter_count))
            return false;
    }
    return true;
}

static bool same_demands(const am_model *a, const am_model *b)
{
    if (a->stimulus_count != b->stimulus_count || a->event_count != b->event_count ||
        a->chain_count != b->chain_count || a->process_chain_count != b->process_chain_count ||
        a->limit_count != b->limit_count)
        return false;
    for (size_t i = 0; i < a->stimulus_count; i++) {
        const am_stimulus *x = &a->stimuli[i], *y = &b->stimuli[i];
        if (!same_text(x->name, y->name) || x->kind != y->kind || x->recurrence_ps != y->recurrence_ps ||
            x->offset_ps != y->offset_ps || !same_value(&x->jitter, &y->jitter) ||
            !same_value(&x->next_ps, &y->next_ps))
            return false;
    }
    for (size_t i = 0; i < a->chain_count; i++)
        if (!same_text(a->chains[i].name, b->chains[i].name) || a->chains[i].item_count != b->chains[i].item_count)
            return false;
    for (size_t i = 0; i < a->limit_count; i++) {
        const am_limit *x = &a->limits[i], *y = &b->limits[i];
        if (!same_text(x->name, y->name) || x->kind != y->kind || x->entity != y->entity ||
            x->lower_ps != y->lower_ps || x->upper_ps != y->upper_ps || x->mapping != y->mapping ||
            x->source != y->source || x->target != y->target)
            return false;
    }
    return true;
}

bool same_but_places(const am_model *a, const am_model *b)
{
    return same_text(a->version, b->version) && same_software(a, b) && same_platform(a, b) && same_demands(a, b);
}

/* Counts the waits for events in the items of a task, and the active ones among them. */
static void count_waits(const am_item *items, size_t count, size_t *active, size_t *all)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == AM_ITEM_WAIT_EVENT) {
            ++*all;
            *active += items[i].active;
        }
        count_waits(items[i].items, items[i].item_count, active, all);
    }
}

bool same_allocation(const am_allocation *a, const am_allocation *b)
{
    return a->task == b->task && a->scheduler == b->scheduler && a->has_priority == b->has_priority &&
           a->priority == b->priority && same_ints(a->affinity, b->affinity, a->affinity_count, b->affinity_count) &&
           same_properties(a->parameters, b->parameters, a->parameter_count, b->parameter_count);
}

static gcast_status wrong(gcast_error *err, const char *what, const char *name)
{
    return gcast_error_set(err, GCAST_INTERNAL, NULL, "the written model does not read back as the new mapping: %s%s",
                           what, name);
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

/* Is a task that moved where it was to go? `task` is its index in the model. */
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

/* Are all tasks that did not move as they were? */
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

/* Any bytes as an AMALTHEA model: an error is one line, and what is accepted has no index that leads nowhere. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

/* An index, or -1. */
static void check_index(int index, size_t count)
{
    check(index >= -1 && (index < 0 || (size_t)index < count));
}

static void check_list(const int *list, size_t size, size_t count)
{
    for (size_t i = 0; i < size; i++)
        check(list[i] >= 0 && (size_t)list[i] < count);
}

static void check_value(const am_value *v)
{
    check(v->kind < AM_DEVIATIONS);
    check(!v->bounded_below || !v->bounded_above || v->lower <= v->upper);
}

static void check_properties(const am_property *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(list[i].key && list[i].value);
}

static void check_items(const am_model *m, const am_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const am_item *x = &items[i];
        check(x->kind < AM_ITEMS && x->name && x->probability <= 1);
        check_index(x->runnable, m->runnable_count);
        check_index(x->label, m->label_count);
        check_index(x->stimulus, m->stimulus_count);
        check_index(x->process, m->task_count);
        check_index(x->semaphore, m->semaphore_count);
        check_list(x->events, x->event_count, m->os_event_count);
        for (size_t t = 0; t < x->tick_count; t++) {
            check_index(x->ticks[t].definition, m->definition_count);
            check_value(&x->ticks[t].value);
        }
        check_items(m, x->items, x->item_count);
    }
}

static void check_software(const am_model *m)
{
    for (size_t i = 0; i < m->task_count; i++) {
        check(m->tasks[i].name && m->tasks[i].at.file);
        check_list(m->tasks[i].stimuli, m->tasks[i].stimulus_count, m->stimulus_count);
        check_items(m, m->tasks[i].items, m->tasks[i].item_count);
        check_properties(m->tasks[i].properties, m->tasks[i].property_count);
    }
    for (size_t i = 0; i < m->runnable_count; i++) {
        check_items(m, m->runnables[i].items, m->runnables[i].item_count);
        check_properties(m->runnables[i].properties, m->runnables[i].property_count);
    }
    for (size_t i = 0; i < m->label_count; i++) {
        check(m->labels[i].bits >= -1);
        check_index(m->labels[i].memory, m->unit_count);
    }
    for (size_t i = 0; i < m->stimulus_count; i++) {
        const am_stimulus *s = &m->stimuli[i];
        check(s->kind < AM_STIMULI && s->offset_ps >= 0 && s->recurrence_ps >= -1);
        check_value(&s->jitter);
        check_value(&s->next_ps);
        check_list(s->events, s->event_count, m->event_count);
        for (size_t k = 0; k < s->occurrence_count; k++)
            check(s->occurrences[k] >= 0 && (!k || s->occurrences[k - 1] <= s->occurrences[k]));
    }
}

static void check_platform(const am_model *m)
{
    for (size_t i = 0; i < m->unit_count; i++) {
        const am_unit *u = &m->units[i];
        check_index(u->definition, m->definition_count);
        check(u->frequency >= 0);
        for (size_t k = 0; k < u->access_count; k++) {
            check_index(u->accesses[k].destination, m->unit_count);
            check_list(u->accesses[k].path, u->accesses[k].path_count, m->unit_count);
        }
    }
    for (size_t i = 0; i < m->scheduler_count; i++) {
        const am_scheduler *s = &m->schedulers[i];
        check_index(s->parent, m->scheduler_count);
        check_index(s->executing_unit, m->unit_count);
        check_list(s->units, s->unit_count, m->unit_count);
        check_properties(s->parameters, s->parameter_count);
        check(s->algorithm_name);
    }
    for (size_t i = 0; i < m->allocation_count; i++) {
        const am_allocation *a = &m->allocations[i];
        check(a->task >= 0);
        check_index(a->task, m->task_count);
        check_index(a->scheduler, m->scheduler_count);
        check_list(a->affinity, a->affinity_count, m->unit_count);
        check_properties(a->parameters, a->parameter_count);
    }
}

static void check_chain(const am_model *m, const am_chain *c)
{
    check(c->name);
    check_index(c->stimulus, m->event_count);
    check_index(c->response, m->event_count);
    for (size_t i = 0; i < c->item_count; i++)
        check_chain(m, &c->items[i]);
}

static void check_demands(const am_model *m)
{
    for (size_t i = 0; i < m->event_count; i++)
        check_index(m->events[i].process, m->task_count);
    for (size_t i = 0; i < m->chain_count; i++)
        check_chain(m, &m->chains[i]);
    for (size_t i = 0; i < m->limit_count; i++) {
        check(m->limits[i].name && m->limits[i].severity);
        check_index(m->limits[i].source, m->event_count);
        check_index(m->limits[i].target, m->event_count);
    }
    for (size_t i = 0; i < m->unknown_count; i++)
        check(m->unknown[i].what && m->unknown[i].count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    am_model *m;
    gcast_error err;
    gcast_status status = amalthea_read_memory("fuzz", (const char *)data, size, &m, &err);
    if (status != GCAST_OK) {
        check(status == GCAST_INPUT && err.message[0] && !strchr(err.message, '\n') && !m);
        return 0;
    }
    check_software(m);
    check_platform(m);
    check_demands(m);
    amalthea_free(m);
    return 0;
}

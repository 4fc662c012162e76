/* Events that chains and constraints are made of. */
#include <string.h>

#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"
#include "amalthea/read/unused/harmless.h"

/* Something that nobody asked for may mean that the event happens less often, or elsewhere. */
static bool is_understood(const xml_node *n)
{
    for (size_t i = 0; i < n->attribute_count; i++)
        if (!n->attributes[i].used && !is_harmless(n, n->attributes[i].name))
            return false;
    for (const xml_node *c = n->first; c; c = c->next)
        if (!c->used && !is_harmless(c, NULL))
            return false;
    return true;
}

static bool read_event(am_reader *r, xml_node *n, const char *class, void *slot)
{
    static const struct {
        const char *class;
        am_event_kind kind;
        am_symbol_kind entity;
    } kinds[] = {{"ProcessEvent", AM_EVENT_PROCESS, SYMBOL_TASK},
                 {"RunnableEvent", AM_EVENT_RUNNABLE, SYMBOL_RUNNABLE},
                 {"LabelEvent", AM_EVENT_LABEL, SYMBOL_LABEL},
                 {"StimulusEvent", AM_EVENT_STIMULUS, SYMBOL_STIMULUS}};
    am_event *e = slot;
    e->at = reader_place(r, n);
    e->name = reader_keep(r, xml_get(n, "name"));
    e->kind = AM_EVENT_OTHER;
    e->entity = e->process = e->runnable = -1;
    const char *type = xml_get(n, "eventType");
    e->type = reader_keep(r, type && strcmp(type, "_all_") != 0 ? type : "");
    if (!e->name || !e->type)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(class, kinds[i].class) == 0) {
            e->kind = kinds[i].kind;
            if (!reference_one(r, n, "entity", kinds[i].entity, false, &e->entity))
                return false;
        }
    bool in_task = e->kind == AM_EVENT_LABEL || e->kind == AM_EVENT_RUNNABLE;
    if ((in_task && !reference_one(r, n, "process", SYMBOL_TASK, false, &e->process)) ||
        (e->kind == AM_EVENT_LABEL && !reference_one(r, n, "runnable", SYMBOL_RUNNABLE, false, &e->runnable)))
        return false;
    if (!is_understood(n))
        e->kind = AM_EVENT_OTHER;
    if (e->kind == AM_EVENT_OTHER)
        n->used = false; /* listed; a chain that begins or ends with it names it */
    return true;
}

bool read_events(am_reader *r)
{
    const void *array;
    bool good = read_each(r, SYMBOL_EVENT, sizeof(am_event), read_event, &array, &r->m->event_count);
    r->m->events = good ? array : NULL;
    return good;
}

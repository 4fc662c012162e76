/* Reads tasks, ISRs, runnables, labels, OS events and process chains. */
#include <limits.h>
#include <string.h>

#include "amalthea/read/items.h"
#include "amalthea/read/property.h"
#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values.h"

static bool read_label(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    am_label *l = slot;
    l->at = reader_place(r, n);
    l->memory = -1;
    l->name = reader_keep(r, xml_get(n, "name"));
    return l->name && quantity_child_size(r, n, "size", &l->bits) &&
           quantity_bool(r, n, "constant", false, &l->constant);
}

static bool read_name(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    const char **name = slot;
    *name = reader_keep(r, xml_get(n, "name"));
    return *name;
}

/* With a condition, all items of the runnable or none happen. */
static bool make_conditional(am_reader *r, am_runnable *f)
{
    am_item *choice = reader_array(r, 1, sizeof *choice), *branches = reader_array(r, 2, sizeof *branches);
    if (!choice || !branches)
        return false;
    branches[0] = branches[1] = item_new(AM_ITEM_BRANCH, f->at);
    *choice = item_new(AM_ITEM_SWITCH, f->at);
    branches[0].items = f->items;
    branches[0].item_count = f->item_count;
    branches[1].is_default = true;
    choice->items = branches;
    choice->item_count = 2;
    f->items = choice;
    f->item_count = 1;
    return true;
}

static bool read_runnable(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    am_runnable *f = slot;
    f->at = reader_place(r, n);
    f->name = reader_keep(r, xml_get(n, "name"));
    r->runnable = n->number;
    r->items = 0;
    if (!f->name || !items_of_graph(r, n, &f->items, &f->item_count) ||
        !quantity_bool(r, n, "callback", false, &f->callback) ||
        !properties_read(r, n, &f->properties, &f->property_count))
        return false;
    r->runnable_items[n->number] = r->items;
    return !xml_first(n, "executionCondition") || make_conditional(r, f);
}

static bool read_preemption(am_reader *r, xml_node *n, am_preemption *preemption, bool *unsaid)
{
    static const char *const names[AM_PREEMPTIONS] = {
#define X(id, name) [AM_PREEMPTION_##id] = name,
        AM_PREEMPTION_TABLE(X)
#undef X
    };
    const char *text = xml_get(n, "preemption");
    *preemption = AM_PREEMPTION_PREEMPTIVE;
    *unsaid = !text || strcmp(text, "_undefined_") == 0; /* the schema has no other default */
    if (*unsaid)
        return true;
    for (size_t i = 0; i < AM_PREEMPTIONS; i++)
        if (strcmp(text, names[i]) == 0) {
            *preemption = (am_preemption)i;
            return true;
        }
    return reader_fail(r, n, "preemption: '%.60s' is not known", text);
}

static bool read_task(am_reader *r, xml_node *n, const char *class, void *slot)
{
    am_task *t = slot;
    int64_t limit;
    t->at = reader_place(r, n);
    t->isr = strcmp(class, "ISR") == 0;
    t->name = reader_keep(r, xml_get(n, "name"));
    r->runnable = -1;
    r->task = n->number;
    if (!t->name || !read_preemption(r, n, &t->preemption, &t->preemption_unsaid) ||
        !reference_list(r, n, "stimuli", SYMBOL_STIMULUS, &t->stimuli, &t->stimulus_count) ||
        !quantity_integer(r, n, "multipleTaskActivationLimit", 0, &limit) ||
        !items_of_graph(r, n, &t->items, &t->item_count) || !properties_read(r, n, &t->properties, &t->property_count))
        return false;
    if (limit < 0 || limit > INT_MAX)
        return reader_fail(r, n, "multipleTaskActivationLimit must be from 0 to %d", INT_MAX);
    t->activation_limit = (int)limit;
    return true;
}

static bool read_process_chain(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    am_process_chain *c = slot;
    c->at = reader_place(r, n);
    c->name = reader_keep(r, xml_get(n, "name"));
    return c->name && reference_list(r, n, "processes", SYMBOL_TASK, &c->tasks, &c->task_count);
}

bool read_software(am_reader *r)
{
    am_model *m = r->m;
    const void *labels, *events, *runnables, *tasks, *chains;
    r->runnable_items = reader_array(r, r->symbols.counts[SYMBOL_RUNNABLE], sizeof *r->runnable_items);
    if (!r->runnable_items || !read_each(r, SYMBOL_LABEL, sizeof(am_label), read_label, &labels, &m->label_count) ||
        !read_each(r, SYMBOL_OS_EVENT, sizeof(char *), read_name, &events, &m->os_event_count) ||
        !read_each(r, SYMBOL_RUNNABLE, sizeof(am_runnable), read_runnable, &runnables, &m->runnable_count) ||
        !read_each(r, SYMBOL_TASK, sizeof(am_task), read_task, &tasks, &m->task_count) ||
        !read_each(r, SYMBOL_PROCESS_CHAIN, sizeof(am_process_chain), read_process_chain, &chains,
                   &m->process_chain_count))
        return false;
    m->labels = labels;
    m->os_events = events;
    m->runnables = runnables;
    m->tasks = tasks;
    m->process_chains = chains;
    return true;
}

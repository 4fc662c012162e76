/* Reads schedulers and interrupt controllers in both styles, with an algorithm (before 2.0.0) and with a definition;
 * semaphores; and the mapping of tasks, ISRs, runnables and labels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/read/property.h"
#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/unused.h"
#include "amalthea/read/values.h"

static am_scheduling algorithm_of(const char *name)
{
    static const char *const names[AM_SCHEDULINGS] = {
#define X(id, name) [AM_SCHEDULING_##id] = name,
        AM_SCHEDULING_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < AM_SCHEDULINGS; i++)
        if (strcmp(name, names[i]) == 0)
            return (am_scheduling)i;
    return AM_SCHEDULING_OTHER;
}

/* Before 2.0.0: the name is the class of the algorithm; its extensions and properties are parameters. */
static bool read_algorithm(am_reader *r, xml_node *n, const char **name, am_property_list *parameters)
{
    xml_node *algorithm = xml_first(n, "schedulingAlgorithm");
    if (!algorithm)
        return true;
    *name = algorithm->type;
    return properties_add(r, algorithm, "parameterExtensions", parameters) &&
           properties_add(r, algorithm, "customProperties", parameters);
}

static bool read_definition(am_reader *r, xml_node *n, const char **name)
{
    const am_symbol *symbol;
    if (!reference_symbol(r, n, "definition", false, &symbol))
        return false;
    if (!symbol)
        return true;
    if (symbol->kind != SYMBOL_SCHEDULER_DEFINITION)
        return reader_fail(r, n, "definition: '%.100s' is not a definition of a scheduler", symbol->name);
    *name = symbol->name;
    return true;
}

/* The parameters towards the parent come behind the scheduler's own. */
static bool read_parent(am_reader *r, xml_node *n, int *parent, am_property_list *parameters)
{
    xml_node *association = xml_first(n, "parentAssociation");
    *parent = -1;
    return !association || (reference_one(r, association, "parent", SYMBOL_SCHEDULER, false, parent) &&
                            parameters_add(r, association, parameters));
}

static bool read_scheduler(am_reader *r, xml_node *n, const char *class, void *slot)
{
    am_scheduler *s = slot;
    const char *name = "";
    am_property_list parameters = {0};
    s->at = reader_place(r, n);
    s->interrupts = strcmp(class, "InterruptController") == 0;
    s->name = reader_keep(r, xml_get(n, "name"));
    s->executing_unit = -1;
    if (!s->name || !read_algorithm(r, n, &name, &parameters) || !read_definition(r, n, &name) ||
        !parameters_add(r, n, &parameters) || !read_parent(r, n, &s->parent, &parameters)) {
        vec_free(&parameters);
        return false;
    }
    s->algorithm = algorithm_of(name);
    s->algorithm_name = reader_keep(r, name);
    return properties_keep(r, &parameters, &s->parameters, &s->parameter_count) && s->algorithm_name;
}

/* Schedulers must not be their own ancestors. */
static bool check_parents(am_reader *r)
{
    const am_model *m = r->m;
    for (size_t i = 0; i < r->symbols.all.count; i++) {
        const am_symbol *symbol = &r->symbols.all.at[i];
        if (symbol->kind != SYMBOL_SCHEDULER)
            continue;
        size_t steps = 0;
        for (int at = symbol->node->number; at >= 0; at = m->schedulers[at].parent)
            if (++steps > m->scheduler_count)
                return reader_fail(r, symbol->node, "the scheduler's parents go in a circle");
    }
    return true;
}

/* Data that is not protected costs nothing; any other mode stays unused, and is listed. */
static void read_consistency(am_reader *r)
{
    for (xml_node *n = NULL; (n = part_next(r, "osModel", "operatingSystems", n));)
        for (xml_node *c = xml_first(n, "osDataConsistency"); c; c = xml_next(c, "osDataConsistency")) {
            const char *mode = xml_get(c, "mode");
            c->used = mode && (strcmp(mode, "noProtection") == 0 || strcmp(mode, "_undefined_") == 0);
        }
}

static bool read_semaphore(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    const char **name = slot;
    *name = reader_keep(r, xml_get(n, "name"));
    return *name;
}

bool read_schedulers(am_reader *r)
{
    const void *schedulers, *semaphores;
    if (!read_each(r, SYMBOL_SCHEDULER, sizeof(am_scheduler), read_scheduler, &schedulers, &r->m->scheduler_count) ||
        !read_each(r, SYMBOL_SEMAPHORE, sizeof(char *), read_semaphore, &semaphores, &r->m->semaphore_count))
        return false;
    r->m->schedulers = schedulers;
    r->m->semaphores = semaphores;
    read_consistency(r);
    return check_parents(r);
}

/* The mapping model allocates schedulers, tasks, ISRs and runnables, and maps labels to memories. */

#define PART "mappingModel"

static bool only_processors(am_reader *r, const xml_node *n, const char *name, const int *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->m->units[units[i]].kind != AM_UNIT_PROCESSOR)
            return reader_fail(r, n, "%s: '%.100s' is not a processing unit", name, r->m->units[units[i]].name);
    return true;
}

/* A scheduler may be allocated several times: it is responsible for the units of all its allocations. */
static bool add_units(am_reader *r, am_scheduler *s, const int *units, size_t count)
{
    int *all = reader_array(r, s->unit_count + count, sizeof *all);
    if (!all)
        return false;
    if (s->unit_count)
        memcpy(all, s->units, s->unit_count * sizeof *all);
    if (count)
        memcpy(all + s->unit_count, units, count * sizeof *all);
    s->units = all;
    s->unit_count += count;
    return true;
}

static bool read_scheduler_allocation(am_reader *r, xml_node *n, am_scheduler *schedulers)
{
    int scheduler, executing;
    const int *units;
    size_t count;
    if (!reference_one(r, n, "scheduler", SYMBOL_SCHEDULER, true, &scheduler) ||
        !reference_list(r, n, "responsibility", SYMBOL_UNIT, &units, &count) ||
        !only_processors(r, n, "responsibility", units, count) ||
        !reference_one(r, n, "executingPU", SYMBOL_UNIT, false, &executing) ||
        !only_processors(r, n, "executingPU", &executing, executing >= 0))
        return false;
    if (executing >= 0)
        schedulers[scheduler].executing_unit = executing;
    return add_units(r, &schedulers[scheduler], units, count);
}

static bool set_priority(am_reader *r, const xml_node *n, const char *text, am_allocation *a)
{
    char *end;
    errno = 0;
    a->priority = strtoll(text, &end, 10);
    a->has_priority = true;
    return (end != text && !*end && errno != ERANGE) ||
           reader_fail(r, n, "the priority '%.60s' is not a whole number", text);
}

/* Without a priority of its own, an allocation has the default of the parameter's definition. */
static bool default_priority(am_reader *r, am_allocation *a)
{
    const am_symbol *definition, *second;
    if (!symbols_find(&r->symbols, "SchedulingParameterDefinition", "priority", &definition, &second))
        return true;
    xml_node *value = xml_first(definition->node, "defaultValue");
    const char *text = value ? property_text(r, value) : NULL;
    return !value || (text && set_priority(r, value, text, a));
}

static bool find_priority(am_reader *r, const xml_node *n, am_allocation *a)
{
    for (size_t i = 0; i < a->parameter_count; i++)
        if (strcmp(a->parameters[i].key, "priority") == 0 && !set_priority(r, n, a->parameters[i].value, a))
            return false;
    return a->has_priority || default_priority(r, a);
}

static bool read_task_allocation(am_reader *r, xml_node *n, am_allocation *a)
{
    am_property_list parameters = {0};
    a->at = reader_place(r, n);
    if (!reference_one(r, n, "task", SYMBOL_TASK, true, &a->task) ||
        !reference_one(r, n, "scheduler", SYMBOL_SCHEDULER, false, &a->scheduler) ||
        !reference_list(r, n, "affinity", SYMBOL_UNIT, &a->affinity, &a->affinity_count) ||
        !only_processors(r, n, "affinity", a->affinity, a->affinity_count) || !parameters_add(r, n, &parameters) ||
        !properties_add(r, n, "parameterExtensions", &parameters)) {
        vec_free(&parameters);
        return false;
    }
    return properties_keep(r, &parameters, &a->parameters, &a->parameter_count) && find_priority(r, n, a);
}

/* An allocation that names nothing stays unused, and is listed. */
static bool is_empty(xml_node *n, const char *what)
{
    if (xml_peek(n, what))
        return false;
    for (const xml_node *c = n->first; c; c = c->next)
        if (strcmp(c->tag, what) == 0)
            return false;
    n->used = false;
    return true;
}

static bool read_isr_allocation(am_reader *r, xml_node *n, am_allocation *a)
{
    a->at = reader_place(r, n);
    a->has_priority = true; /* the schema has a default, 0 */
    return reference_one(r, n, "isr", SYMBOL_TASK, true, &a->task) &&
           reference_one(r, n, "controller", SYMBOL_SCHEDULER, false, &a->scheduler) &&
           quantity_integer(r, n, "priority", 0, &a->priority);
}

static bool read_allocations(am_reader *r)
{
    size_t count = 0;
    for (xml_node *n = NULL; (n = part_next(r, PART, "taskAllocation", n));)
        count++;
    for (xml_node *n = NULL; (n = part_next(r, PART, "isrAllocation", n));)
        count++;
    am_allocation *all = reader_array(r, count, sizeof *all);
    if (!all)
        return false;
    r->m->allocations = all;
    size_t *used = &r->m->allocation_count;
    for (xml_node *n = NULL; (n = part_next(r, PART, "taskAllocation", n));)
        if (!is_empty(n, "task") && !read_task_allocation(r, n, &all[(*used)++]))
            return false;
    for (xml_node *n = NULL; (n = part_next(r, PART, "isrAllocation", n));)
        if (!is_empty(n, "isr") && !read_isr_allocation(r, n, &all[(*used)++]))
            return false;
    return true;
}

static bool read_runnable_allocations(am_reader *r)
{
    size_t count = 0;
    for (xml_node *n = NULL; (n = part_next(r, PART, "runnableAllocation", n));)
        count++;
    am_runnable_allocation *all = reader_array(r, count, sizeof *all);
    if (!all)
        return false;
    r->m->runnable_allocations = all;
    for (xml_node *n = NULL; (n = part_next(r, PART, "runnableAllocation", n));) {
        if (is_empty(n, "entity"))
            continue;
        am_runnable_allocation *a = &all[r->m->runnable_allocation_count++];
        a->at = reader_place(r, n);
        if (!reference_one(r, n, "entity", SYMBOL_RUNNABLE, true, &a->runnable) ||
            !reference_one(r, n, "scheduler", SYMBOL_SCHEDULER, false, &a->scheduler))
            return false;
    }
    return true;
}

/* Only the memories of labels matter; those of code do not, and are listed. */
static bool read_memory(am_reader *r, xml_node *n, am_label *labels)
{
    const am_symbol *element;
    int memory;
    if (is_harmless(n, NULL)) {
        n->used = false;
        return true;
    }
    if (!reference_symbol(r, n, "abstractElement", true, &element) ||
        !reference_one(r, n, "memory", SYMBOL_UNIT, true, &memory))
        return false;
    if (r->m->units[memory].kind != AM_UNIT_MEMORY)
        return reader_fail(r, n, "memory: '%.100s' is not a memory", r->m->units[memory].name);
    if (element->kind != SYMBOL_LABEL)
        return reader_fail(r, n, "abstractElement: '%.100s' is a %.60s, not a label", element->name, element->class);
    am_label *label = &labels[element->node->number];
    if (label->memory >= 0 && label->memory != memory)
        return reader_fail(r, n, "the label '%.100s' is in another memory already", label->name);
    label->memory = memory;
    return true;
}

bool read_mapping(am_reader *r)
{
    /* the reader may change both arrays until it is done */
    am_scheduler *schedulers = (am_scheduler *)r->m->schedulers;
    am_label *labels = (am_label *)r->m->labels;
    for (xml_node *n = NULL; (n = part_next(r, PART, "schedulerAllocation", n));)
        if (!read_scheduler_allocation(r, n, schedulers))
            return false;
    for (xml_node *n = NULL; (n = part_next(r, PART, "memoryMapping", n));)
        if (!is_empty(n, "abstractElement") && !read_memory(r, n, labels))
            return false;
    return read_allocations(r) && read_runnable_allocations(r);
}

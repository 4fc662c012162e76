/* Schedulers and interrupt controllers in both styles: with an algorithm (before 2.0.0), and with a definition. */
#include <string.h>

#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values/property.h"

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

/* Before 2.0.0: the class of the algorithm; its extensions and properties are parameters. */
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

/* Parents of parents must end somewhere. */
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

/* Where data is not protected, nothing is to be paid for it; else it stays unused. */
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

/* Processing units, memories, caches and connection handlers that are there, and how they reach each other. */
#include <string.h>

#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values/deviation.h"
#include "amalthea/read/values/quantity.h"

static bool read_kind(am_reader *r, const xml_node *n, const char *class, am_unit_kind *kind)
{
    static const struct {
        const char *class;
        am_unit_kind kind;
    } kinds[] = {{"ProcessingUnit", AM_UNIT_PROCESSOR},
                 {"Memory", AM_UNIT_MEMORY},
                 {"Cache", AM_UNIT_CACHE},
                 {"ConnectionHandler", AM_UNIT_CONNECTION}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(class, kinds[i].class) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    return reader_fail(r, n, "'%.80s' is not a known kind of module", class);
}

/* Units on the way; connections are not units. */
static bool read_path(am_reader *r, xml_node *path, am_access_element *a)
{
    am_symbol_list list = {0};
    bool good = reference_symbols(r, path, "pathElements", &list);
    int *units = good ? reader_array(r, list.count, sizeof *units) : NULL;
    for (size_t i = 0; units && i < list.count; i++)
        if (list.at[i]->kind == SYMBOL_UNIT)
            units[a->path_count++] = list.at[i]->node->number;
    vec_free(&list);
    a->has_path = true;
    a->path = units;
    return units;
}

static bool read_access(am_reader *r, xml_node *n, am_access_element *a)
{
    a->at = reader_place(r, n);
    xml_node *path = xml_first(n, "accessPath");
    return reference_one(r, n, "destination", SYMBOL_UNIT, true, &a->destination) &&
           deviation_child(r, n, "readLatency", DEVIATION_COUNT, &a->read_latency) &&
           deviation_child(r, n, "writeLatency", DEVIATION_COUNT, &a->write_latency) &&
           quantity_child_rate(r, n, "dataRate", &a->data_rate) && (!path || read_path(r, path, a));
}

static bool read_accesses(am_reader *r, xml_node *n, am_unit *u)
{
    size_t count = 0;
    for (xml_node *a = xml_first(n, "accessElements"); a; a = xml_next(a, "accessElements"))
        count++;
    am_access_element *accesses = reader_array(r, count, sizeof *accesses);
    if (!accesses)
        return false;
    u->accesses = accesses;
    for (xml_node *a = xml_first(n, "accessElements"); a; a = xml_next(a, "accessElements"))
        if (!read_access(r, a, &accesses[u->access_count++]))
            return false;
    return true;
}

static bool read_frequency(am_reader *r, xml_node *n, double *hz)
{
    const am_symbol *domain;
    *hz = 0;
    if (!reference_symbol(r, n, "frequencyDomain", false, &domain) || !domain)
        return r->status == GCAST_OK;
    if (domain->kind != SYMBOL_DOMAIN)
        return reader_fail(r, n, "frequencyDomain: it is a %.60s", domain->class);
    return quantity_child_frequency(r, domain->node, "defaultValue", hz);
}

static bool read_unit(am_reader *r, xml_node *n, const char *class, void *slot)
{
    am_unit *u = slot;
    u->at = reader_place(r, n);
    u->name = reader_keep(r, xml_get(n, "name"));
    if (!u->name || !read_kind(r, n, class, &u->kind) || !read_frequency(r, n, &u->frequency) ||
        !reference_one(r, n, "definition", SYMBOL_DEFINITION, false, &u->definition))
        return false;
    if (u->definition >= 0 && r->m->definitions[u->definition].kind != u->kind)
        return reader_fail(r, n, "its definition, '%.100s', is one of other units",
                           r->m->definitions[u->definition].name);
    return u->kind != AM_UNIT_PROCESSOR || read_accesses(r, n, u);
}

bool read_units(am_reader *r)
{
    const void *array;
    bool good = read_each(r, SYMBOL_UNIT, sizeof(am_unit), read_unit, &array, &r->m->unit_count);
    r->m->units = good ? array : NULL;
    return good;
}

/* Reads processing units, memories, caches and connection handlers: their definitions with features, and the units of
 * the hardware with the ways between them. */
#include <string.h>

#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values.h"

static bool read_pu_type(am_reader *r, xml_node *n, am_pu_type *type)
{
    static const char *const names[AM_PUS] = {
#define X(id, name) [AM_PU_##id] = name,
        AM_PU_TABLE(X)
#undef X
    };
    const char *text = xml_get(n, "puType");
    *type = AM_PU_UNKNOWN;
    for (size_t i = 0; text && i < AM_PUS; i++)
        if (strcmp(text, names[i]) == 0) {
            *type = (am_pu_type)i;
            return true;
        }
    return !text || reader_fail(r, n, "puType: '%.60s' is neither CPU nor GPU nor Accelerator", text);
}

static bool take_features(am_reader *r, const am_symbol_list *list, am_feature *out)
{
    for (size_t i = 0; i < list->count; i++) {
        xml_node *n = list->at[i]->node;
        if (list->at[i]->kind != SYMBOL_FEATURE)
            return reader_fail(r, n, "it is not a feature of hardware");
        out[i].category = reader_keep(r, xml_get(n->parent, "name"));
        out[i].name = reader_keep(r, xml_get(n, "name"));
        if (!out[i].category || !out[i].name || !quantity_real(r, n, "value", 0, &out[i].value))
            return false;
    }
    return true;
}

static bool read_features(am_reader *r, xml_node *n, am_definition *d)
{
    am_symbol_list list = {0};
    bool good = reference_symbols(r, n, "features", &list);
    am_feature *features = good ? reader_array(r, list.count, sizeof *features) : NULL;
    good = features && take_features(r, &list, features);
    d->features = features;
    d->feature_count = list.count;
    vec_free(&list);
    return good;
}

/* Numbers of caches have no effect on times here, but a hit rate that is not 0 would have: it stays unused. */
static bool read_cache(am_reader *r, xml_node *n)
{
    double hits;
    xml_node *line = xml_first(n, "lineSize");
    (void)line;
    for (size_t i = 0; i < n->attribute_count; i++)
        if (strcmp(n->attributes[i].name, "hitRate") == 0) {
            if (!quantity_real(r, n, "hitRate", 0, &hits))
                return false;
            n->attributes[i].used = hits == 0;
        }
    return true;
}

static bool read_definition_kind(am_reader *r, const xml_node *n, am_unit_kind *kind)
{
    static const struct {
        const char *class;
        am_unit_kind kind;
    } kinds[] = {{"ProcessingUnitDefinition", AM_UNIT_PROCESSOR},
                 {"MemoryDefinition", AM_UNIT_MEMORY},
                 {"CacheDefinition", AM_UNIT_CACHE},
                 {"ConnectionHandlerDefinition", AM_UNIT_CONNECTION}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(n->type, kinds[i].class) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    return reader_fail(r, n, "'%.80s' is not a known kind of definition", n->type);
}

static bool read_definition(am_reader *r, xml_node *n, const char *class, void *slot)
{
    (void)class;
    am_definition *d = slot;
    d->at = reader_place(r, n);
    d->name = reader_keep(r, xml_get(n, "name"));
    if (!d->name || !read_definition_kind(r, n, &d->kind))
        return false;
    d->pu = AM_PU_UNKNOWN;
    d->size_bits = d->line_bits = -1;
    d->access_latency.average = d->read_latency.average = d->write_latency.average = -1;
    if (d->kind == AM_UNIT_PROCESSOR)
        return read_pu_type(r, n, &d->pu) && read_features(r, n, d);
    if (d->kind == AM_UNIT_CONNECTION)
        return deviation_child(r, n, "readLatency", DEVIATION_COUNT, &d->read_latency) &&
               deviation_child(r, n, "writeLatency", DEVIATION_COUNT, &d->write_latency) &&
               quantity_child_rate(r, n, "dataRate", &d->data_rate);
    return quantity_child_size(r, n, "size", &d->size_bits) &&
           deviation_child(r, n, "accessLatency", DEVIATION_COUNT, &d->access_latency) &&
           (d->kind != AM_UNIT_MEMORY || quantity_child_rate(r, n, "dataRate", &d->data_rate)) &&
           (d->kind != AM_UNIT_CACHE || (quantity_child_size(r, n, "lineSize", &d->line_bits) && read_cache(r, n)));
}

bool read_definitions(am_reader *r)
{
    const void *array;
    bool good =
        read_each(r, SYMBOL_DEFINITION, sizeof(am_definition), read_definition, &array, &r->m->definition_count);
    r->m->definitions = good ? array : NULL;
    return good;
}

/* Units are instances of definitions. Access elements say how processing units reach memories. */

static bool read_unit_kind(am_reader *r, const xml_node *n, const char *class, am_unit_kind *kind)
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

/* Reads the units of a path; connections are not units. */
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
    if (!u->name || !read_unit_kind(r, n, class, &u->kind) || !read_frequency(r, n, &u->frequency) ||
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

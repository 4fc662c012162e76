/* Definitions of processing units, memories, caches and connection handlers, and their features. */
#include <string.h>

#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values/deviation.h"
#include "amalthea/read/values/quantity.h"

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

/* Numbers of caches that no time is made of here; a rate of hits that is not 0 would change times. */
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

static bool read_kind(am_reader *r, const xml_node *n, am_unit_kind *kind)
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
    if (!d->name || !read_kind(r, n, &d->kind))
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

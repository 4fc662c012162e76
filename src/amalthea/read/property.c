#include "amalthea/read/property.h"

#include <string.h>

#include "amalthea/read/references.h"
#include "base/text.h"

#define EXTENDED "extended: " /* before keys that 2.0.0 made of extensions */

/* Writes the name of a reference, without its type. */
static void write_reference(text *out, const char *reference)
{
    const char *end = strchr(reference, '?');
    size_t size = end ? (size_t)(end - reference) : strlen(reference);
    char *name = text_reserve(out, size + 1) ? out->data + out->used : NULL;
    if (!name)
        return;
    if (!symbol_decode(reference, size, name))
        memcpy(name, reference, size), name[size] = '\0';
    for (char *c = name; *c; c++)
        if (*c == SYMBOL_IN)
            *c = '/';
    out->used += strlen(name);
}

static void use_all(xml_node *n)
{
    n->used = true;
    for (size_t i = 0; i < n->attribute_count; i++)
        n->attributes[i].used = true;
}

/* The schema's default of a class, which tools leave out; NULL: none. */
static const char *default_of(const char *class)
{
    static const char *const defaults[][2] = {{"IntegerObject", "0"},    {"LongObject", "0"},
                                              {"BigIntegerObject", "0"}, {"FloatObject", "0.0"},
                                              {"DoubleObject", "0.0"},   {"BooleanObject", "false"}};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(class, defaults[i][0]) == 0)
            return defaults[i][1];
    return NULL;
}

static void write_named(text *out, xml_node *n);

/* Writes a value of any class: the attribute `value` with its unit; the values of a list one after the other. */
static void write_value(text *out, xml_node *n)
{
    const char *value = xml_peek(n, "value"), *unit = xml_peek(n, "unit"), *href = xml_peek(n, "href");
    use_all(n);
    if (!value)
        value = default_of(n->type);
    if (value && strcmp(n->type, "ReferenceObject") == 0)
        write_reference(out, value);
    else if (value)
        text_str(out, value);
    if (value && unit) {
        text_char(out, ' ');
        text_str(out, unit);
    }
    if (href)
        write_reference(out, reference_target(href));
    for (xml_node *c = n->first; c; c = c->next) { /* values, entries of a map, and what a reference refers to */
        if (c != n->first)
            text_char(out, ' ');
        write_named(out, c);
    }
}

static void write_named(text *out, xml_node *n)
{
    const char *key = xml_peek(n, "key");
    if (key) {
        text_str(out, key);
        text_char(out, '=');
    }
    write_value(out, n);
}

const char *property_text(am_reader *r, xml_node *value)
{
    text out;
    text_open(&out, NULL, NULL);
    if (value)
        write_value(&out, value);
    char *bytes = text_take(&out, NULL);
    const char *kept = bytes ? reader_keep(r, bytes) : NULL;
    if (!bytes)
        reader_no_memory(r);
    free(bytes);
    return kept;
}

static bool add(am_reader *r, const xml_node *n, const char *key, const char *value, am_property_list *list)
{
    if (strncmp(key, EXTENDED, strlen(EXTENDED)) == 0)
        key += strlen(EXTENDED);
    am_property p = {.key = reader_keep(r, key), .value = value, .at = reader_place(r, n)};
    return p.key && p.value && (vec_push(list, p) || reader_no_memory(r));
}

bool properties_add(am_reader *r, xml_node *n, const char *tag, am_property_list *list)
{
    for (xml_node *c = xml_first(n, tag); c; c = xml_next(c, tag)) {
        const char *key = xml_get(c, "key"), *plain = xml_get(c, "value");
        const char *value = plain ? reader_keep(r, plain) : property_text(r, xml_first(c, "value"));
        if (!value || !add(r, c, key ? key : "", value, list))
            return false;
        list->at[list->count - 1].custom = strcmp(tag, "customProperties") == 0;
    }
    return true;
}

/* Before 2.0.0: every attribute is a parameter, and every child with a value. A priority of 0 need not be written. */
static bool add_old(am_reader *r, xml_node *n, am_property_list *list)
{
    if (!xml_peek(n, "priority") && !add(r, n, "priority", "0", list))
        return false;
    for (size_t i = 0; i < n->attribute_count; i++) {
        n->attributes[i].used = true;
        if (!strchr(n->attributes[i].name, ':') &&
            !add(r, n, n->attributes[i].name, reader_keep(r, n->attributes[i].value), list))
            return false;
    }
    for (xml_node *c = n->first; c; c = c->next)
        if (xml_peek(c, "value") && !add(r, c, c->tag, property_text(r, c), list))
            return false;
    return true;
}

bool parameters_add(am_reader *r, xml_node *n, am_property_list *list)
{
    for (xml_node *c = xml_first(n, "schedulingParameters"); c; c = xml_next(c, "schedulingParameters")) {
        if (!xml_peek(c, "key")) {
            if (!add_old(r, c, list))
                return false;
            continue;
        }
        const am_symbol *symbol;
        if (!reference_symbol(r, c, "key", true, &symbol))
            return false;
        if (symbol->kind != SYMBOL_PARAMETER)
            return reader_fail(r, c, "key: '%.100s' is not the definition of a parameter", symbol->name);
        const char *plain = xml_get(c, "value");
        const char *value = plain ? reader_keep(r, plain) : property_text(r, xml_first(c, "value"));
        if (!value || !add(r, c, symbol->name, value, list))
            return false;
    }
    return true;
}

bool properties_keep(am_reader *r, am_property_list *list, const am_property **out, size_t *count)
{
    *count = list->count;
    *out = list->count ? arena_copy(r->memory, list->at, list->count * sizeof *list->at) : NULL;
    bool good = !list->count || *out || reader_no_memory(r);
    vec_free(list);
    return good;
}

bool properties_read(am_reader *r, xml_node *n, const am_property **list, size_t *count)
{
    am_property_list all = {0};
    bool good = properties_add(r, n, "customProperties", &all);
    if (!good) {
        vec_free(&all);
        return false;
    }
    return properties_keep(r, &all, list, count);
}

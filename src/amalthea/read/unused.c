#include "amalthea/read/unused.h"

#include <stdio.h>
#include <string.h>

/* These elements and attributes are known to say nothing about times. Any other that no reader uses is listed as not
 * understood, and may lengthen times. */

/* Elements by tag, or by tag and class. */
static const char *const elements[] = {
    "aliases",
    "arguments",   /* of calls */
    "activations", /* rates for tools that assign runnables to tasks; stimuli say what happens */
    "commonElements",
    "componentsModel",
    "condition", /* of a branch or a loop: all branches may be taken */
    "configModel",
    "context", /* mode labels of a call */
    "customEntities",
    "customProperties", /* where no reader uses them */
    "dataType",
    "defaultValue", /* of domains that no unit uses */
    "domains:PowerDomain",
    "localLabels",
    "measurementModel",
    "modeLabels",
    "modes",
    "nameSpaces",
    "namespaces",
    "parameters", /* of runnables */
    "ports",
    "sections",
    "setModeValueList",
    "tags",
    "typeDefinitions",
};

static const char *const attributes[] = {
    "algorithmParameters", /* what a definition of a scheduler allows */
    "asilLevel",
    "bVolatile",
    "cacheType",
    "classifiers",
    "clockGating",
    "coherency",
    "dataType",
    "defaultValue",
    "description",
    "displayName",
    "exclusive",
    "featureType",
    "hasExactlyOneChild",
    "id",
    "memoryPositionAddress",
    "memoryType",
    "memOffset",
    "name",
    "namespace",
    "nWays",
    "osName",
    "passesParametersUpwards",
    "port1",
    "port2",
    "powerDomain",
    "processParameters",
    "requiresParentScheduler",
    "section",
    "service",
    "severity",
    "stabilityLevel",
    "startAddress",
    "endAddress",
    "structureType",
    "tags",
    "vendor",
    "version",
    "writeStrategy",
    "xmi:id",
    "xmi:version",
    "xsi:schemaLocation",
    "activations",
    "addressMappingType",
};

/* Attributes that are harmless only in these elements: tag, attribute. */
static const char *const special[][2] = {
    {"isrs", "category"},
    {"counter", "offset"},                     /* any of the times may be the one that counts */
    {"definitions", "policy"},                 /* how accesses share a connection: contention is a */
    {"definitions", "maxBurstSize"},           /* condition of its own, where it is not given */
    {"definitions", "maxConcurrentTransfers"}, /* beside the model */
    {"semaphores", "semaphoreType"},           /* waits for semaphores are a condition of their own */
    {"semaphores", "initialValue"},
    {"semaphores", "maxValue"},
    {"semaphores", "ownership"},
    {"semaphores", "priorityCeilingProtocol"},
    {"features", "value"}, /* of features that no definition uses */
    {"schedulingParameterDefinitions", "type"},
    {"schedulingParameterDefinitions", "many"},
    {"schedulingParameterDefinitions", "mandatory"},
};

/* Elements that are harmless only in these: tag of the container, tag. */
static const char *const special_elements[][2] = {
    {"isrs", "size"}, {"runnables", "size"}, {"tasks", "size"}, {"items", "dependsOn"}, {"items", "tags"}};

/* Does it map anything but a label to a memory? That has no effect on times. */
static bool is_code_mapping(const xml_node *n)
{
    static const char label[] = "?type=Label";
    if (strcmp(n->tag, "memoryMapping") != 0)
        return false;
    const char *element = xml_peek(n, "abstractElement");
    for (const xml_node *c = n->first; c && !element; c = c->next)
        if (strcmp(c->tag, "abstractElement") == 0)
            element = xml_peek(c, "href");
    size_t length = element ? strlen(element) : 0, size = sizeof label - 1;
    return element && (length < size || strcmp(element + length - size, label) != 0);
}

/* Some attributes are harmless only with these values. */
static bool harmless_value(const xml_node *n, const char *attribute)
{
    static const char *const values[][2] = {
        {"dataStability", "noProtection"},   {"dataStability", "_undefined_"},
        {"dataStability", "inherited"},      {"dataStability", "handledByModelElements"},
        {"communicationOverheadInBit", "0"}, {"implementation", "_undefined_"},
        {"implementation", "explicit"},
    };
    const char *value = xml_peek(n, attribute);
    for (size_t i = 0; value && i < sizeof values / sizeof *values; i++)
        if (strcmp(attribute, values[i][0]) == 0 && strcmp(value, values[i][1]) == 0)
            return true;
    return false;
}

static bool is_mode(const xml_node *n)
{
    return strcmp(n->type, "ModeLabelAccess") == 0 || strcmp(n->type, "ModeLabelAssignment") == 0 ||
           strcmp(n->type, "LocalModeLabelAssignment") == 0;
}

/* Conditions of runnables are used already: the runnables may run or not, whatever the modes are. */
static bool is_condition(const xml_node *n)
{
    return n->parent && n->parent->used && strcmp(n->parent->tag, "executionCondition") == 0;
}

/* Is it the default value of a parameter other than the priority? Such defaults are not read. */
static bool is_default_parameter(const xml_node *n)
{
    return n->parent && strcmp(n->tag, "defaultValue") == 0 &&
           strcmp(n->parent->tag, "schedulingParameterDefinitions") == 0 &&
           strcmp(xml_peek(n->parent, "name") ? xml_peek(n->parent, "name") : "", "priority") != 0;
}

static bool harmless_element(const xml_node *n)
{
    if (is_default_parameter(n))
        return false;
    if (is_condition(n) || is_code_mapping(n))
        return true;
    for (size_t i = 0; n->parent && i < sizeof special_elements / sizeof *special_elements; i++)
        if (strcmp(n->parent->tag, special_elements[i][0]) == 0 && strcmp(n->tag, special_elements[i][1]) == 0)
            return true;
    size_t tag = strlen(n->tag);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const char *known = elements[i];
        if (strncmp(known, n->tag, tag) != 0)
            continue;
        if (!known[tag] || (known[tag] == ':' && strcmp(known + tag + 1, n->type) == 0))
            return true;
    }
    return false;
}

bool is_harmless(const xml_node *n, const char *attribute)
{
    if (!attribute)
        return harmless_element(n);
    if (is_mode(n)) /* it takes no time */
        return true;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (strcmp(attributes[i], attribute) == 0)
            return true;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i][0], n->tag) == 0 && strcmp(special[i][1], attribute) == 0)
            return true;
    return harmless_value(n, attribute);
}

/* Has it, or an element around it, this tag? */
static bool is_within(const xml_node *n, const char *part)
{
    for (; n; n = n->parent)
        if (strcmp(n->tag, part) == 0)
            return true;
    return false;
}

/* May the unused part make times shorter as well as longer? */
static bool may_shorten(const xml_node *n, const char *attribute)
{
    bool is_of_stimulus = !attribute && n->parent && strcmp(n->parent->tag, "stimuli") == 0;
    return (is_of_stimulus && (strcmp(n->tag, "counter") == 0 || strcmp(n->tag, "executionCondition") == 0)) ||
           (attribute && strcmp(attribute, "hitRate") == 0) || strcmp(n->type, "TerminateProcess") == 0 ||
           strcmp(n->type, "EnforcedMigration") == 0;
}

/* The meaning of an element, or an attribute of it, that was not used. */
static am_unused unused_meaning(const xml_node *n, const char *attribute)
{
    /* limits on events that are not understood are reported as not checked */
    if (is_harmless(n, attribute) || is_within(n, "eventModel"))
        return AM_UNUSED_HARMLESS;
    if (is_within(n, "constraintsModel") || is_within(n, "propertyConstraintsModel"))
        return AM_UNUSED_CHECK;
    return may_shorten(n, attribute) ? AM_UNUSED_EITHER : AM_UNUSED_TIME;
}

/* A walk through the trees lists each kind of unused element or attribute once. */

static bool note(am_reader *r, const xml_node *n, const char *what, am_unused meaning)
{
    uint64_t hash = index_hash_text(what);
    for (index_probe p = index_start(&r->unknown_index, hash); index_next(&r->unknown_index, &p);)
        if (strcmp(r->unknown.at[p.value].what, what) == 0) {
            r->unknown.at[p.value].count++;
            return true;
        }
    am_unknown unknown = {.count = 1, .meaning = meaning, .at = reader_place(r, n)};
    unknown.what = reader_keep(r, what);
    if (!unknown.what)
        return false;
    return (vec_push(&r->unknown, unknown) && index_add(&r->unknown_index, hash, (uint32_t)(r->unknown.count - 1))) ||
           reader_no_memory(r);
}

/* Lists an element by its tag and class, or by its own and its container's tag. */
static bool note_element(am_reader *r, const xml_node *n)
{
    char what[300];
    if (*n->type)
        snprintf(what, sizeof what, "%.100s:%.100s", n->tag, n->type);
    else if (n->parent && n->parent->parent)
        snprintf(what, sizeof what, "%.100s/%.100s", n->parent->tag, n->tag);
    else
        snprintf(what, sizeof what, "%.100s", n->tag);
    return note(r, n, what, unused_meaning(n, NULL));
}

static bool note_part(am_reader *r, const xml_node *n, const char *part, const char *name)
{
    char what[400];
    if (*n->type)
        snprintf(what, sizeof what, "%.100s:%.100s, %s%.100s", n->tag, n->type, part, name);
    else
        snprintf(what, sizeof what, "%.100s, %s%.100s", n->tag, part, name);
    return note(r, n, what, *name ? unused_meaning(n, name) : AM_UNUSED_TIME);
}

/* The recursion is bounded by the depth of elements in XML. */
static bool walk(am_reader *r, const xml_node *n)
{
    if (!n->used)
        return note_element(r, n);
    for (size_t i = 0; i < n->attribute_count; i++)
        if (!n->attributes[i].used && !note_part(r, n, "attribute ", n->attributes[i].name))
            return false;
    if (n->has_text && !note_part(r, n, "text", ""))
        return false;
    for (const xml_node *c = n->first; c; c = c->next)
        if (!walk(r, c))
            return false;
    return true;
}

bool list_unused(am_reader *r)
{
    for (size_t i = 0; i < r->files.count; i++)
        if (!walk(r, r->files.at[i]->tree.root))
            return false;
    size_t size = r->unknown.count * sizeof *r->unknown.at;
    r->m->unknown = size ? arena_copy(r->memory, r->unknown.at, size) : NULL;
    r->m->unknown_count = r->unknown.count;
    return !size || r->m->unknown || reader_no_memory(r);
}

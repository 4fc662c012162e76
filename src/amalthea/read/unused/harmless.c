/* Elements and attributes that are known, and say nothing about times. What is not here and nobody asks for is listed
 * as not understood, and may lengthen times. */
#include "amalthea/read/unused/harmless.h"

#include <string.h>

/* Elements by tag, or by tag and class. */
static const char *const elements[] = {
    "aliases",
    "arguments",   /* of calls */
    "activations", /* rates for those who divide runnables into tasks; stimuli say what happens */
    "commonElements",
    "componentsModel",
    "condition", /* of a branch or a loop: all branches may be taken */
    "configModel",
    "context", /* mode labels of a call */
    "customEntities",
    "customProperties", /* where no tool is known that reads them */
    "dataType",
    "defaultValue", /* of domains that nobody uses */
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

/* Attributes that say nothing only there: tag, attribute. */
static const char *const special[][2] = {
    {"isrs", "category"},
    {"counter", "offset"},                     /* which of the times: any is counted */
    {"definitions", "policy"},                 /* how accesses share a connection: contention is a */
    {"definitions", "maxBurstSize"},           /* condition of its own, where it is not given */
    {"definitions", "maxConcurrentTransfers"}, /* beside the model */
    {"semaphores", "semaphoreType"},           /* waits for semaphores are a condition of their own */
    {"semaphores", "initialValue"},
    {"semaphores", "maxValue"},
    {"semaphores", "ownership"},
    {"semaphores", "priorityCeilingProtocol"},
    {"features", "value"}, /* of features that no definition has */
    {"schedulingParameterDefinitions", "type"},
    {"schedulingParameterDefinitions", "many"},
    {"schedulingParameterDefinitions", "mandatory"},
};

/* Elements that say nothing only there: what they are in, tag. */
static const char *const special_elements[][2] = {
    {"isrs", "size"}, {"runnables", "size"}, {"tasks", "size"}, {"items", "dependsOn"}, {"items", "tags"}};

/* Where anything but labels is in memory: no time is made of it. */
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

/* Attributes that say nothing where they have one of these values. */
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

/* Conditions of runnables are used: they may run or not, whatever the modes are. */
static bool is_condition(const xml_node *n)
{
    return n->parent && n->parent->used && strcmp(n->parent->tag, "executionCondition") == 0;
}

/* A parameter that nobody has to say: only that of priorities is read. */
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
    if (is_mode(n)) /* it takes no time, whatever it does */
        return true;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (strcmp(attributes[i], attribute) == 0)
            return true;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i][0], n->tag) == 0 && strcmp(special[i][1], attribute) == 0)
            return true;
    return harmless_value(n, attribute);
}

/* Is it, or what it is in, a part of the model with this tag? */
static bool is_within(const xml_node *n, const char *part)
{
    for (; n; n = n->parent)
        if (strcmp(n->tag, part) == 0)
            return true;
    return false;
}

/* What may make times shorter as well. */
static bool may_shorten(const xml_node *n, const char *attribute)
{
    bool is_of_stimulus = !attribute && n->parent && strcmp(n->parent->tag, "stimuli") == 0;
    return (is_of_stimulus && (strcmp(n->tag, "counter") == 0 || strcmp(n->tag, "executionCondition") == 0)) ||
           (attribute && strcmp(attribute, "hitRate") == 0) || strcmp(n->type, "TerminateProcess") == 0 ||
           strcmp(n->type, "EnforcedMigration") == 0;
}

am_unused unused_meaning(const xml_node *n, const char *attribute)
{
    /* a limit on an event that is not understood is not checked, and says so */
    if (is_harmless(n, attribute) || is_within(n, "eventModel"))
        return AM_UNUSED_HARMLESS;
    if (is_within(n, "constraintsModel") || is_within(n, "propertyConstraintsModel"))
        return AM_UNUSED_CHECK;
    return may_shorten(n, attribute) ? AM_UNUSED_EITHER : AM_UNUSED_TIME;
}

#include "amalthea/read/symbols.h"

#include <stdio.h>
#include <string.h>

const char *symbol_kind_name(am_symbol_kind kind)
{
    static const char *const names[SYMBOL_KINDS] = {
#define X(id, name) [SYMBOL_##id] = name,
        AM_SYMBOL_TABLE(X)
#undef X
    };
    return names[kind];
}

void symbol_show(const char *name, char *out, size_t size)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        out[i] = name[i] == SYMBOL_IN ? '/' : name[i];
    out[i] = '\0';
}

static uint64_t hash_of(const char *class, const char *name)
{
    return index_hash_text(name) * 31 + index_hash_text(class);
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool symbol_decode(const char *from, size_t size, char *out)
{
    for (size_t i = 0; i < size; i++) {
        char c = from[i];
        if (c == '%') {
            int high = i + 2 < size ? hex(from[i + 1]) : -1, low = i + 2 < size ? hex(from[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
            if (!c || c == SYMBOL_IN)
                return false;
        } else if (c == '+') {
            c = ' ';
        } else if (c == '/') {
            c = SYMBOL_IN;
        }
        *out++ = c;
    }
    *out = '\0';
    return true;
}

/* The name in the symbols' memory, behind that of its container; NULL without memory. */
static const char *full_name(am_symbols *s, const char *in, const char *name)
{
    if (!name || !*name)
        name = "no-name"; /* as the schema's own tools call it */
    size_t before = in ? strlen(in) + 1 : 0, size = strlen(name) + 1;
    char *full = arena_alloc(&s->memory, before + size);
    if (!full)
        return NULL;
    if (in) {
        memcpy(full, in, before - 1);
        full[before - 1] = SYMBOL_IN;
    }
    memcpy(full + before, name, size);
    return full;
}

static am_symbol *find(const am_symbols *s, const char *class, const char *name)
{
    for (index_probe p = index_start(&s->index, hash_of(class, name)); index_next(&s->index, &p);) {
        am_symbol *symbol = &s->all.at[p.value];
        if (strcmp(symbol->class, class) == 0 && strcmp(symbol->name, name) == 0)
            return symbol;
    }
    return NULL;
}

static bool add(am_symbols *s, xml_node *n, const char *class, am_symbol_kind kind, const char *in)
{
    am_symbol symbol = {.class = class, .kind = kind, .node = n, .count = 1};
    symbol.name = full_name(s, in, xml_get(n, "name"));
    if (!symbol.name || !vec_push(&s->all, symbol))
        return false;
    n->number = (int)s->counts[kind]++;
    am_symbol *first = find(s, class, symbol.name);
    if (!first)
        return index_add(&s->index, hash_of(class, symbol.name), (uint32_t)(s->all.count - 1));
    if (first->count++ == 1)
        first->second = s->all.count - 1;
    return true;
}

/* Runnables and labels may be in a name space: its name comes first. */
static bool add_in_space(am_symbols *s, xml_node *n, const char *class, am_symbol_kind kind)
{
    const char *space = xml_peek(n, "namespace");
    const char *end = space ? strchr(space, '?') : NULL;
    if (!end)
        return add(s, n, class, kind, NULL);
    char *in = arena_alloc(&s->memory, (size_t)(end - space) + 1);
    if (!in)
        return false;
    if (!symbol_decode(space, (size_t)(end - space), in))
        in = NULL;
    return add(s, n, class, kind, in);
}

static bool add_all(am_symbols *s, xml_node *in, const char *tag, const char *class, am_symbol_kind kind)
{
    for (xml_node *n = xml_first(in, tag); n; n = xml_next(n, tag))
        if (!add_in_space(s, n, *n->type ? n->type : class, kind))
            return false;
    return true;
}

/* Adds elements that others may refer to, but that have no effect on times: they stay unused. */
static bool add_others(am_symbols *s, xml_node *in, const char *tag, const char *class)
{
    for (xml_node *n = in->first; n; n = n->next)
        if (strcmp(n->tag, tag) == 0 && !add(s, n, *n->type ? n->type : class, SYMBOL_OTHER, NULL))
            return false;
    return true;
}

static bool add_software(am_symbols *s, xml_node *in)
{
    return add_all(s, in, "tasks", "Task", SYMBOL_TASK) && add_all(s, in, "isrs", "ISR", SYMBOL_TASK) &&
           add_all(s, in, "runnables", "Runnable", SYMBOL_RUNNABLE) &&
           add_all(s, in, "labels", "Label", SYMBOL_LABEL) && add_all(s, in, "events", "OsEvent", SYMBOL_OS_EVENT) &&
           add_all(s, in, "processChains", "ProcessChain", SYMBOL_PROCESS_CHAIN) &&
           add_others(s, in, "modeLabels", "ModeLabel") && add_others(s, in, "channels", "Channel") &&
           add_others(s, in, "processPrototypes", "ProcessPrototype") &&
           add_others(s, in, "customEntities", "CustomEntity") && add_others(s, in, "sections", "Section");
}

/* Adds connections under their own name and behind that of their container, as versions differ. */
static bool add_connections(am_symbols *s, xml_node *in, const char *tag)
{
    const char *name = xml_peek(in, "name");
    for (xml_node *n = xml_first(in, tag); n; n = xml_next(n, tag))
        if (!add(s, n, "HwConnection", SYMBOL_OTHER, NULL) ||
            !add(s, n, "HwConnection", SYMBOL_OTHER, name ? name : ""))
            return false;
    return true;
}

static bool add_module(am_symbols *s, xml_node *n)
{
    if (!add(s, n, n->type, SYMBOL_UNIT, NULL))
        return false;
    for (xml_node *c = xml_first(n, "caches"); c; c = xml_next(c, "caches"))
        if (!add(s, c, "Cache", SYMBOL_UNIT, NULL))
            return false;
    return add_connections(s, n, "internalConnections");
}

/* Structures may contain structures. The recursion is bounded by the depth of elements in XML. */
static bool add_structure(am_symbols *s, xml_node *in)
{
    for (xml_node *n = xml_first(in, "modules"); n; n = xml_next(n, "modules"))
        if (!add_module(s, n))
            return false;
    if (!add_connections(s, in, "connections"))
        return false;
    for (xml_node *n = xml_first(in, "structures"); n; n = xml_next(n, "structures"))
        if (!add_structure(s, n))
            return false;
    return true;
}

static bool add_hardware(am_symbols *s, xml_node *in)
{
    for (xml_node *c = xml_first(in, "featureCategories"); c; c = xml_next(c, "featureCategories"))
        for (xml_node *n = xml_first(c, "features"); n; n = xml_next(n, "features"))
            if (!add(s, n, "HwFeature", SYMBOL_FEATURE, full_name(s, NULL, xml_peek(c, "name"))))
                return false;
    for (xml_node *n = in->first; n; n = n->next) { /* power domains stay unused */
        if (strcmp(n->tag, "domains") != 0)
            continue;
        n->used = strcmp(n->type, "FrequencyDomain") == 0;
        if (!add(s, n, n->type, n->used ? SYMBOL_DOMAIN : SYMBOL_OTHER, NULL))
            return false;
    }
    return add_all(s, in, "definitions", "", SYMBOL_DEFINITION) && add_structure(s, in);
}

static bool add_os(am_symbols *s, xml_node *in)
{
    for (xml_node *n = xml_first(in, "operatingSystems"); n; n = xml_next(n, "operatingSystems"))
        if (!add_all(s, n, "taskSchedulers", "TaskScheduler", SYMBOL_SCHEDULER) ||
            !add_all(s, n, "interruptControllers", "InterruptController", SYMBOL_SCHEDULER))
            return false;
    return add_all(s, in, "schedulerDefinitions", "SchedulerDefinition", SYMBOL_SCHEDULER_DEFINITION) &&
           add_all(s, in, "schedulingParameterDefinitions", "SchedulingParameterDefinition", SYMBOL_PARAMETER) &&
           add_all(s, in, "semaphores", "Semaphore", SYMBOL_SEMAPHORE);
}

bool symbols_add(am_symbols *s, xml_tree *tree)
{
    static const struct {
        const char *tag;
        bool (*add)(am_symbols *s, xml_node *in);
    } parts[] = {{"swModel", add_software}, {"hwModel", add_hardware}, {"osModel", add_os}};
    static const struct {
        const char *part, *tag, *class;
        am_symbol_kind kind;
    } lists[] = {{"stimuliModel", "stimuli", "", SYMBOL_STIMULUS},
                 {"eventModel", "events", "", SYMBOL_EVENT},
                 {"constraintsModel", "eventChains", "EventChain", SYMBOL_CHAIN}};
    tree->root->used = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (xml_node *n = xml_first(tree->root, parts[i].tag); n; n = xml_next(n, parts[i].tag))
            if (!parts[i].add(s, n))
                return false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (xml_node *n = xml_first(tree->root, lists[i].part); n; n = xml_next(n, lists[i].part))
            if (!add_all(s, n, lists[i].tag, lists[i].class, lists[i].kind))
                return false;
    return true;
}

size_t symbols_find(const am_symbols *s, const char *class, const char *name, const am_symbol **first,
                    const am_symbol **second)
{
    const am_symbol *found = find(s, class, name);
    *first = found;
    *second = found && found->count > 1 ? &s->all.at[found->second] : NULL;
    return found ? found->count : 0;
}

void symbols_free(am_symbols *s)
{
    vec_free(&s->all);
    index_free(&s->index);
    arena_free(&s->memory);
}

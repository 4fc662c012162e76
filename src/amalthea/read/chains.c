/* Reads events, and the event chains that are made of them. */
#include <string.h>

#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/unused.h"
#include "base/integers.h"

/* Is every part of the event known? An unknown one may mean that it happens less often, or elsewhere. */
static bool is_understood(const xml_node *n)
{
    for (size_t i = 0; i < n->attribute_count; i++)
        if (!n->attributes[i].used && !is_harmless(n, n->attributes[i].name))
            return false;
    for (const xml_node *c = n->first; c; c = c->next)
        if (!c->used && !is_harmless(c, NULL))
            return false;
    return true;
}

static bool read_event(am_reader *r, xml_node *n, const char *class, void *slot)
{
    static const struct {
        const char *class;
        am_event_kind kind;
        am_symbol_kind entity;
    } kinds[] = {{"ProcessEvent", AM_EVENT_PROCESS, SYMBOL_TASK},
                 {"RunnableEvent", AM_EVENT_RUNNABLE, SYMBOL_RUNNABLE},
                 {"LabelEvent", AM_EVENT_LABEL, SYMBOL_LABEL},
                 {"StimulusEvent", AM_EVENT_STIMULUS, SYMBOL_STIMULUS}};
    am_event *e = slot;
    e->at = reader_place(r, n);
    e->name = reader_keep(r, xml_get(n, "name"));
    e->kind = AM_EVENT_OTHER;
    e->entity = e->process = e->runnable = -1;
    const char *type = xml_get(n, "eventType");
    e->type = reader_keep(r, type && strcmp(type, "_all_") != 0 ? type : "");
    if (!e->name || !e->type)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(class, kinds[i].class) == 0) {
            e->kind = kinds[i].kind;
            if (!reference_one(r, n, "entity", kinds[i].entity, false, &e->entity))
                return false;
        }
    bool in_task = e->kind == AM_EVENT_LABEL || e->kind == AM_EVENT_RUNNABLE;
    if ((in_task && !reference_one(r, n, "process", SYMBOL_TASK, false, &e->process)) ||
        (e->kind == AM_EVENT_LABEL && !reference_one(r, n, "runnable", SYMBOL_RUNNABLE, false, &e->runnable)))
        return false;
    if (!is_understood(n))
        e->kind = AM_EVENT_OTHER;
    if (e->kind == AM_EVENT_OTHER)
        n->used = false; /* it is listed, and findings on chains that begin or end with it name it */
    return true;
}

bool read_events(am_reader *r)
{
    const void *array;
    bool good = read_each(r, SYMBOL_EVENT, sizeof(am_event), read_event, &array, &r->m->event_count);
    r->m->events = good ? array : NULL;
    return good;
}

/* Event chains may contain others; references are replaced by the chains that they refer to. */

typedef VEC(am_need) need_list;

static bool is_item(const xml_node *n)
{
    return strcmp(n->tag, "items") == 0 || strcmp(n->tag, "segments") == 0 || strcmp(n->tag, "strands") == 0;
}

static bool is_reference(const xml_node *n)
{
    return strcmp(n->type, "EventChainReference") == 0;
}

/* Lists the chains that this one refers to, at any depth. */
static bool find_needs(am_reader *r, xml_node *n, size_t chain, need_list *needs)
{
    for (xml_node *c = n->first; c; c = c->next) {
        int to;
        if (!is_item(c) || !is_reference(c)) {
            if (!find_needs(r, c, chain, needs))
                return false;
            continue;
        }
        if (!reference_one(r, c, "eventChain", SYMBOL_CHAIN, true, &to))
            return false;
        am_need need = {.from = chain, .to = (size_t)to, .at = c};
        if (!vec_push(needs, need))
            return reader_no_memory(r);
    }
    return true;
}

/* The size of a chain with those that it contains. */
typedef struct chain_extent {
    size_t parts, depth;
} chain_extent;

typedef struct chain_reader {
    am_reader *r;
    am_chain *chains;
    chain_extent *extents; /* of the chains that were read */
} chain_reader;

static bool read_chain(chain_reader *c, xml_node *n, am_chain *chain, chain_extent *extent);

static bool read_item(chain_reader *c, xml_node *n, am_chain *item, chain_extent *extent)
{
    n->used = true;
    if (is_reference(n)) {
        int to;
        if (!reference_one(c->r, n, "eventChain", SYMBOL_CHAIN, true, &to))
            return false;
        *item = c->chains[to];
        *extent = c->extents[to];
        return true;
    }
    xml_node *inner = xml_first(n, "eventChain");
    if (!inner)
        return reader_fail(c->r, n, "eventChain is missing");
    return read_chain(c, inner, item, extent);
}

static bool read_items(chain_reader *c, xml_node *n, am_chain *items, am_chain *chain, chain_extent *extent)
{
    *extent = (chain_extent){.parts = 1, .depth = 1};
    for (xml_node *i = n->first; i; i = i->next) {
        chain_extent inner;
        if (!is_item(i))
            continue;
        if (!read_item(c, i, &items[chain->item_count++], &inner))
            return false;
        extent->parts += inner.parts;
        extent->depth = max_size(extent->depth, inner.depth + 1);
        if (extent->parts > MAX_EXPANDED || extent->depth > MAX_NESTED)
            return reader_fail(c->r, i, "the chain has more than %zu parts, or more than %zu in each other",
                               MAX_EXPANDED, MAX_NESTED);
    }
    return true;
}

static bool read_chain(chain_reader *c, xml_node *n, am_chain *chain, chain_extent *extent)
{
    am_reader *r = c->r;
    const char *type = xml_get(n, "itemType");
    size_t count = 0, strands = 0;
    chain->at = reader_place(r, n);
    chain->name = reader_keep(r, xml_get(n, "name"));
    if (!chain->name || !reference_one(r, n, "stimulus", SYMBOL_EVENT, false, &chain->stimulus) ||
        !reference_one(r, n, "response", SYMBOL_EVENT, false, &chain->response))
        return false;
    for (const xml_node *i = n->first; i; i = i->next) {
        count += is_item(i);
        strands += strcmp(i->tag, "strands") == 0;
    }
    if (strands && strands < count)
        return reader_fail(r, n, "the chain has segments and strands; one kind of them is understood");
    if (!strands && (!type || strcmp(type, "parallel") != 0))
        xml_get(n, "minItemsCompleted"); /* it matters only for parallel items, where it stays unused */
    chain->parallel = strands || (type && strcmp(type, "parallel") == 0);
    am_chain *items = reader_array(r, count, sizeof *items);
    chain->items = items;
    return items && read_items(c, n, items, chain, extent);
}

/* Lists the elements by number, and the chains that they refer to. */
static bool find_all(am_reader *r, xml_node **nodes, need_list *needs)
{
    for (size_t i = 0; i < r->symbols.all.count; i++) {
        am_symbol symbol = r->symbols.all.at[i];
        if (symbol.kind != SYMBOL_CHAIN)
            continue;
        nodes[symbol.node->number] = symbol.node;
        if (!find_needs(r, symbol.node, (size_t)symbol.node->number, needs))
            return false;
    }
    return true;
}

bool read_chains(am_reader *r)
{
    size_t count = r->symbols.counts[SYMBOL_CHAIN];
    chain_reader c = {.r = r, .chains = reader_array(r, count, sizeof *c.chains)};
    c.extents = calloc(count + 1, sizeof *c.extents);
    size_t *order = calloc(count + 1, sizeof *order);
    xml_node **nodes = calloc(count + 1, sizeof(xml_node *));
    need_list needs = {0};
    bool good = c.chains && ((order && nodes && c.extents) || reader_no_memory(r));
    good = good && find_all(r, nodes, &needs) &&
           need_order(r, needs.at, needs.count, count, "chains of events refer to each other", order);
    for (size_t i = 0; good && i < count; i++)
        good = read_chain(&c, nodes[order[i]], &c.chains[order[i]], &c.extents[order[i]]);
    r->m->chains = c.chains;
    r->m->chain_count = good ? count : 0;
    free(order);
    free(nodes);
    free(c.extents);
    vec_free(&needs);
    return good;
}

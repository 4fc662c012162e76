/* Chains of events: containers are in each other, references to other chains are put in their place. */
#include <string.h>

#include "amalthea/read/call_order.h"
#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"
#include "base/minmax.h"

typedef VEC(am_need) need_list;

static bool is_item(const xml_node *n)
{
    return strcmp(n->tag, "items") == 0 || strcmp(n->tag, "segments") == 0 || strcmp(n->tag, "strands") == 0;
}

static bool is_reference(const xml_node *n)
{
    return strcmp(n->type, "EventChainReference") == 0;
}

/* Which chains this one refers to, however deep. */
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

/* How much a chain is with those that it refers to. */
typedef struct chain_extent {
    size_t parts, depth;
} chain_extent;

typedef struct chain_reader {
    am_reader *r;
    am_chain *chains;
    chain_extent *extents; /* of those that were read */
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
        xml_get(n, "minItemsCompleted"); /* of parallel ones: how many of them must happen */
    chain->parallel = strands || (type && strcmp(type, "parallel") == 0);
    am_chain *items = reader_array(r, count, sizeof *items);
    chain->items = items;
    return items && read_items(c, n, items, chain, extent);
}

/* The elements by number, and what they need. */
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

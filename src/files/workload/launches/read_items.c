#include "files/workload/launches/read_items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "files/launch/path_beside.h"
#include "files/workload/launches/items_text.h"
#include "gridcast/read.h"

#define MAX_MADE ((uint64_t)1 << 24) /* launchers of generators and nested levels of a file */

static void fail_memory(const node *n)
{
    node_fail_as(n, gcast_error_set_memory(n->doc->err));
}

void native_count_launchers(native_reader *r, const node *n, uint64_t launchers)
{
    if (!checked_add(r->launchers, launchers, &r->launchers) || r->launchers > MAX_MADE)
        node_fail(n,
                  "generators and nested levels of a file have at most %llu launchers in all; with this one there "
                  "are %s%llu",
                  (unsigned long long)MAX_MADE, r->launchers < launchers ? "more than " : "",
                  (unsigned long long)(r->launchers < launchers ? launchers : r->launchers));
}

/* Items of so many launchers, which l gets; NULL without memory. */
static uint32_t *new_items(const launch_chain *c, const node *n, uint64_t count, gcast_launches *l)
{
    uint32_t *items = arena_alloc_array(&c->r->launches, count, sizeof *items);
    if (!items)
        fail_memory(n);
    l->items = items;
    l->item_count = items ? count : 0;
    return items;
}

static void read_list(const launch_chain *c, const node *n, gcast_launches *l)
{
    size_t count = json_array_size(n->value);
    if (!c->is_form_only && count > c->launchers)
        node_fail(n, "%zu numbers for %llu launchers", count, (unsigned long long)c->launchers);
    uint32_t *items = count && n->doc->status == GCAST_OK ? new_items(c, n, count, l) : NULL;
    for (size_t i = 0; items && i < count && n->doc->status == GCAST_OK; i++) {
        node item = node_item(n, i);
        items[i] = (uint32_t)node_int(&item, 0, UINT32_MAX);
    }
}

static gcast_status load_items(const char *path, uint64_t max, item_list *list, gcast_error *err)
{
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = items_text_read(text, size, max, list, err);
    free(text);
    return status;
}

static void read_file(const launch_chain *c, const node *n, gcast_launches *l)
{
    static const char *const keys[] = {"file", NULL};
    node_known(n, keys);
    const char *name = get_name(n, "file");
    node at = node_key(n, "file");
    if (n->doc->status != GCAST_OK || c->is_form_only)
        return;
    gcast_error err = {0};
    item_list list = {0};
    char *path = path_beside_file(n->doc->file, name), place[32] = "";
    gcast_status status = path ? load_items(path, c->launchers, &list, &err) : GCAST_RESOURCE;
    if (err.line)
        snprintf(place, sizeof place, ":%d:%d", err.line, err.column);
    if (status == GCAST_RESOURCE)
        fail_memory(&at);
    else if (status != GCAST_OK)
        node_fail(&at, "%.120s%s: %.300s", name, place, err.message);
    uint32_t *items = list.count && status == GCAST_OK ? new_items(c, &at, list.count, l) : NULL;
    if (items)
        memcpy(items, list.at, list.count * sizeof *items);
    vec_free(&list);
    free(path);
}

/* What a generator is told. */
typedef struct generator {
    bool is_power_law;
    uint32_t min, max;         /* items of a launcher that holds any */
    uint32_t percent;          /* of the launchers that do */
    uint32_t exponent_percent; /* of a power law */
    uint64_t seed;             /* of the level */
} generator;

static generator read_generator(const launch_chain *c, const node *n)
{
    static const char *const names[] = {"uniform", "power_law", NULL};
    static const char *const uniform_keys[] = {"generator", "min", "max", "seed", "percent", NULL};
    static const char *const power_keys[] = {"generator", "min", "max", "exponent_percent", "seed", "percent", NULL};
    node name = node_key(n, "generator");
    generator g = {.is_power_law = node_choice(&name, names) == 1};
    node_known(n, g.is_power_law ? power_keys : uniform_keys);
    g.min = (uint32_t)get_int(n, "min", g.is_power_law, UINT32_MAX);
    g.max = (uint32_t)get_int(n, "max", g.is_power_law, UINT32_MAX);
    g.seed = (uint64_t)get_int(n, "seed", 0, INT64_MAX) + (uint64_t)c->level;
    g.percent = (uint32_t)get_int_or(n, "percent", 0, 100, 100);
    if (g.is_power_law)
        g.exponent_percent = (uint32_t)get_int(n, "exponent_percent", 1, POWER_LAW_MAX_PERCENT);
    if (g.max < g.min)
        node_fail(n, "min is larger than max");
    else if (g.is_power_law && g.max - g.min >= POWER_LAW_MAX_VALUES)
        node_fail(n, "a power law has at most %d values from min to max, not %llu", POWER_LAW_MAX_VALUES,
                  (unsigned long long)g.max - g.min + 1);
    return g;
}

static void generate(const launch_chain *c, const node *n, gcast_launches *l)
{
    generator g = read_generator(c, n);
    if (n->doc->status != GCAST_OK || c->is_form_only)
        return;
    native_count_launchers(c->r, n, c->launchers);
    if (n->doc->status != GCAST_OK || c->launchers == 0)
        return;
    uint32_t *items = new_items(c, n, c->launchers, l);
    power_law *power = &c->r->power;
    if (items && g.is_power_law && !power_law_make(power, g.min, g.max, g.exponent_percent)) {
        fail_memory(n);
        return;
    }
    for (uint64_t i = 0; items && i < c->launchers; i++) {
        uint64_t draw = generator_draw(g.seed, 2 * i + 1);
        if (generator_holds(g.percent, generator_draw(g.seed, 2 * i)))
            items[i] = g.is_power_law ? power_law_draw(power, draw) : generator_uniform(g.min, g.max, draw);
    }
}

void native_items(const launch_chain *c, const node *level, gcast_launches *l)
{
    node n = node_key(level, "items");
    bool is_generator = json_object_get(n.value, "generator"), is_file = json_object_get(n.value, "file");
    if (c->is_repeated && (json_is_array(n.value) || is_file))
        node_fail(&n, "items of a kernel that launches itself are a number or a generator");
    else if (json_is_array(n.value))
        read_list(c, &n, l);
    else if (is_generator)
        generate(c, &n, l);
    else if (is_file)
        read_file(c, &n, l);
    else if (n.value && !json_is_integer(n.value))
        node_fail(&n, "must be a whole number, a list of them, or an object with file or generator");
    else
        l->items_each = (uint32_t)get_int(level, "items", 0, UINT32_MAX);
}

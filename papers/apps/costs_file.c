/* gcast_app_costs_read: durations of the steps of applications, from gridcast.app-costs/1 (docs/formats.md). */
#include <string.h>
#include <strings.h>

#include "base/api.h"
#include "files/document.h"
#include "papers/apps/apps.h"

#define SCHEMA "gridcast.app-costs/1"

static void read_cost(const node *n, const char *key, int64_t min, int64_t *cost)
{
    *cost = get_int_or(n, key, min, GCAST_APP_MAX_NS, *cost);
}

/* Reads the costs of one application or benchmark; missing ones keep their values. */
static void read_entry(const node *n, gcast_app_costs *costs)
{
    static const char *const keys[] = {"parent_before_ns", "parent_item_ns", "child_thread_ns",
                                       "child_item_ns",    "round_ns",       NULL};
    if (!node_is_object(n))
        return;
    node_known(n, keys);
    read_cost(n, keys[0], 2, &costs->parent_before_ns);
    read_cost(n, keys[1], 0, &costs->parent_item_ns);
    read_cost(n, keys[2], 1, &costs->child_thread_ns);
    read_cost(n, keys[3], 0, &costs->child_item_ns);
    read_cost(n, keys[4], 0, &costs->round_ns);
}

/* The application of a benchmark such as BFS-graph500 is the part before the hyphen. */
static bool is_application_of(const char *name, const char *benchmark)
{
    size_t length = strcspn(benchmark, "-");
    return benchmark[length] && strlen(name) == length && strncasecmp(name, benchmark, length) == 0;
}

static void read_entries(const node *n, const char *name, gcast_app_costs *costs)
{
    const char *key;
    json_t *value;
    gcast_app_costs of_application = *costs;
    if (!node_is_object(n))
        return;
    json_object_foreach(n->value, key, value)
    {
        node entry = node_key(n, key);
        gcast_app_costs others = gcast_app_costs_default();
        read_entry(&entry, is_application_of(key, name) ? &of_application : &others);
    }
    *costs = of_application;
    json_object_foreach(n->value, key, value)
    {
        node entry = node_key(n, key);
        if (strcasecmp(key, name) == 0)
            read_entry(&entry, costs);
    }
}

gcast_status gcast_app_costs_read(const char *text, size_t size, const char *file, const char *benchmark_or_app,
                                  gcast_app_costs *costs, gcast_error *err)
{
    if (!text || !costs)
        return argument_missing(err);
    static const char *const keys[] = {"schema", "gpu", "costs", NULL};
    document doc;
    gcast_app_costs found = *costs;
    gcast_status status = document_open(&doc, text, size, file, err);
    if (status == GCAST_OK) {
        node root = document_root(&doc), schema = node_key(&root, "schema"), entries = node_key(&root, "costs");
        if (strcmp(node_text(&schema), SCHEMA) != 0)
            node_fail(&schema, "must be \"" SCHEMA "\"");
        node_known(&root, keys);
        get_text_or(&root, "gpu", "");
        if (doc.status == GCAST_OK)
            read_entries(&entries, benchmark_or_app, &found);
        status = doc.status;
    }
    document_close(&doc);
    if (status == GCAST_OK)
        *costs = found;
    return status;
}

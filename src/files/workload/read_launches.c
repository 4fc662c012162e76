#include "files/workload/read_launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "files/source.h"
#include "files/workload/launch_items.h"
#include "files/workload/native_reader.h"
#include "gridcast/read.h"
#include "model/workload/launching.h"
#include "model/workload/workload.h"

#define CHAIN_ENDLESS INT32_MAX
#define MAX_MADE ((uint64_t)1 << 24) /* limit of the launchers of generators and nested levels of a file */

#define X(id, name, text) name,
NAMES(launcher_names, GCAST_LAUNCHER_TABLE);
NAMES(wait_names, GCAST_CHILD_WAIT_TABLE);
#undef X

/* A level of launches that is being read, and the levels above it. */
typedef struct launch_chain {
    native_reader *r;
    const struct launch_chain *above; /* the level with the launch of this level's parent; NULL: a kernel of /ops */
    const json_t *launches;           /* the object that is read */
    const gcast_op *parent;           /* the kernel that launches */
    uint64_t launchers;               /* launchers of this level; unknown with is_form_only */
    int level;                        /* 0: launches of a kernel of /ops */
    int levels_left;   /* levels that may be read, including this one; CHAIN_ENDLESS: no depth is given */
    bool is_repeated;  /* the object is the same as that of a level above */
    bool is_form_only; /* an entry of /children by itself: only its keys and values are checked */
} launch_chain;

/* The child of a level: the value of the key `child`, or the entry of /children with this label. */
static node find_child(const launch_chain *c, const node *value)
{
    native_reader *r = c->r;
    const char *name = json_string_value(value->value);
    if (!name)
        return *value;
    uint64_t hash = index_hash_text(name);
    for (index_probe p = index_start(&r->names, hash); index_next(&r->names, &p);) {
        node child = node_item(&r->children, p.value);
        if (strcmp(json_string_value(json_object_get(child.value, "label")), name) == 0)
            return child;
    }
    node_fail(value, "/children has no %.100s", name);
    return *value;
}

/* The label of a child without one: its parent's, with an ending. */
static const char *default_label(const launch_chain *c)
{
    static const char ending[] = ".child";
    size_t length = strlen(c->parent->label);
    char *label = arena_alloc(&c->r->launches, length + sizeof ending);
    if (!label)
        return NULL;
    memcpy(label, c->parent->label, length);
    memcpy(label + length, ending, sizeof ending);
    return label;
}

/* Reads a child without its launches: the kernel, and the values in `l` about its items. NULL without memory. */
static gcast_op *read_child(const launch_chain *c, const node *child, gcast_launches *l)
{
    static const char *const keys[] = {
        "label",    "block",       "registers", "static_smem", "dynamic_smem",    "barriers", "body",
        "carveout", "duration_ns", "item_ns",   "launches",    "items_per_block", NULL};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    if (!node_is_object(child))
        return NULL;
    node_known(child, keys);
    op.label = node_key(child, "label").value ? get_name(child, "label") : default_label(c);
    native_shape(child, &op);
    op.shape.threads = (int)((int64_t)op.block[0] * op.block[1] * op.block[2]);
    native_duration(child, &op);
    if (!node_key(child, "duration_ns").value)
        node_fail(child, "duration_ns is missing: what a block takes without items");
    if (!node_key(child, "item_ns").value)
        node_fail(child, "item_ns is missing: what a thread takes for an item");
    l->child_item_ns = get_int(child, "item_ns", 0, WORKLOAD_MAX_NS);
    l->items_per_block = (uint32_t)get_int_or(child, "items_per_block", 1, UINT32_MAX, 0);
    gcast_op *copy = op.label ? arena_copy(&c->r->launches, &op, sizeof op) : NULL;
    if (!copy)
        node_fail_memory(child);
    return copy;
}

/* Counts launchers that need memory; an error if the file has too many. */
static void count_launchers(native_reader *r, const node *n, uint64_t launchers)
{
    if (!checked_add(r->launchers, launchers, &r->launchers) || r->launchers > MAX_MADE)
        node_fail(n,
                  "generators and nested levels of a file have at most %llu launchers in all; with this one there "
                  "are %s%llu",
                  (unsigned long long)MAX_MADE, r->launchers < launchers ? "more than " : "",
                  (unsigned long long)(r->launchers < launchers ? launchers : r->launchers));
}

/* Gives `l` an array for the items of so many launchers; NULL without memory. */
static uint32_t *new_items(const launch_chain *c, const node *n, uint64_t count, gcast_launches *l)
{
    uint32_t *items = arena_alloc_array(&c->r->launches, count, sizeof *items);
    if (!items)
        node_fail_memory(n);
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
        node_fail_memory(&at);
    else if (status != GCAST_OK)
        node_fail(&at, "%.120s%s: %.300s", name, place, err.message);
    uint32_t *items = list.count && status == GCAST_OK ? new_items(c, &at, list.count, l) : NULL;
    if (items)
        memcpy(items, list.at, list.count * sizeof *items);
    vec_free(&list);
    free(path);
}

/* The parameters of a generator. */
typedef struct generator {
    bool is_power_law;
    uint32_t min, max;         /* items of a launcher that has any */
    uint32_t percent;          /* percentage of the launchers that have items */
    uint32_t exponent_percent; /* exponent of a power law */
    uint64_t seed;             /* seed of the level */
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
    count_launchers(c->r, n, c->launchers);
    if (n->doc->status != GCAST_OK || c->launchers == 0)
        return;
    uint32_t *items = new_items(c, n, c->launchers, l);
    power_law *power = &c->r->power;
    if (items && g.is_power_law && !power_law_make(power, g.min, g.max, g.exponent_percent)) {
        node_fail_memory(n);
        return;
    }
    for (uint64_t i = 0; items && i < c->launchers; i++) {
        uint64_t draw = generator_draw(g.seed, 2 * i + 1);
        if (generator_holds(g.percent, generator_draw(g.seed, 2 * i)))
            items[i] = g.is_power_law ? power_law_draw(power, draw) : generator_uniform(g.min, g.max, draw);
    }
}

/* Reads `items` of a level, whose launchers are known: a number, a list, a file or a generator. */
static void read_items(const launch_chain *c, const node *level, gcast_launches *l)
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

static void read_policy(const node *level, gcast_launches *l)
{
    static const char *const names[] = {"always", "flat", "spawn", "predict", NULL};
    static const gcast_spawn_policy policies[] = {GCAST_SPAWN_ALWAYS, GCAST_SPAWN_FLAT, GCAST_SPAWN_SPAWN,
                                                  GCAST_SPAWN_PREDICT};
    static const char *const keys[] = {"threshold", NULL};
    node n = node_key(level, "policy");
    if (json_is_object(n.value)) {
        node_known(&n, keys);
        l->policy = GCAST_SPAWN_THRESHOLD;
        l->threshold = (uint32_t)get_int(&n, "threshold", 1, UINT32_MAX);
    } else if (n.value && (!json_is_string(n.value) || strcmp(json_string_value(n.value), "threshold") == 0)) {
        node_fail(&n, "must be always, flat, spawn, predict or {\"threshold\": ITEMS}");
    } else if (n.value) {
        l->policy = policies[node_choice(&n, names)];
    }
}

/* Refuses blocking streams. In CUDA, streams that a kernel creates have cudaStreamNonBlocking, the only flag there, and
 * the default stream of a block waits for no other stream. */
static void check_blocking(const node *level)
{
    node n = node_key(level, "blocking");
    if (n.value && node_bool(&n))
        node_fail(&n,
                  "must be false: streams of kernels are created with cudaStreamNonBlocking, and the default stream "
                  "of a block waits for no other");
}

static void read_stream(const node *level, gcast_launches *l)
{
    static const char *const names[] = {"child", "block", "in_turn", NULL};
    static const gcast_child_stream kinds[] = {GCAST_CHILD_STREAM_OWN, GCAST_CHILD_STREAM_BLOCK,
                                               GCAST_CHILD_STREAM_IN_TURN};
    node n = node_key(level, "stream"), streams = node_key(level, "streams");
    int64_t named = 0;
    if (json_is_integer(n.value)) {
        l->stream = GCAST_CHILD_STREAM_NAMED;
        named = node_int(&n, 0, INT64_MAX);
    } else if (n.value) {
        const char *name = json_string_value(n.value);
        size_t i = 0;
        while (names[i] && (!name || strcmp(names[i], name) != 0))
            i++;
        if (names[i])
            l->stream = kinds[i];
        else
            node_fail(&n, "must be child, block, in_turn or the number of a stream");
    }
    bool is_created = l->stream == GCAST_CHILD_STREAM_NAMED || l->stream == GCAST_CHILD_STREAM_IN_TURN;
    if (!is_created && streams.value)
        node_fail(&streams, "\"streams\" needs the stream in_turn or the number of a stream");
    if (is_created && !streams.value)
        node_fail(&n, "streams is missing: how many the kernel creates");
    if (is_created)
        l->streams = (uint32_t)get_int(level, "streams", 1, GCAST_MAX_CHILD_STREAMS);
    if (l->stream == GCAST_CHILD_STREAM_NAMED && named >= l->streams)
        node_fail(&n, "there is no stream %lld: the kernel creates %u, from 0 on", (long long)named, l->streams);
    l->named = (uint32_t)named;
    check_blocking(level);
}

/* The duration of the kernel's shortest block. */
static int64_t shortest_ns(const gcast_op *op)
{
    int64_t shortest = op->min_ns;
    uint64_t blocks = (uint64_t)op->grid[0] * op->grid[1] * op->grid[2];
    for (uint64_t b = 0; op->block_ns && b < blocks; b++)
        shortest = b ? min_i64(shortest, op->block_ns[b]) : op->block_ns[b];
    return shortest;
}

static void read_times(const launch_chain *c, const node *level, gcast_launches *l)
{
    node at = node_key(level, "at_ns");
    int64_t shortest = shortest_ns(c->parent);
    if (shortest == GCAST_UNKNOWN_NS)
        node_fail(level, "a kernel that launches needs duration_ns or block_ns");
    else if (shortest < 2)
        node_fail(level, "a block that launches takes at least 2 ns, not %lld", (long long)shortest);
    l->at_ns = get_int_or(level, "at_ns", 0, INT64_MAX, shortest - 1);
    if (l->at_ns < 1 || l->at_ns >= shortest)
        node_fail(&at, "must be before the end of the shortest block: from 1 to %lld, not %lld",
                  (long long)shortest - 1, (long long)l->at_ns);
    if (!node_key(level, "item_ns").value)
        node_fail(level, "item_ns is missing: what a launcher takes for an item that it does itself");
    l->item_ns = get_int(level, "item_ns", 0, WORKLOAD_MAX_NS);
    l->wait = (gcast_child_wait)native_choice(level, "wait", wait_names, GCAST_CHILD_WAIT_NONE);
    node after = node_key(level, "after_ns");
    l->after_ns = get_int_or(level, "after_ns", 0, WORKLOAD_MAX_NS, 0);
    if (l->after_ns && l->wait != GCAST_CHILD_WAIT_BLOCK)
        node_fail(&after, "needs \"wait\": \"block\": it is the work of a block after it has waited");
}

/* The items of all launchers of a level. */
static uint64_t total_items(const launch_chain *c, const gcast_launches *l)
{
    uint64_t total = 0;
    if (!l->items)
        return checked_mul(c->launchers, (uint64_t)l->items_each, &total) ? total : UINT64_MAX;
    for (uint64_t i = 0; i < l->item_count; i++)
        total += l->items[i];
    return total;
}

static void check_total(const node *level, uint64_t total)
{
    node items = node_key(level, "items");
    if (total == UINT64_MAX)
        node_fail(&items, "the launchers of a level have at most %llu items in all; here are 2^64 or more",
                  (unsigned long long)GCAST_MAX_CHILDREN);
    else if (total > GCAST_MAX_CHILDREN)
        node_fail(&items, "the launchers of a level have at most %llu items in all; here are %llu",
                  (unsigned long long)GCAST_MAX_CHILDREN, (unsigned long long)total);
}

/* Does this level, or one below, have different items for its launchers? Then their times need memory. */
static bool has_lists(const gcast_launches *l)
{
    while (l && !l->items)
        l = l->child->launches;
    return l;
}

static bool is_repeated(const launch_chain *above, const json_t *launches)
{
    while (above && above->launches != launches)
        above = above->above;
    return above;
}

/* The number of levels that may be read, including this one. */
static int read_depth(const node *level, int levels_left)
{
    int depth = (int)get_int_or(level, "depth", 1, GCAST_MAX_DEPTH, CHAIN_ENDLESS);
    return min_int(depth, levels_left);
}

static const gcast_launches *read_level(launch_chain *c, const node *n);

/* Reads the launches of a child, the level below. The depth of the file, or `depth` if children launch themselves,
 * bounds this recursion. */
static const gcast_launches *read_below(const launch_chain *c, const node *child, const gcast_op *op, uint64_t items)
{
    node n = node_key(child, "launches");
    if (!n.value || n.doc->status != GCAST_OK)
        return NULL;
    if (c->levels_left == 1)
        return NULL;
    if (c->level + 1 == GCAST_MAX_DEPTH)
        node_fail(&n, "kernels launch kernels at most %d levels deep", GCAST_MAX_DEPTH);
    bool is_again = is_repeated(c, n.value);
    if (is_again && c->levels_left == CHAIN_ENDLESS)
        node_fail(&n, "%.100s launches itself forever: give \"depth\"", op->label);
    if (n.doc->status != GCAST_OK)
        return NULL;
    launch_chain below = {.r = c->r,
                          .above = c,
                          .launches = n.value,
                          .parent = op,
                          .launchers = items,
                          .level = c->level + 1,
                          .levels_left = c->levels_left == CHAIN_ENDLESS ? CHAIN_ENDLESS : c->levels_left - 1,
                          .is_repeated = is_again,
                          .is_form_only = c->is_form_only};
    return read_level(&below, &n);
}

/* NULL after an error. */
static const gcast_launches *read_level(launch_chain *c, const node *n)
{
    static const char *const keys[] = {"by",      "at_ns",    "items", "min_items", "item_ns", "policy", "stream",
                                       "streams", "blocking", "wait",  "after_ns",  "child",   "depth",  NULL};
    gcast_launches l = gcast_launches_default();
    if (!node_is_object(n))
        return NULL;
    node_known(n, keys);
    c->levels_left = read_depth(n, c->levels_left);
    l.by = (gcast_launcher)native_choice(n, "by", launcher_names, GCAST_LAUNCHER_THREAD);
    node by = node_key(n, "by"), child = node_key(n, "child");
    if (c->above && l.by != GCAST_LAUNCHER_THREAD)
        node_fail(&by, "must be thread in a child: each of its threads launches for one item");
    read_times(c, n, &l);
    read_policy(n, &l);
    read_stream(n, &l);
    l.min_items = (uint32_t)get_int_or(n, "min_items", 1, UINT32_MAX, 1);
    if (n->doc->status == GCAST_OK && !c->above && !c->is_form_only) {
        uint64_t blocks = (uint64_t)c->parent->grid[0] * c->parent->grid[1] * c->parent->grid[2];
        uint32_t each = launches_per_block(&l, c->parent->shape.threads);
        if (!checked_mul(blocks, (uint64_t)each, &c->launchers))
            c->launchers = UINT64_MAX;
    }
    if (n->doc->status == GCAST_OK)
        read_items(c, n, &l);
    uint64_t total = c->is_form_only || n->doc->status != GCAST_OK ? 0 : total_items(c, &l);
    check_total(n, total);
    if (n->doc->status == GCAST_OK && !child.value)
        node_fail(n, "child is missing");
    if (n->doc->status != GCAST_OK)
        return NULL;
    child = find_child(c, &child);
    gcast_op *op = n->doc->status == GCAST_OK ? read_child(c, &child, &l) : NULL;
    bool is_named = child.up == &c->r->children;
    if (op && !(c->is_form_only && is_named))
        op->launches = read_below(c, &child, op, total);
    l.child = op;
    if (n->doc->status == GCAST_OK && c->above && !c->is_form_only && has_lists(&l))
        count_launchers(c->r, n, c->launchers);
    const gcast_launches *copy = n->doc->status == GCAST_OK ? arena_copy(&c->r->launches, &l, sizeof l) : NULL;
    if (!copy && n->doc->status == GCAST_OK)
        node_fail_memory(n);
    return copy;
}

void native_launches(native_reader *r, const node *kernel, gcast_op *op)
{
    node n = node_key(kernel, "launches");
    if (!n.value || n.doc->status != GCAST_OK)
        return;
    launch_chain c = {.r = r, .launches = n.value, .parent = op, .levels_left = CHAIN_ENDLESS};
    op->shape.threads = (int)((int64_t)op->block[0] * op->block[1] * op->block[2]);
    op->launches = read_level(&c, &n);
}

/* Checks keys and values of an entry of /children, and makes its label known. */
static void read_named(native_reader *r, size_t i)
{
    node n = node_item(&r->children, i);
    gcast_op none = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_launches unused = gcast_launches_default();
    launch_chain c = {.r = r, .parent = &none, .levels_left = CHAIN_ENDLESS, .is_form_only = true};
    gcast_op *op = read_child(&c, &n, &unused);
    const char *label = op && r->doc.status == GCAST_OK ? get_name(&n, "label") : "";
    uint64_t hash = index_hash_text(label);
    for (index_probe p = index_start(&r->names, hash); index_next(&r->names, &p);) {
        node at = node_key(&n, "label");
        if (strcmp(json_string_value(json_object_get(json_array_get(r->children.value, p.value), "label")), label) == 0)
            node_fail(&at, "two children have the label %.100s", label);
    }
    if (r->doc.status == GCAST_OK && !index_add(&r->names, hash, (uint32_t)i))
        node_fail_memory(&n);
    arena_free(&r->launches);
}

/* Checks the launches of an entry of /children. */
static void read_named_launches(native_reader *r, size_t i)
{
    node n = node_item(&r->children, i), launches = node_key(&n, "launches");
    gcast_op none = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_launches unused = gcast_launches_default();
    launch_chain c = {.r = r, .parent = &none, .levels_left = CHAIN_ENDLESS, .is_form_only = true};
    if (!launches.value)
        return;
    launch_chain below = {.r = r, .above = &c, .launches = launches.value, .levels_left = CHAIN_ENDLESS};
    below.is_form_only = true;
    below.parent = read_child(&c, &n, &unused);
    if (below.parent)
        read_level(&below, &launches);
    arena_free(&r->launches);
}

void native_children(native_reader *r)
{
    r->children = node_key(&r->root, "children");
    size_t count = r->children.value ? node_count(&r->children) : 0;
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++)
        read_named(r, i);
    for (size_t i = 0; i < count && r->doc.status == GCAST_OK; i++)
        read_named_launches(r, i);
}

#include "files/workload/launches/read_launches.h"

#include <string.h>

#include "base/checked.h"
#include "base/minmax.h"
#include "files/workload/json_kernel.h"
#include "files/workload/launches/read_child.h"
#include "files/workload/launches/read_items.h"
#include "model/workload/edit.h"
#include "model/workload/launching.h"

#define NAMES(list, table) static const char *const list[] = {table(X) NULL}
#define X(id, name, text) name,
NAMES(launchers, GCAST_LAUNCHER_TABLE);
NAMES(waits, GCAST_CHILD_WAIT_TABLE);
#undef X

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

/* As in CUDA: streams that a kernel creates have cudaStreamNonBlocking, the only flag there, and the default stream of
 * a block waits for no other stream. */
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
        node_fail(&streams, "streams that the kernel creates are for the stream in_turn, or the number of one");
    if (is_created && !streams.value)
        node_fail(&n, "streams is missing: how many the kernel creates");
    if (is_created)
        l->streams = (uint32_t)get_int(level, "streams", 1, GCAST_MAX_CHILD_STREAMS);
    if (l->stream == GCAST_CHILD_STREAM_NAMED && named >= l->streams)
        node_fail(&n, "there is no stream %lld: the kernel creates %u, from 0 on", (long long)named, l->streams);
    l->named = (uint32_t)named;
    check_blocking(level);
}

/* The duration of the kernel's shortest block; blocks with durations of their own are those of `block_ns`. */
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
    l->wait = (gcast_child_wait)native_choice(level, "wait", waits, GCAST_CHILD_WAIT_NONE);
    node after = node_key(level, "after_ns");
    l->after_ns = get_int_or(level, "after_ns", 0, WORKLOAD_MAX_NS, 0);
    if (l->after_ns && l->wait != GCAST_CHILD_WAIT_BLOCK)
        node_fail(&after, "is what a block does after it has waited: it needs \"wait\": \"block\"");
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

/* Do launchers of a level, or of one below, differ in what they take? Then there are sums of their times. */
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

/* How many levels may be read, this one included. */
static int read_depth(const node *level, int levels_left)
{
    int depth = (int)get_int_or(level, "depth", 1, GCAST_MAX_DEPTH, CHAIN_ENDLESS);
    return min_int(depth, levels_left);
}

static const gcast_launches *read_level(launch_chain *c, const node *n);

/* What a child launches: the level below. This recursion follows that of the file, and of children that launch
 * themselves up to their depth. */
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
        node_fail(&n, "%.100s launches itself without end: give depth", op->label);
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

/* NULL and an error where it cannot be read. */
static const gcast_launches *read_level(launch_chain *c, const node *n)
{
    static const char *const keys[] = {"by",      "at_ns",    "items", "min_items", "item_ns", "policy", "stream",
                                       "streams", "blocking", "wait",  "after_ns",  "child",   "depth",  NULL};
    gcast_launches l = gcast_launches_default();
    if (!node_is_object(n))
        return NULL;
    node_known(n, keys);
    c->levels_left = read_depth(n, c->levels_left);
    l.by = (gcast_launcher)native_choice(n, "by", launchers, GCAST_LAUNCHER_THREAD);
    node by = node_key(n, "by"), child = node_key(n, "child");
    if (c->above && l.by != GCAST_LAUNCHER_THREAD)
        node_fail(&by, "must be thread in a child: its threads launch, each with the items of one item");
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
        native_items(c, n, &l);
    uint64_t total = c->is_form_only || n->doc->status != GCAST_OK ? 0 : total_items(c, &l);
    check_total(n, total);
    if (n->doc->status == GCAST_OK && !child.value)
        node_fail(n, "child is missing");
    if (n->doc->status != GCAST_OK)
        return NULL;
    child = native_child_node(c, &child);
    gcast_op *op = n->doc->status == GCAST_OK ? native_child(c, &child, &l) : NULL;
    bool is_named = child.up == &c->r->children;
    if (op && !(c->is_form_only && is_named))
        op->launches = read_below(c, &child, op, total);
    l.child = op;
    if (n->doc->status == GCAST_OK && c->above && !c->is_form_only && has_lists(&l))
        native_count_launchers(c->r, n, c->launchers);
    const gcast_launches *copy = n->doc->status == GCAST_OK ? arena_copy(&c->r->launches, &l, sizeof l) : NULL;
    if (!copy && n->doc->status == GCAST_OK)
        node_fail_as(n, gcast_error_set_memory(n->doc->err));
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

/* Gives a child its name, and checks its keys and values, whoever launches it. */
static void read_named(native_reader *r, size_t i)
{
    node n = node_item(&r->children, i);
    gcast_op none = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_launches unused = gcast_launches_default();
    launch_chain c = {.r = r, .parent = &none, .levels_left = CHAIN_ENDLESS, .is_form_only = true};
    gcast_op *op = native_child(&c, &n, &unused);
    const char *label = op && r->doc.status == GCAST_OK ? get_name(&n, "label") : "";
    uint64_t hash = index_hash_text(label);
    for (index_probe p = index_start(&r->names, hash); index_next(&r->names, &p);) {
        node at = node_key(&n, "label");
        if (strcmp(json_string_value(json_object_get(json_array_get(r->children.value, p.value), "label")), label) == 0)
            node_fail(&at, "the label %.100s is there twice", label);
    }
    if (r->doc.status == GCAST_OK && !index_add(&r->names, hash, (uint32_t)i))
        node_fail_as(&n, gcast_error_set_memory(r->doc.err));
    arena_free(&r->launches);
}

/* What a named child launches. */
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
    below.parent = native_child(&c, &n, &unused);
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

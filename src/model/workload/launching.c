#include "model/workload/launching.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"

#define MAX_CHILDREN 1000000 /* kernels that kernels of a workload launch */

/* Sums and products saturate, so that a check can see that they do not fit. */
static uint64_t add_u64(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return checked_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t mul_u64(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_mul(a, b, &product) ? product : UINT64_MAX;
}

static int64_t add_ns(int64_t a, int64_t b)
{
    int64_t sum;
    return checked_add(a, b, &sum) && sum <= WORKLOAD_MAX_NS ? sum : WORKLOAD_MAX_NS;
}

static int64_t mul_ns(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) && product <= WORKLOAD_MAX_NS ? product : WORKLOAD_MAX_NS;
}

/* Nested level: the time of the launchers before this one. */
static int64_t loop_before_ns(const gcast_launches *l, uint64_t launcher)
{
    if (l->loop_sum_ns)
        return l->loop_sum_ns[min_u64(launcher, l->launchers)];
    return mul_ns((int64_t)min_u64(launcher, INT64_MAX), l->loop_each_ns);
}

int64_t launches_loop_ns(const gcast_launches *l, uint64_t launcher)
{
    uint32_t items = launches_items(l, launcher);
    int64_t own = mul_ns(items, l->item_ns);
    const gcast_launches *below = l->child->launches;
    if (!below || items == 0)
        return own;
    uint64_t first = launches_first_item(l, launcher);
    int64_t before = loop_before_ns(below, first), after = loop_before_ns(below, first + items);
    return after >= WORKLOAD_MAX_NS ? WORKLOAD_MAX_NS : add_ns(own, after - before);
}

/* Nested level: the time of all its launchers; WORKLOAD_MAX_NS: that long, or longer. */
static int64_t launches_all_loops_ns(const gcast_launches *l)
{
    return loop_before_ns(l, l->launchers);
}

/* Are both children the same kernel? */
static bool is_same_child(const gcast_op *a, const gcast_op *b)
{
    return strcmp(a->label, b->label) == 0 && a->stream == b->stream && a->mask == b->mask && a->task == b->task &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && memcmp(&a->shape, &b->shape, sizeof a->shape) == 0 &&
           a->body == b->body && a->carveout == b->carveout && a->carveout_given == b->carveout_given &&
           a->registers_given == b->registers_given && a->min_ns == b->min_ns && a->max_ns == b->max_ns &&
           !a->launches && !b->launches;
}

/* Sums up all items of a level, and those before each launcher where children launch too. False without memory. */
static bool sum_items(owned_workload *o, gcast_launches *l)
{
    uint64_t count = min_u64(l->launchers, l->item_count);
    l->total_items = 0;
    if (!l->items) {
        l->total_items = mul_u64(l->launchers, l->items_each);
    } else {
        for (uint64_t i = 0; i < count; i++)
            l->total_items = add_u64(l->total_items, l->items[i]);
    }
    if (l->items && l->child->launches) {
        uint64_t *first = arena_alloc_array(&o->memory, l->item_count + 1, sizeof *first);
        for (uint64_t i = 0; first && i < l->item_count; i++)
            first[i + 1] = first[i] + l->items[i];
        l->first_item = first;
        return first != NULL;
    }
    return true;
}

/* Sums up the times of a nested level; levels below are done. False without memory. */
static bool sum_loops(owned_workload *o, gcast_launches *l)
{
    const gcast_launches *below = l->child->launches;
    if (!l->items && (!below || !below->loop_sum_ns)) {
        l->loop_each_ns = l->launchers ? launches_loop_ns(l, 0) : 0;
        return true;
    }
    if (l->launchers > GCAST_MAX_LAUNCHERS)
        return true; /* refused by the check */
    int64_t *sum = arena_alloc_array(&o->memory, l->launchers + 1, sizeof *sum);
    for (uint64_t i = 0; sum && i < l->launchers; i++)
        sum[i + 1] = add_ns(sum[i], launches_loop_ns(l, i));
    l->loop_sum_ns = sum;
    return sum != NULL;
}

/* A property of the kernel that only a kernel called by the host can have; NULL: it has none. */
static const char *not_of_child(const gcast_op *c)
{
    if (c->kind != GCAST_KIND_KERNEL)
        return "another kind than kernel";
    if (c->policy != GCAST_POLICY_HARDWARE || c->plan || c->fill)
        return "a plan";
    if (c->after_count || c->waits_for_count || c->ports)
        return "operations that it is after, or waits for";
    if (c->cluster[0] > 1 || c->cluster[1] > 1 || c->cluster[2] > 1)
        return "clusters";
    if (c->cooperative || c->programmatic || c->trigger_ns != GCAST_NEVER || c->wait_ns != GCAST_NEVER)
        return "attributes: cooperative, programmatic, a trigger or a wait";
    return c->graph != GCAST_NO_GRAPH ? "a graph" : NULL;
}

gcast_status launches_check_given(const gcast_op *op, gcast_error *err)
{
    const gcast_launches *l = op->launches;
    for (int depth = 0; l && l->child && depth < GCAST_MAX_DEPTH; l = l->child->launches, depth++) {
        const char *odd = not_of_child(l->child);
        if (odd)
            return gcast_error_set(err, GCAST_USAGE, NULL, "a kernel that a kernel launches has %s: it cannot", odd);
    }
    return GCAST_OK;
}

/* The child of a launch as a kernel of the workload; it has the stream, task and mask of its parent. */
static gcast_op *copy_child(owned_workload *o, const gcast_op *parent, const gcast_op *given)
{
    gcast_op own = gcast_op_default(GCAST_KIND_KERNEL);
    memcpy(own.block, given->block, sizeof own.block);
    own.shape = given->shape;
    own.shape.threads = (int)min_u64(mul_u64(mul_u64(own.block[0], own.block[1]), own.block[2]), INT32_MAX);
    own.body = given->body;
    own.carveout = given->carveout;
    own.carveout_given = given->carveout_given;
    own.registers_given = given->registers_given;
    own.min_ns = given->min_ns;
    own.max_ns = given->max_ns;
    own.launches = given->launches;
    own.blocks = 1;
    own.stream = parent->stream;
    own.task = parent->task;
    own.mask = parent->mask;
    own.label = arena_strdup(&o->memory, given->label ? given->label : "");
    return own.label ? arena_copy(&o->memory, &own, sizeof own) : NULL;
}

/* Adds the child to the workload, unless it is the same as the child added last, as with several launches of a kernel.
 */
static bool add_child(owned_workload *o, gcast_launches *l)
{
    size_t count = o->children.count;
    bool is_there = count && is_same_child(&o->children.at[count - 1], l->child);
    l->child_index = (int)(is_there ? count - 1 : count);
    return is_there || (count < MAX_CHILDREN && vec_push(&o->children, *l->child));
}

/* Copies the launches of `parent` and the levels below; NULL without memory. What cannot be copied for its size is left
 * out, and the check refuses it: a level too deep, too many launchers. `launchers`: of the level. */
static const gcast_launches *copy_level(owned_workload *o, const gcast_op *parent, uint64_t launchers, int depth)
{
    gcast_launches *l = arena_copy(&o->memory, parent->launches, sizeof *l);
    if (!l)
        return NULL;
    l->child_index = -1;
    l->launchers = launchers;
    l->first_item = NULL;
    l->loop_sum_ns = NULL;
    l->loop_each_ns = 0;
    if (!l->child)
        return l;
    gcast_op *child = copy_child(o, parent, l->child);
    if (!child)
        return NULL;
    l->child = child;
    if (!l->items || l->item_count > GCAST_MAX_LAUNCHERS)
        l->items = NULL;
    else if (!(l->items = arena_copy(&o->memory, l->items, l->item_count * sizeof *l->items)))
        return NULL;
    if (!sum_items(o, l))
        return NULL;
    if (child->launches && depth + 1 == GCAST_MAX_DEPTH) {
        child->launches = NULL;
        l->child_index = LAUNCHES_TOO_DEEP;
        return l;
    }
    if (l->total_items > GCAST_MAX_CHILDREN)
        child->launches = NULL;
    else if (child->launches && !(child->launches = copy_level(o, child, l->total_items, depth + 1)))
        return NULL;
    return (depth == 0 || sum_loops(o, l)) && add_child(o, l) ? l : NULL;
}

bool launches_copy(owned_workload *o, gcast_op *op)
{
    if (!op->launches)
        return true;
    uint32_t each = launches_per_block(op->launches, op->shape.threads);
    op->launches = copy_level(o, op, mul_u64(op->blocks, each), 0);
    return op->launches != NULL;
}

/* Launches are checked level by level. */

#define PATH_SIZE sizeof((gcast_error *)NULL)->path

typedef struct level {
    const gcast_workload *w; /* the workload */
    size_t op;               /* the op at the top */
    int depth;               /* 0: what the op itself launches */
    const gcast_op *parent;  /* the kernel that launches */
    const gcast_launches *l; /* its launches */
    gcast_error *err;        /* filled in where they are refused */
} level;

static gcast_status fail_at(const level *v, const char *key, const char *format, ...) GCAST_PRINTF(3, 4);

static gcast_status fail_at(const level *v, const char *key, const char *format, ...)
{
    char path[PATH_SIZE], message[sizeof v->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gcast_workload_op_path(v->w, v->op, path, sizeof path);
    for (int i = 0; i <= v->depth; i++) {
        size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "%s", i ? "/child/launches" : "/launches");
    }
    size_t length = strlen(path);
    snprintf(path + length, sizeof path - length, "%s", key);
    return gcast_error_set(v->err, GCAST_INPUT, path, "%s", message);
}

static bool is_time(int64_t ns, int64_t least)
{
    return ns >= least && ns <= WORKLOAD_MAX_NS;
}

static gcast_status check_child(const level *v)
{
    const gcast_op *child = v->l->child;
    if (child->block[0] == 0 || child->block[1] == 0 || child->block[2] == 0 || child->shape.threads == INT32_MAX)
        return fail_at(v, "/child/block", "the number of threads must be at least 1");
    if (child->block[2] > 64)
        return fail_at(v, "/child/block", "a block is at most 1024 x 1024 x 64 threads");
    if (child->shape.registers < 0)
        return fail_at(v, "/child/registers", "must not be negative");
    if (child->shape.static_smem < 0 || child->shape.static_smem > INT32_MAX)
        return fail_at(v, "/child/static_smem", "must be from 0 to 2147483647");
    if (child->shape.dynamic_smem < 0 || child->shape.dynamic_smem > INT32_MAX)
        return fail_at(v, "/child/dynamic_smem", "must be from 0 to 2147483647");
    if (child->shape.barriers < 0)
        return fail_at(v, "/child/barriers", "must not be negative");
    if ((unsigned)child->body >= GCAST_BODIES)
        return fail_at(v, "/child/body", "must be spin or timer_spin");
    if ((unsigned)child->carveout >= GCAST_OP_CARVEOUTS)
        return fail_at(v, "/child/carveout", "must be most or driver");
    if (child->min_ns < 1 || child->max_ns < child->min_ns || child->max_ns > WORKLOAD_MAX_NS)
        return fail_at(v, "/child/duration_ns", "must be from 1 to 2^61 - 1, the smaller end first");
    if (!is_time(v->l->child_item_ns, 0))
        return fail_at(v, "/child/item_ns", "must be from 0 to 2^61 - 1");
    return GCAST_OK;
}

static gcast_status check_stream(const level *v)
{
    const gcast_launches *l = v->l;
    bool is_created = l->stream == GCAST_CHILD_STREAM_NAMED || l->stream == GCAST_CHILD_STREAM_IN_TURN;
    if ((unsigned)l->stream >= GCAST_CHILD_STREAMS)
        return fail_at(v, "/stream", "must be child, block, in_turn or the number of a stream");
    if (l->streams > GCAST_MAX_CHILD_STREAMS)
        return fail_at(v, "/streams", "must be from 0 to %d, not %u", GCAST_MAX_CHILD_STREAMS, l->streams);
    if (is_created && l->streams == 0)
        return fail_at(v, "/streams", "the kernel creates no streams");
    if (!is_created && l->streams)
        return fail_at(v, "/streams", "\"streams\" needs the stream in_turn or the number of a stream");
    if (l->stream == GCAST_CHILD_STREAM_NAMED && l->named >= l->streams)
        return fail_at(v, "/stream", "there is no stream %u: the kernel creates %u, from 0 on", l->named, l->streams);
    return GCAST_OK;
}

static gcast_status check_items(const level *v)
{
    const gcast_launches *l = v->l;
    if (l->item_count > GCAST_MAX_LAUNCHERS)
        return fail_at(v, "/items", "at most %llu launchers may have items of their own, not %llu",
                       (unsigned long long)GCAST_MAX_LAUNCHERS, (unsigned long long)l->item_count);
    if (l->items && l->item_count > l->launchers)
        return fail_at(v, "/items", "%llu numbers for %llu launchers", (unsigned long long)l->item_count,
                       (unsigned long long)l->launchers);
    if (l->total_items == UINT64_MAX)
        return fail_at(v, "/items", "the launchers of a level have at most %llu items in all; here are 2^64 or more",
                       (unsigned long long)GCAST_MAX_CHILDREN);
    if (l->total_items > GCAST_MAX_CHILDREN)
        return fail_at(v, "/items", "the launchers of a level have at most %llu items in all; here are %llu",
                       (unsigned long long)GCAST_MAX_CHILDREN, (unsigned long long)l->total_items);
    if (v->depth && l->launchers > GCAST_MAX_LAUNCHERS && (l->items || l->child->launches))
        return fail_at(v, "/items", "a nested level has at most %llu launchers; here are %llu",
                       (unsigned long long)GCAST_MAX_LAUNCHERS, (unsigned long long)l->launchers);
    if (l->min_items < 1)
        return fail_at(v, "/min_items", "must be at least 1");
    if (l->policy == GCAST_SPAWN_THRESHOLD && l->threshold < 1)
        return fail_at(v, "/policy/threshold", "must be at least 1");
    return GCAST_OK;
}

/* The most items of a launcher. */
static uint32_t most_items(const gcast_launches *l)
{
    uint64_t count = min_u64(l->launchers, l->item_count);
    uint32_t most = l->items || !l->launchers ? 0 : l->items_each;
    for (uint64_t i = 0; l->items && i < count; i++)
        most = l->items[i] > most ? l->items[i] : most;
    return most;
}

/* Children obey the GPU's limit of a grid in x: they have no other dimension. */
static gcast_status check_grid(const level *v)
{
    uint32_t items = most_items(v->l), blocks = items ? launches_child_blocks(v->l, items) : 0;
    if (blocks <= INT32_MAX)
        return GCAST_OK;
    return fail_at(v, "/items", "a child of %u items has %u blocks; a grid is at most 2147483647 blocks in x", items,
                   blocks);
}

/* Does a launcher that does all its items itself take a time that can be counted? Levels that nest are summed up over
 * all their launchers, so the sum has to fit too. */
static gcast_status check_loops(const level *v)
{
    const gcast_launches *l = v->l, *below = l->child->launches;
    bool is_alike = !l->items && (!below || !below->loop_sum_ns); /* all launchers take equally long */
    uint64_t count = is_alike ? min_u64(l->launchers, 1) : l->items ? l->item_count : l->items_each ? l->launchers : 0;
    if (below && launches_all_loops_ns(below) >= WORKLOAD_MAX_NS)
        return fail_at(v, "/child/launches/item_ns", "the launchers of this level take 2^61 ns or more for all items");
    for (uint64_t i = 0; i < count; i++)
        if (launches_loop_ns(l, i) >= WORKLOAD_MAX_NS)
            return fail_at(v, "/item_ns", "launcher %llu takes 2^61 ns or more for its %u items", (unsigned long long)i,
                           launches_items(l, i));
    return GCAST_OK;
}

static gcast_status check_level(const level *v)
{
    const gcast_launches *l = v->l;
    gcast_status status;
    if (!l->child)
        return fail_at(v, "/child", "is missing");
    if (l->child_index == LAUNCHES_TOO_DEEP)
        return fail_at(v, "/child/launches", "kernels launch kernels at most %d levels deep", GCAST_MAX_DEPTH);
    if ((unsigned)l->by >= GCAST_LAUNCHERS)
        return fail_at(v, "/by", "must be thread, warp or block");
    if (v->depth && l->by != GCAST_LAUNCHER_THREAD)
        return fail_at(v, "/by", "must be thread in a child: each of its threads launches for one item");
    if ((unsigned)l->policy >= GCAST_SPAWN_POLICIES)
        return fail_at(v, "/policy", "must be always, flat, threshold, spawn or predict");
    if ((unsigned)l->wait >= GCAST_CHILD_WAITS)
        return fail_at(v, "/wait", "must be none, block or tail");
    if (!is_time(l->at_ns, 1))
        return fail_at(v, "/at_ns", "must be from 1 to 2^61 - 1");
    int64_t shortest = workload_shortest_block(v->parent);
    if (shortest < 2)
        return fail_at(v, "", "a block that launches takes at least 2 ns");
    if (l->at_ns >= shortest)
        return fail_at(v, "/at_ns", "must be before the end of the shortest block: from 1 to %lld, not %lld",
                       (long long)shortest - 1, (long long)l->at_ns);
    if (!is_time(l->item_ns, 0))
        return fail_at(v, "/item_ns", "must be from 0 to 2^61 - 1");
    if (!is_time(l->after_ns, 0) || (l->after_ns && l->wait != GCAST_CHILD_WAIT_BLOCK))
        return fail_at(
            v, "/after_ns",
            "must be from 0 to 2^61 - 1, and needs wait block: it is the work of a block after it has waited");
    if ((status = check_stream(v)) != GCAST_OK || (status = check_child(v)) != GCAST_OK ||
        (status = check_items(v)) != GCAST_OK || (status = check_grid(v)) != GCAST_OK)
        return status;
    int64_t each = div_up(launches_items_per_block(l), l->child->shape.threads);
    if (each && l->child_item_ns > (WORKLOAD_MAX_NS - l->child->max_ns) / each)
        return fail_at(v, "/child/item_ns", "a block with %u items takes 2^61 ns or more", launches_items_per_block(l));
    if (l->child->launches && launches_items_per_block(l) > (uint32_t)l->child->shape.threads)
        return fail_at(v, "/child/items_per_block",
                       "must be from 1 to %d, the threads of its block: threads that launch have one item each",
                       l->child->shape.threads);
    return check_loops(v);
}

gcast_status launches_check(const gcast_workload *w, size_t op, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    level v = {.w = w, .op = op, .parent = &w->ops[op], .l = w->ops[op].launches, .err = err};
    if (v.l && v.parent->policy != GCAST_POLICY_HARDWARE)
        return fail_at(&v, "", "a kernel with a plan launches no kernels");
    for (; v.l && (status = check_level(&v)) == GCAST_OK; v.l = v.parent->launches, v.depth++)
        v.parent = v.l->child;
    return status;
}

gcast_status launches_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    const gcast_limits *limits = &gpu->limits;
    bool has_launches = limits->cc_major > 3 || (limits->cc_major == 3 && limits->cc_minor >= 5);
    for (size_t i = 0; i < w->op_count; i++) {
        level v = {.w = w, .op = i, .parent = &w->ops[i], .l = w->ops[i].launches, .err = err};
        if (v.l && !has_launches)
            return fail_at(&v, "",
                           "launches of kernels by kernels need compute capability 3.5 or newer; %.100s has %d.%d",
                           gpu->name, limits->cc_major, limits->cc_minor);
        for (; v.l; v.parent = v.l->child, v.l = v.parent->launches, v.depth++)
            if (v.l->wait == GCAST_CHILD_WAIT_BLOCK && !gpu->child_sync)
                return fail_at(&v, "/wait", "blocks of %.100s cannot wait for their children (CDP2): use tail",
                               gpu->name);
    }
    return GCAST_OK;
}

gcast_status launches_refuse(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    for (size_t i = 0; i < w->op_count; i++) {
        level v = {.w = w, .op = i, .parent = &w->ops[i], .l = w->ops[i].launches, .err = err};
        if (v.l)
            return fail_at(&v, "", "%.100s launches kernels: %s", w->ops[i].label, refusal);
    }
    return GCAST_OK;
}

#include "model/workload/launching.h"

#include <string.h>

#include "base/checked.h"
#include "model/workload/edit.h"

#define MAX_CHILDREN 1000000 /* kernels that kernels of a workload launch */

/* Sums that do not fit are as large as they can be, so that a check can see it. */
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

/* What the launchers before this one take, and what this one takes: of a nested level. */
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

int64_t launches_all_loops_ns(const gcast_launches *l)
{
    return loop_before_ns(l, l->launchers);
}

/* The child with this form is there already: that of the kernel before, often. */
static bool is_same_child(const gcast_op *a, const gcast_op *b)
{
    return strcmp(a->label, b->label) == 0 && a->stream == b->stream && a->mask == b->mask && a->task == b->task &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && memcmp(&a->shape, &b->shape, sizeof a->shape) == 0 &&
           a->body == b->body && a->carveout == b->carveout && a->carveout_given == b->carveout_given &&
           a->registers_given == b->registers_given && a->min_ns == b->min_ns && a->max_ns == b->max_ns &&
           !a->launches && !b->launches;
}

/* The sum of all items of a level, and those before each launcher where children launch too. False without memory. */
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

/* Sums of the times of a nested level; those below it are there. */
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

/* What of a kernel the host alone can ask for; NULL: nothing. */
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

/* The child of a launch, as a kernel of the workload: what does not come from the launch is its parent's. */
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

/* The workload gets a kernel for the child, unless the kernel added last has the same one. */
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

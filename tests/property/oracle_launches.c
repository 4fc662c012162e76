/* "Launches" of docs/model.md: what launchers decide, and how long that makes their blocks. Independent of the
 * simulator on purpose: items before a launcher are added up again each time, loops are followed level by level. */
#include "property/oracle_state.h"

/* A block whose launchers decide now. */
typedef struct decider {
    oracle_op *x;            /* its kernel */
    const gcast_launches *l; /* what it launches */
    uint64_t block;          /* of the kernel */
    uint64_t first;          /* number in the level of its first launcher */
    uint64_t count;          /* of its launchers */
    uint64_t launched;       /* children of the block */
} decider;

uint64_t oracle_items(const gcast_launches *l, uint64_t launcher)
{
    if (!l->items)
        return l->items_each;
    return launcher < l->item_count ? l->items[launcher] : 0;
}

/* Items of all launchers before this one. */
static uint64_t items_before(const gcast_launches *l, uint64_t launcher)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < launcher; i++)
        sum += oracle_items(l, i);
    return sum;
}

int64_t oracle_loop_ns(const gcast_launches *l, uint64_t launcher)
{
    uint64_t first = l->child->launches ? items_before(l, launcher) : 0;
    int64_t ns = 0;
    for (uint64_t i = 0; i < oracle_items(l, launcher); i++)
        ns += l->item_ns + (l->child->launches ? oracle_loop_ns(l->child->launches, first + i) : 0);
    return ns;
}

uint32_t oracle_items_per_block(const gcast_launches *l)
{
    return l->items_per_block ? l->items_per_block : (uint32_t)l->child->shape.threads;
}

/* Items are dealt to the blocks of a child in order; the last one has what is left. */
uint32_t oracle_block_items(const oracle_op *x, uint64_t block)
{
    uint32_t each = oracle_items_per_block(x->child->launches), left = x->child->of.items - (uint32_t)block * each;
    return left < each ? left : each;
}

size_t oracle_max_children(const gcast_op *op)
{
    size_t count = 0;
    for (const gcast_launches *l = op->launches; l; l = l->child->launches)
        count += 2 * l->launchers;
    return count;
}

/* "Pool": is it full, and does it not grow? */
static bool is_refused(const oracle_state *o)
{
    int live = 0;
    for (size_t i = o->count; i < o->all; i++)
        live += oracle_is_child(&o->ops[i]) && !oracle_complete(&o->ops[i]);
    return !o->gpu->child_pool_grows && o->gpu->child_pool && live >= o->gpu->child_pool;
}

static void launch(oracle_state *o, decider *d, uint64_t launcher, uint32_t place)
{
    uint64_t items = oracle_items(d->l, launcher);
    oracle_op *child = oracle_add_child(o, d->x, d->block, false);
    child->child->of.launcher = launcher;
    child->child->of.items = (uint32_t)items;
    child->child->of.first_item = d->l->child->launches ? items_before(d->l, launcher) : 0;
    child->child->of.place = place;
    while (child->run.block_count * oracle_items_per_block(d->l) < items)
        child->run.block_count++;
    child->launch_size = child->run.block_count;
    child->run.blocks = child->blocks = arena_alloc_array(o->memory, child->run.block_count, sizeof *child->blocks);
    child->age = arena_alloc_array(o->memory, child->run.block_count, sizeof *child->age);
    o->stats->early += oracle_spawn_is_early(o, d->l);
    oracle_spawn_called(o, child->run.block_count);
    d->launched++;
    o->stats->children++;
    o->stats->child_blocks += child->run.block_count;
    o->stats->offloaded += items;
}

/* "Calls": how long so many calls hold their warp, and by how much they are late. */
static int64_t hold_warp(oracle_state *o, uint32_t launches, int64_t *late)
{
    int64_t own = o->now + o->gpu->child_call_ns + launches * o->gpu->child_call_step_ns;
    if (o->calls_free_ns < o->now)
        o->calls_free_ns = o->now;
    o->calls_free_ns += launches * o->gpu->child_call_service_ns;
    *late = o->calls_free_ns > own ? o->calls_free_ns - own : 0;
    return own + *late - o->now;
}

/* May a launcher launch if the policy lets it? */
bool oracle_may_launch(const gcast_launches *l, uint64_t launcher)
{
    return oracle_items(l, launcher) && oracle_items(l, launcher) >= l->min_items;
}

/* What the launchers from `first` to before `end` of the block, which are of one warp, add to its time. */
static int64_t decide_warp(oracle_state *o, decider *d, uint64_t first, uint64_t end)
{
    int64_t longest = 0, refused = 0;
    uint32_t launches = 0;
    size_t children_before = o->all;
    bool predicts = oracle_policy(o, d->l) == GCAST_SPAWN_PREDICT, chosen[ORACLE_WARP];
    if (predicts)
        oracle_predict(o, d->l, d->first + first, end - first, chosen);
    for (uint64_t launcher = d->first + first; launcher < d->first + end; launcher++) {
        uint64_t items = oracle_items(d->l, launcher);
        bool launching =
            predicts ? chosen[launcher - d->first - first]
                     : oracle_may_launch(d->l, launcher) && oracle_policy_launches(o, d->l, launcher, launches + 1);
        o->stats->items += items;
        if (launching && !is_refused(o)) {
            launch(o, d, launcher, ++launches);
            continue;
        }
        refused += launching;
        o->stats->kept += items > 0;
        int64_t loop = items ? oracle_loop_ns(d->l, launcher) : 0;
        longest = loop > longest ? loop : longest;
    }
    o->stats->refused += (uint64_t)refused;
    int64_t late = 0, held = launches ? hold_warp(o, launches, &late) : 0;
    for (size_t i = children_before; i < o->all; i++)
        o->ops[i].child->request_ns = o->now + o->gpu->child_launch_ns + launches * o->gpu->child_step_ns + late;
    return held + refused * o->gpu->child_refused_ns + longest;
}

static void decide_block(oracle_state *o, oracle_op *x, uint64_t block)
{
    decider d = {.x = x, .l = oracle_launches(x), .block = block};
    uint64_t warps = ((uint64_t)x->op->shape.threads + ORACLE_WARP - 1) / ORACLE_WARP;
    int64_t longest = 0;
    if (x->child) { /* its items of the level above are its launchers */
        d.first = x->child->of.first_item + block * oracle_items_per_block(x->child->launches);
        d.count = oracle_block_items(x, block);
    } else {
        d.count = d.l->by == GCAST_LAUNCHER_THREAD ? (uint64_t)x->op->shape.threads
                  : d.l->by == GCAST_LAUNCHER_WARP ? warps
                                                   : 1;
        d.first = block * d.count;
    }
    uint64_t each = d.l->by == GCAST_LAUNCHER_THREAD ? ORACLE_WARP : 1;
    for (uint64_t first = 0; first < d.count; first += each) {
        int64_t ns = decide_warp(o, &d, first, first + each < d.count ? first + each : d.count);
        longest = ns > longest ? ns : longest;
    }
    x->blocks[block].end_ns += longest;
    if (d.l->wait == GCAST_CHILD_WAIT_BLOCK && !d.launched)
        x->blocks[block].end_ns += d.l->after_ns;
}

void oracle_decisions(oracle_state *o)
{
    oracle_spawn_ends(o);
    for (uint64_t entry = 0; entry < o->entries; entry++) {
        oracle_op *x = o->by_entry[entry];
        for (uint64_t b = 0; oracle_is_kernel(x) && oracle_launches(x) && b < x->started; b++)
            if (x->blocks[b].start_ns + oracle_launches(x)->at_ns == o->now)
                decide_block(o, x, b);
    }
}

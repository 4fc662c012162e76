/* All launchers of a run decide once more, in the order of the model. Each has the next child, or kept its items. From
 * that follow the blocks of children, their items, and the duration of every block of a kernel that launches or was
 * launched. */
#include "simulate/check/launches/launchers.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/minmax.h"
#include "model/workload/launching.h"
#include "simulate/check/broken.h"
#include "simulate/check/launches/child_complete.h"
#include "simulate/check/launches/loop_time.h"
#include "simulate/run_ops.h"

/* A block whose launchers decide. */
typedef struct decision {
    int64_t time;   /* when they do */
    uint64_t entry; /* of its kernel */
    uint64_t block; /* its index */
    uint32_t op;    /* its operation of the run */
} decision;

/* What is added to the duration of a block. A controller does not say which launches it wanted that were refused. */
typedef struct extra {
    wide_ns min, max;
} extra;

typedef struct launcher_walk {
    const gcast_run *run;    /* what is checked */
    gcast_error *err;        /* filled in by the first failure */
    gcast_status status;     /* the first invariant that is broken, or out of memory */
    size_t next;             /* the first child that no launcher has called yet; rests are passed over */
    uint64_t called;         /* children before it */
    heap in_pool;            /* of a pool that refuses: children that are in it, by their ends */
    int64_t *overhead_ns;    /* by child: see check_launchers */
    int64_t calls_free_ns;   /* when the way is free that all calls share */
    gcast_launch_stats sums; /* of children and launchers */
    bool refusals_known;     /* no controller decided, so that sums.refused is exact */
    /* of the block whose launchers decide */
    const decision *now;     /* it */
    const gcast_launches *l; /* what its kernel launches */
    gcast_spawn_policy policy;
    uint32_t threshold;
    bool launched; /* it has a child */
} launcher_walk;

static void broken(launcher_walk *k, size_t i, const char *problem)
{
    if (k->status == GCAST_OK)
        k->status = check_broken(k->run, i, "C-launches", problem, k->err);
}

static bool pool_is_full(launcher_walk *k)
{
    const gcast_gpu *gpu = k->run->gpu;
    for (const heap_item *top; (top = heap_top(&k->in_pool)) && top->time <= k->now->time;)
        heap_pop(&k->in_pool);
    return gpu->child_pool && !gpu->child_pool_grows && heap_count(&k->in_pool) >= (size_t)gpu->child_pool;
}

/* The next child is the one of this launcher: is it as it should be? */
static void check_child(launcher_walk *k, uint64_t launcher, uint32_t items, uint32_t place)
{
    const gcast_run *run = k->run;
    const gcast_child *child = &run->children[k->next];
    const gcast_run_op *r = &run->ops[run->op_count + k->next];
    size_t i = run->op_count + k->next;
    if (r->call_ns != k->now->time)
        broken(k, i, "it was not called when its launcher decided");
    if (r->launch != k->called || r->job != (uint32_t)k->called)
        broken(k, i, "its call number is not its own");
    if (child->items != items || child->first_item != launches_first_item(k->l, launcher))
        broken(k, i, "it has not the items of its launcher");
    if (child->place != place)
        broken(k, i, "it is another launch of its warp than it says");
    if (k->policy == GCAST_SPAWN_FLAT || items < k->l->min_items ||
        (k->policy == GCAST_SPAWN_THRESHOLD && items < k->threshold))
        broken(k, i, "its launcher should have kept its items");
    if (pool_is_full(k))
        broken(k, i, "it was launched although the pool was full");
    if (run->gpu->child_pool && !run->gpu->child_pool_grows &&
        !heap_push(&k->in_pool, (heap_item){child_complete_ns(run, k->next), 0, 0}))
        k->status = gcast_error_set_memory(k->err);
    k->sums.children++;
    k->sums.child_blocks += r->block_count;
    k->sums.offloaded += items;
}

/* A launcher kept its items: may that be? Returns whether its launch was refused: 0, 1, or -1 where that is open. */
static int check_kept(launcher_walk *k, uint32_t items)
{
    bool may_launch = items >= k->l->min_items && k->policy != GCAST_SPAWN_FLAT;
    bool is_decided = k->policy == GCAST_SPAWN_ALWAYS || k->policy == GCAST_SPAWN_THRESHOLD;
    k->sums.kept++;
    if (!may_launch || (k->policy == GCAST_SPAWN_THRESHOLD && items < k->threshold))
        return 0;
    if (!is_decided)
        return pool_is_full(k) ? -1 : 0;
    if (!pool_is_full(k))
        broken(k, k->now->op, "a launcher kept its items although it should have launched a child");
    k->sums.refused++;
    return 1;
}

/* Is the next child the one of this launcher? */
static bool has_child(launcher_walk *k, uint64_t launcher)
{
    while (k->next < k->run->child_count && k->run->children[k->next].is_rest)
        k->next++;
    if (k->next == k->run->child_count)
        return false;
    const gcast_child *child = &k->run->children[k->next];
    return child->parent == k->now->op && child->parent_block == k->now->block && child->launcher == launcher;
}

/* A warp has called so many children, from the first one on. Returns how long its calls hold it. They share a way with
 * the calls of all warps, and where they are late by that, so are their children. */
static int64_t call_children(launcher_walk *k, size_t first_child, uint32_t launches)
{
    const gcast_gpu *gpu = k->run->gpu;
    int64_t own = gpu->child_call_ns + launches * gpu->child_call_step_ns;
    k->calls_free_ns = max_i64(k->calls_free_ns, k->now->time) + launches * gpu->child_call_service_ns;
    int64_t held = max_i64(own, k->calls_free_ns - k->now->time);
    for (size_t c = first_child; c < k->next; c++)
        k->overhead_ns[c] = gpu->child_launch_ns + launches * gpu->child_step_ns + held - own;
    k->launched = true;
    return held;
}

/* The launchers of a warp decide. */
static extra decide_warp(launcher_walk *k, uint64_t first, uint32_t count)
{
    const gcast_gpu *gpu = k->run->gpu;
    uint32_t launches = 0, refused = 0, maybe_refused = 0;
    size_t first_child = k->next;
    wide_ns longest = 0;
    for (uint64_t launcher = first; launcher < first + count && k->status == GCAST_OK; launcher++) {
        uint32_t items = launches_items(k->l, launcher);
        if (!items)
            continue;
        k->sums.items += items;
        if (has_child(k, launcher)) {
            check_child(k, launcher, items, ++launches);
            k->called++;
            k->next++;
            continue;
        }
        int was_refused = check_kept(k, items);
        refused += was_refused > 0;
        maybe_refused += was_refused != 0;
        wide_ns loop = loop_time_ns(k->l, launcher);
        longest = loop > longest ? loop : longest;
    }
    if (launches)
        longest += call_children(k, first_child, launches);
    return (extra){longest + (wide_ns)refused * gpu->child_refused_ns,
                   longest + (wide_ns)maybe_refused * gpu->child_refused_ns};
}

/* The duration of block b of the operation i, without what its launchers take. */
static extra own_duration(const gcast_run *run, size_t i, uint64_t b)
{
    const gcast_op *op = run_spec(run, i);
    const gcast_child *child = run_child(run, i);
    extra own = {op->block_ns ? op->block_ns[b] : op->min_ns, op->block_ns ? op->block_ns[b] : op->max_ns};
    if (child) {
        const gcast_launches *l = run_spec(run, child->parent)->launches;
        uint64_t each = l->items_per_block ? l->items_per_block : (uint64_t)op->shape.threads;
        uint64_t items = min_u64(each, child->items - b * each), threads = (uint64_t)op->shape.threads;
        wide_ns items_ns = (wide_ns)((items + threads - 1) / threads) * l->child_item_ns;
        own.min += items_ns;
        own.max += items_ns;
    }
    own.max += run->noise_ns;
    return own;
}

static void check_duration(launcher_walk *k, size_t i, uint64_t b, extra added)
{
    const gcast_block *block = &k->run->ops[i].blocks[b];
    extra own = own_duration(k->run, i, b);
    wide_ns took = (wide_ns)block->end_ns - block->start_ns;
    if (took < own.min + added.min || took > own.max + added.max)
        broken(k, i, "a block took longer or shorter than it should");
}

/* The launchers of a block decide. Those of a child are its threads with an item. */
static void decide_block(launcher_walk *k, const decision *d)
{
    const gcast_run *run = k->run;
    const gcast_op *op = run_spec(run, d->op);
    const gcast_child *child = run_child(run, d->op);
    uint32_t count = launches_per_block(op->launches, op->shape.threads);
    uint64_t first = d->block * count;
    k->now = d;
    k->l = op->launches;
    k->launched = false;
    k->policy = run->spawn_overridden ? run->spawn_policy : k->l->policy;
    k->threshold = run->spawn_overridden ? run->spawn_threshold : k->l->threshold;
    k->refusals_known = k->refusals_known && k->policy != GCAST_SPAWN_SPAWN && k->policy != GCAST_SPAWN_PREDICT;
    if (child) {
        uint32_t each = run_spec(run, child->parent)->launches->items_per_block;
        each = each ? each : (uint32_t)op->shape.threads;
        first = child->first_item + d->block * each;
        count = (uint32_t)min_u64(each, child->items - d->block * each);
    }
    uint32_t warp = k->l->by == GCAST_LAUNCHER_THREAD ? 32 : 1;
    extra longest = {0, 0};
    for (uint32_t n = 0; n < count && k->status == GCAST_OK; n += warp) {
        extra e = decide_warp(k, first + n, count - n < warp ? count - n : warp);
        longest.min = e.min > longest.min ? e.min : longest.min;
        longest.max = e.max > longest.max ? e.max : longest.max;
    }
    if (k->l->wait == GCAST_CHILD_WAIT_BLOCK && !k->launched) {
        longest.min += k->l->after_ns;
        longest.max += k->l->after_ns;
    }
    check_duration(k, d->op, d->block, longest);
}

static int by_turn(const void *a, const void *b)
{
    const decision *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

typedef VEC(decision) decisions;

/* The blocks of all kernels that launch, in the order in which their launchers decide; false without memory. */
static bool collect_decisions(const gcast_run *run, decisions *all)
{
    for (size_t i = 0; i < run_total(run); i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_launches *l = run_spec(run, i)->launches;
        if (!l || r->skipped || run_is_rest(run, i))
            continue;
        for (uint64_t b = 0; b < r->block_count; b++) {
            decision d = {r->blocks[b].start_ns + l->at_ns, r->entry, b, (uint32_t)i};
            if (!vec_push(all, d))
                return false;
        }
    }
    if (all->count)
        qsort(all->at, all->count, sizeof *all->at, by_turn);
    return true;
}

/* The sums of the run are those of its children and launchers. */
static void check_sums(launcher_walk *k)
{
    const gcast_launch_stats *given = k->run->launches, *found = &k->sums;
    if (given && (given->children != found->children || given->child_blocks != found->child_blocks ||
                  given->offloaded != found->offloaded || given->items != found->items || given->kept != found->kept ||
                  (k->refusals_known && given->refused != found->refused)))
        k->status = gcast_error_set(k->err, GCAST_INTERNAL, NULL,
                                    "the run breaks C-launches: its sums are not those of its children");
}

gcast_status check_launchers(const gcast_run *run, int64_t *overhead_ns, gcast_error *err)
{
    launcher_walk k = {.run = run, .err = err, .overhead_ns = overhead_ns, .refusals_known = true};
    decisions all = {0};
    for (size_t i = 0; i < run->op_count; i++)
        if (run_spec(run, i)->launches && !run->ops[i].skipped &&
            (!run->ops[i].blocks || run->ops[i].block_count != run_spec(run, i)->blocks))
            broken(&k, i, "it has not as many blocks as its grid");
    if (k.status == GCAST_OK && !collect_decisions(run, &all))
        k.status = gcast_error_set_memory(err);
    for (size_t n = 0; n < all.count && k.status == GCAST_OK; n++)
        decide_block(&k, &all.at[n]);
    for (; k.next < run->child_count && k.status == GCAST_OK; k.next++)
        if (!run->children[k.next].is_rest)
            broken(&k, run->op_count + k.next, "no launcher called it then");
    for (size_t i = run->op_count; i < run_total(run) && k.status == GCAST_OK; i++)
        for (uint64_t b = 0; b < run->ops[i].block_count && !run_is_rest(run, i) && !run_spec(run, i)->launches; b++)
            check_duration(&k, i, b, (extra){0, 0});
    if (k.status == GCAST_OK)
        check_sums(&k);
    vec_free(&all);
    vec_free(&k.in_pool.items);
    return k.status;
}

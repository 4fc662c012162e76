/* C-launches: children and rests of each block, the decisions of launchers, the durations of blocks, and sums. */
#include "simulate/check/launch_rules.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/integers.h"
#include "gridcast/launches.h"
#include "gridcast/run.h"
#include "model/workload/launching.h"
#include "simulate/check/child_path.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

/* A block that waits for its children has a rest ("Waiting blocks" in docs/model.md). */

/* A child or a rest, by the block that launched it. */
typedef struct offspring {
    uint32_t parent; /* its operation of the run */
    uint32_t block;  /* of the parent */
    uint32_t child;  /* its index among the run's children */
    bool is_rest;
} offspring;

static int by_block(const void *a, const void *b)
{
    const offspring *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->is_rest != y->is_rest)
        return x->is_rest - y->is_rest;
    return x->child < y->child ? -1 : x->child > y->child;
}

/* Is the rest of a block right, whose children were complete at this time? */
static bool rest_is_right(const gcast_run *run, uint32_t c, int64_t complete_ns)
{
    const gcast_child *rest = &run->children[c];
    const gcast_run_op *r = &run->ops[run->op_count + c], *parent = &run->ops[rest->parent];
    int64_t enter = max_i64(parent->blocks[rest->parent_block].end_ns, complete_ns);
    int64_t took = r->blocks[0].end_ns - r->blocks[0].start_ns;
    int64_t after_ns = run_spec(run, rest->parent)->launches->after_ns;
    return r->call_ns == enter && r->arrive_ns == enter && r->head_ns == enter && rest->pool_ns == enter &&
           r->enter_ns == enter && r->block_count == 1 && rest->queue == -1 && took >= after_ns &&
           took <= after_ns + run->noise_ns;
}

/* Checks the children and rests of one block, from `first` to before `end`. */
static gcast_status check_group(const gcast_run *run, const offspring *first, const offspring *end, gcast_error *err)
{
    const gcast_launches *l = run_spec(run, first->parent)->launches;
    bool waits = l->wait == GCAST_CHILD_WAIT_BLOCK && l->after_ns > 0;
    size_t children = 0, rests = 0;
    int64_t complete_ns = -1;
    for (const offspring *o = first; o < end; o++) {
        children += !o->is_rest;
        rests += o->is_rest;
        if (!o->is_rest)
            complete_ns = max_i64(complete_ns, child_complete_ns(run, o->child));
    }
    size_t i = run->op_count + end[-1].child;
    if (rests != (size_t)(waits && children > 0))
        return check_broken(run, i, "C-launches", "its block has a rest without need, or none although it waited", err);
    if (rests && !rest_is_right(run, end[-1].child, complete_ns))
        return check_broken(run, i, "C-launches", "the rest of its block is not what it should be", err);
    return GCAST_OK;
}

/* C-launches: blocks that waited for their children, and no others, have a rest, which enters when the children are
 * complete. */
static gcast_status check_rests(const gcast_run *run, gcast_error *err)
{
    size_t count = run->child_count;
    offspring *all = malloc((count + 1) * sizeof *all);
    gcast_status status = all ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t c = 0; c < count && all; c++)
        all[c] =
            (offspring){run->children[c].parent, run->children[c].parent_block, (uint32_t)c, run->children[c].is_rest};
    if (all && count)
        qsort(all, count, sizeof *all, by_block);
    for (size_t first = 0, end = 0; all && first < count && status == GCAST_OK; first = end) {
        while (end < count && all[end].parent == all[first].parent && all[end].block == all[first].block)
            end++;
        status = check_group(run, &all[first], &all[end], err);
    }
    free(all);
    return status;
}

/* The time of a launcher that does its items itself includes the items of the levels below. The checker adds them up
 * one by one on purpose, although the workload has sums. */

/* Nanoseconds that do not overflow. */
typedef unsigned __int128 wide_ns;

/* Do all launchers of this level have equally many items, and those of each level below? */
static bool is_uniform(const gcast_launches *l)
{
    return !l || (!l->items && is_uniform(l->child->launches));
}

/* The time of each launcher of such a level. */
static wide_ns uniform_ns(const gcast_launches *l)
{
    return l ? l->items_each * (l->item_ns + uniform_ns(l->child->launches)) : 0;
}

static wide_ns loop_time_ns(const gcast_launches *l, uint64_t launcher)
{
    const gcast_launches *below = l->child->launches;
    uint32_t items = launches_items(l, launcher);
    wide_ns sum = (wide_ns)items * l->item_ns;
    if (is_uniform(below))
        return sum + items * uniform_ns(below);
    for (uint32_t n = 0; n < items; n++)
        sum += loop_time_ns(below, launches_first_item(l, launcher) + n);
    return sum;
}

/* All launchers of a run decide once more, in the order of the model. Each called the next child, or kept its items.
 * That gives the blocks and items of children, and the duration of every block of a kernel that launches or was
 * launched. */

/* A block whose launchers decide. */
typedef struct decision {
    int64_t time;   /* when they decide */
    uint64_t entry; /* of its kernel */
    uint64_t block; /* its index */
    uint32_t op;    /* its operation of the run */
} decision;

/* The range of what launchers add to the duration of a block. It is a range, as a run does not say which launches a
 * controller wanted that were refused. */
typedef struct extra {
    wide_ns min, max;
} extra;

typedef struct launcher_walk {
    const gcast_run *run;    /* what is checked */
    gcast_error *err;        /* filled in by the first failure */
    gcast_status status;     /* the first invariant that is broken, or out of memory */
    size_t next;             /* the first child that no launcher has called yet */
    uint64_t called;         /* how many children have been called */
    heap in_pool;            /* of a pool that refuses: its children, by the time at which they are complete */
    int64_t *overhead_ns;    /* by child: see check_launchers */
    int64_t calls_free_ns;   /* when the path that all calls share is free */
    gcast_launch_stats sums; /* of children and launchers */
    bool refusals_known;     /* no controller decided, so that sums.refused is exact */
    /* The block whose launchers decide: */
    const decision *now;
    const gcast_launches *l; /* how its kernel launches */
    gcast_spawn_policy policy;
    uint32_t threshold;
    bool launched; /* it has a child */
} launcher_walk;

static void launcher_broken(launcher_walk *k, size_t i, const char *problem)
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

/* Checks the next child, which is the one of this launcher. */
static void check_child(launcher_walk *k, uint64_t launcher, uint32_t items, uint32_t place)
{
    const gcast_run *run = k->run;
    const gcast_child *child = &run->children[k->next];
    const gcast_run_op *r = &run->ops[run->op_count + k->next];
    size_t i = run->op_count + k->next;
    if (r->call_ns != k->now->time)
        launcher_broken(k, i, "it was not called when its launcher decided");
    if (r->launch != k->called || r->job != (uint32_t)k->called)
        launcher_broken(k, i, "its call number is not its own");
    if (child->items != items || child->first_item != launches_first_item(k->l, launcher))
        launcher_broken(k, i, "it has not the items of its launcher");
    if (child->place != place)
        launcher_broken(k, i, "it is another launch of its warp than it says");
    if (k->policy == GCAST_SPAWN_FLAT || items < k->l->min_items ||
        (k->policy == GCAST_SPAWN_THRESHOLD && items < k->threshold))
        launcher_broken(k, i, "its launcher should have kept its items");
    if (pool_is_full(k))
        launcher_broken(k, i, "it was launched although the pool was full");
    if (run->gpu->child_pool && !run->gpu->child_pool_grows &&
        !heap_push(&k->in_pool, (heap_item){child_complete_ns(run, k->next), 0, 0}))
        k->status = gcast_error_set_memory(k->err);
    k->sums.children++;
    k->sums.child_blocks += r->block_count;
    k->sums.offloaded += items;
}

/* Checks that a launcher may have kept its items. Returns whether its launch was refused: 0, 1; -1: unknown. */
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
        launcher_broken(k, k->now->op, "a launcher kept its items although it should have launched a child");
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

/* A warp has called these children. Returns how long its calls hold it. They share a path with the calls of all warps;
 * where that makes them late, their children are late too. */
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

/* The launchers of a warp decide. Returns how long the warp is busy. */
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

/* The duration of block b of the operation i without its launchers. */
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
        launcher_broken(k, i, "a block took longer or shorter than it should");
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

/* Lists the blocks of all kernels that launch, in the order in which their launchers decide; false without memory. */
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

/* Checks that the sums of the run are those of its children and launchers. */
static void check_sums(launcher_walk *k)
{
    const gcast_launch_stats *given = k->run->launches, *found = &k->sums;
    if (given && (given->children != found->children || given->child_blocks != found->child_blocks ||
                  given->offloaded != found->offloaded || given->items != found->items || given->kept != found->kept ||
                  (k->refusals_known && given->refused != found->refused)))
        k->status = gcast_error_set(k->err, GCAST_INTERNAL, NULL,
                                    "the run breaks C-launches: its sums are not those of its children");
}

/* C-launches: which launchers launched and which kept their items, and how long their blocks took. overhead_ns[] gets,
 * by child, the overhead of its launch without the service time. */
static gcast_status check_launchers(const gcast_run *run, int64_t *overhead_ns, gcast_error *err)
{
    launcher_walk k = {.run = run, .err = err, .overhead_ns = overhead_ns, .refusals_known = true};
    decisions all = {0};
    for (size_t i = 0; i < run->op_count; i++)
        if (run_spec(run, i)->launches && !run->ops[i].skipped &&
            (!run->ops[i].blocks || run->ops[i].block_count != run_spec(run, i)->blocks))
            launcher_broken(&k, i, "it has not as many blocks as its grid");
    if (k.status == GCAST_OK && !collect_decisions(run, &all))
        k.status = gcast_error_set_memory(err);
    for (size_t n = 0; n < all.count && k.status == GCAST_OK; n++)
        decide_block(&k, &all.at[n]);
    for (; k.next < run->child_count && k.status == GCAST_OK; k.next++)
        if (!run->children[k.next].is_rest)
            launcher_broken(&k, run->op_count + k.next, "no launcher called it then");
    for (size_t i = run->op_count; i < run_total(run) && k.status == GCAST_OK; i++)
        for (uint64_t b = 0; b < run->ops[i].block_count && !run_is_rest(run, i) && !run_spec(run, i)->launches; b++)
            check_duration(&k, i, b, (extra){0, 0});
    if (k.status == GCAST_OK)
        check_sums(&k);
    vec_free(&all);
    vec_free(&k.in_pool.items);
    return k.status;
}

static gcast_status child_broken(const gcast_run *run, size_t c, const char *problem, gcast_error *err)
{
    return check_broken(run, run->op_count + c, "C-launches", problem, err);
}

/* May the parent of child c have called it? */
static bool has_parent(const gcast_run *run, size_t c)
{
    const gcast_child *child = &run->children[c];
    if (child->parent >= run->op_count + c || run->ops[child->parent].skipped || run_is_rest(run, child->parent))
        return false;
    const gcast_op *parent = run_spec(run, child->parent);
    return parent->kind == GCAST_KIND_KERNEL && parent->launches && run->ops[child->parent].blocks &&
           child->parent_block < run->ops[child->parent].block_count;
}

gcast_status check_children_listed(const gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    for (size_t c = 0; c < run->child_count; c++) {
        const gcast_child *child = &run->children[c];
        const gcast_run_op *r = &run->ops[run->op_count + c];
        if (r->op >= w->op_count + w->child_count)
            return gcast_error_set(err, GCAST_INTERNAL, NULL, "the run breaks C-launches: child %zu is not known", c);
        if (!has_parent(run, c))
            return child_broken(run, c, "no kernel that ran launched it", err);
        const gcast_launches *l = run_spec(run, child->parent)->launches;
        uint64_t each = l->items_per_block ? l->items_per_block : (uint64_t)l->child->shape.threads;
        size_t op = child->is_rest ? run->ops[child->parent].op : w->op_count + (size_t)l->child_index;
        if (r->op != op || r->skipped || !r->blocks || r->block_count == 0)
            return child_broken(run, c, "it is not what its parent launches", err);
        if (r->block_count != (child->is_rest ? 1 : (child->items + each - 1) / each))
            return child_broken(run, c, "it has not as many blocks as its items need", err);
    }
    return GCAST_OK;
}

/* Calls are in the order of time; rests are behind all children. */
static gcast_status check_calls(const gcast_run *run, gcast_error *err)
{
    for (size_t c = 1; c < run->child_count; c++) {
        const gcast_run_op *before = &run->ops[run->op_count + c - 1], *r = before + 1;
        bool was_rest = run->children[c - 1].is_rest, is_rest = run->children[c].is_rest;
        if ((was_rest && !is_rest) || (was_rest == is_rest && r->call_ns < before->call_ns))
            return child_broken(run, c, "it was called out of order", err);
    }
    return GCAST_OK;
}

/* The steps of each child are in order. C-stamp, which all operations obey, is not repeated. */
static gcast_status check_steps(const gcast_run *run, gcast_error *err)
{
    for (size_t c = 0; c < run->child_count; c++) {
        const gcast_child *child = &run->children[c];
        const gcast_run_op *r = &run->ops[run->op_count + c];
        if (r->release_ns != r->call_ns || child->pool_ns < r->head_ns || child->pool_ns > r->enter_ns ||
            child->blocks_end_ns > r->end_ns)
            return child_broken(run, c, "its times are out of order", err);
        if (r->engine >= 0 || r->connection >= 0 || r->channel >= 0)
            return child_broken(run, c, "it used a copy engine or a connection", err);
    }
    return GCAST_OK;
}

gcast_status check_children(const gcast_run *run, const check_orders *orders, gcast_error *err)
{
    int64_t *overhead_ns = calloc(run->child_count + 1, sizeof *overhead_ns);
    if (!overhead_ns)
        return gcast_error_set_memory(err);
    gcast_status status = check_calls(run, err);
    if (status == GCAST_OK)
        status = check_steps(run, err);
    if (status == GCAST_OK)
        status = check_launchers(run, overhead_ns, err);
    if (status == GCAST_OK)
        status = check_child_paths(run, orders, overhead_ns, err);
    if (status == GCAST_OK)
        status = check_rests(run, err);
    free(overhead_ns);
    return status;
}

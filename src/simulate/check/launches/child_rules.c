#include "simulate/check/launches/child_rules.h"

#include <stdlib.h>

#include "simulate/check/broken.h"
#include "simulate/check/launches/block_rests.h"
#include "simulate/check/launches/child_path.h"
#include "simulate/check/launches/launchers.h"
#include "simulate/run_ops.h"

static gcast_status broken(const gcast_run *run, size_t c, const char *problem, gcast_error *err)
{
    return check_broken(run, run->op_count + c, "C-launches", problem, err);
}

/* Is the parent of child c one that may have called it? */
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
            return broken(run, c, "no kernel that ran launched it", err);
        const gcast_launches *l = run_spec(run, child->parent)->launches;
        uint64_t each = l->items_per_block ? l->items_per_block : (uint64_t)l->child->shape.threads;
        size_t op = child->is_rest ? run->ops[child->parent].op : w->op_count + (size_t)l->child_index;
        if (r->op != op || r->skipped || !r->blocks || r->block_count == 0)
            return broken(run, c, "it is not what its parent launches", err);
        if (r->block_count != (child->is_rest ? 1 : (child->items + each - 1) / each))
            return broken(run, c, "it has not as many blocks as its items need", err);
    }
    return GCAST_OK;
}

/* Calls never go back in time; rests are behind all children. */
static gcast_status check_calls(const gcast_run *run, gcast_error *err)
{
    for (size_t c = 1; c < run->child_count; c++) {
        const gcast_run_op *before = &run->ops[run->op_count + c - 1], *r = before + 1;
        bool was_rest = run->children[c - 1].is_rest, is_rest = run->children[c].is_rest;
        if ((was_rest && !is_rest) || (was_rest == is_rest && r->call_ns < before->call_ns))
            return broken(run, c, "it was called out of order", err);
    }
    return GCAST_OK;
}

/* Each step in order. What C-stamp has of all operations is not repeated. */
static gcast_status check_steps(const gcast_run *run, gcast_error *err)
{
    for (size_t c = 0; c < run->child_count; c++) {
        const gcast_child *child = &run->children[c];
        const gcast_run_op *r = &run->ops[run->op_count + c];
        if (r->release_ns != r->call_ns || child->pool_ns < r->head_ns || child->pool_ns > r->enter_ns ||
            child->blocks_end_ns > r->end_ns)
            return broken(run, c, "its times are out of order", err);
        if (r->engine >= 0 || r->connection >= 0 || r->channel >= 0)
            return broken(run, c, "it used a copy engine or a connection", err);
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

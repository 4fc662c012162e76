/* What blocks do after they have waited for their children ("Waiting blocks" in docs/model.md). */
#include "simulate/check/launches/block_rests.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/check/broken.h"
#include "simulate/check/launches/child_complete.h"
#include "simulate/run_ops.h"

/* A child or a rest, by the block that launched it. */
typedef struct offspring {
    uint32_t parent; /* operation of the run */
    uint32_t block;  /* of the parent */
    uint32_t child;  /* its place among the run's children */
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

/* Is the rest of a block as it should be, whose children were complete at this time? */
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

/* The children and rests of one block, from `first` to before `end`. */
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

gcast_status check_rests(const gcast_run *run, gcast_error *err)
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

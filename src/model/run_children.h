/* The operations of a run that kernels launched: children, and the rests of blocks that waited for their children. They
 * are behind the operations that the host called. */
#ifndef MODEL_RUN_CHILDREN_H
#define MODEL_RUN_CHILDREN_H

#include "gridcast/run.h"
#include "model/gpu/level.h"

/* Operations of a run with those of kernels that were launched by kernels. */
static inline size_t run_total(const gcast_run *run)
{
    return run->op_count + run->child_count;
}

/* What it is as a child, or as the rest of a block that waited for its children; NULL: the host called it. */
static inline const gcast_child *run_child(const gcast_run *run, size_t i)
{
    return i < run->op_count ? NULL : &run->children[i - run->op_count];
}

static inline bool run_is_rest(const gcast_run *run, size_t i)
{
    return i >= run->op_count && run->children[i - run->op_count].is_rest;
}

/* The operation whose block a rest is the rest of; any other operation is its own. */
static inline size_t run_owner(const gcast_run *run, size_t i)
{
    return run_is_rest(run, i) ? run->children[i - run->op_count].parent : i;
}

/* When the last block of a kernel ended, where its blocks are recorded. One that launches is complete when its children
 * are too, a programmatic one when the one before it is. */
static inline int64_t run_blocks_end_ns(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    int64_t end = 0;
    if (i >= run->op_count)
        return run->children[i - run->op_count].blocks_end_ns;
    if ((!run->workload->ops[r->op].launches && !run->workload->ops[r->op].programmatic) || !r->blocks)
        return r->end_ns;
    for (uint64_t b = 0; b < r->block_count; b++)
        end = r->blocks[b].end_ns > end ? r->blocks[b].end_ns : end;
    return end;
}

/* The level of its EE queue: of its stream's priority; the highest, of a cooperative kernel; or the one in which the
 * GPU puts children, which may be their parent's; 0 is the highest. A rest has its parent's. */
static inline int run_level(const gcast_run *run, size_t i)
{
    for (; i >= run->op_count; i = run->children[i - run->op_count].parent)
        if (run->gpu->child_level && !run_is_rest(run, i))
            return run->gpu->child_level == 1 ? 0 : level_of_priority(run->gpu, 0);
    if (run->workload->ops[run->ops[i].op].cooperative)
        return 0;
    return level_of_priority(run->gpu, run->workload->streams[run->workload->ops[run->ops[i].op].stream].priority);
}

#endif

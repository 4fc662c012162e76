/* Questions about the operations of a run: their ops, the children among them, when their blocks end, their level. */
#ifndef MODEL_RUN_OP_H
#define MODEL_RUN_OP_H

#include "gridcast/run.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

/* The op of the workload that operation i of a run executes. */
static inline const gcast_op *run_op(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

/* Did operation i run on the GPU, with a start and an end? */
static inline bool run_op_ran(const gcast_run *run, size_t i)
{
    const gcast_run_op *o = &run->ops[i];
    return gcast_kind_on_gpu(run_op(run, i)->kind) && !o->skipped && o->start_ns >= 0 && o->end_ns >= o->start_ns;
}

/* Behind the operations that the host called, a run has those that kernels launched: children, and the rests of blocks
 * that waited for their children. */

/* All operations of a run, children and rests among them. */
static inline size_t run_total(const gcast_run *run)
{
    return run->op_count + run->child_count;
}

/* What operation i is as a child, or as the rest of a block that waited for its children; NULL: the host called it. */
static inline const gcast_child *run_child(const gcast_run *run, size_t i)
{
    return i < run->op_count ? NULL : &run->children[i - run->op_count];
}

static inline bool run_is_rest(const gcast_run *run, size_t i)
{
    return i >= run->op_count && run->children[i - run->op_count].is_rest;
}

/* The operation that a rest is a part of; any other operation is its own owner. */
static inline size_t run_owner(const gcast_run *run, size_t i)
{
    return run_is_rest(run, i) ? run->children[i - run->op_count].parent : i;
}

/* When the last block of a kernel ended, where its blocks are recorded. The kernel may end later: one that launches
 * when its children end, a programmatic one when the kernel before it does. */
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

/* The level of an operation's EE queue, 0 the highest: that of its stream's priority; 0 for a cooperative kernel. The
 * GPU's child_level says which one children have, and a rest has its parent's. */
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

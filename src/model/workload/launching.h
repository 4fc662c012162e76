/* Kernels that launch kernels ("Launches" in docs/model.md): copies them into a workload, checks them, and counts
 * launchers, items and blocks of children. */
#ifndef MODEL_WORKLOAD_LAUNCHING_H
#define MODEL_WORKLOAD_LAUNCHING_H

#include "base/integers.h"
#include "model/workload/workload.h"

#define LAUNCHES_WARP 32
#define LAUNCHES_TOO_DEEP (-2) /* child_index of a level with too many levels below */

/* Is what an op launches, on all levels, a kernel that a kernel can launch? Called before anything is copied. */
gcast_status launches_check_given(const gcast_op *op, gcast_error *err);
/* Gives `op`, which is being added and has its number of blocks, a copy of its launches, and the workload their
 * children. False without memory. */
bool launches_copy(owned_workload *o, gcast_op *op);
/* Do the launches of an op fit together and to the rest of the op? */
gcast_status launches_check(const gcast_workload *w, size_t op, gcast_error *err);
/* Can the GPU do what the launches of the workload ask for? */
gcast_status launches_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err);
/* An error where a kernel launches kernels: for callers that do not support that. `refusal` is a sentence that says
 * what they cannot do. */
gcast_status launches_refuse(const gcast_workload *w, const char *refusal, gcast_error *err);

/* Launchers of a block with this many threads. */
static inline uint32_t launches_per_block(const gcast_launches *l, int threads)
{
    return l->by == GCAST_LAUNCHER_THREAD ? (uint32_t)threads
           : l->by == GCAST_LAUNCHER_WARP ? ((uint32_t)threads + LAUNCHES_WARP - 1) / LAUNCHES_WARP
                                          : 1;
}

static inline uint32_t launches_items(const gcast_launches *l, uint64_t launcher)
{
    return !l->items ? l->items_each : launcher < l->item_count ? l->items[launcher] : 0;
}

/* The index of a launcher's first item among all items of the level; 0 where children launch nothing. */
static inline uint64_t launches_first_item(const gcast_launches *l, uint64_t launcher)
{
    if (!l->child->launches)
        return 0;
    return l->first_item ? l->first_item[min_u64(launcher, l->item_count)] : launcher * l->items_each;
}

/* The time of a launcher that does all its items and those of the levels below itself. WORKLOAD_MAX_NS: that long, or
 * longer; workloads with such launchers are refused. */
int64_t launches_loop_ns(const gcast_launches *l, uint64_t launcher);

static inline uint32_t launches_items_per_block(const gcast_launches *l)
{
    return l->items_per_block ? l->items_per_block : (uint32_t)l->child->shape.threads;
}

/* Blocks of a child with this many items, at least one. */
static inline uint32_t launches_child_blocks(const gcast_launches *l, uint32_t items)
{
    uint32_t each = launches_items_per_block(l);
    return (items - 1) / each + 1;
}

/* Items of a block of a child. */
static inline uint32_t launches_block_items(const gcast_launches *l, uint32_t items, uint32_t block)
{
    uint64_t each = launches_items_per_block(l), before = each * block;
    return (uint32_t)min_u64(each, items - before);
}

/* The most items that a thread does of a block with this many, at least one: threads take them in turn. */
static inline uint32_t launches_thread_items(const gcast_launches *l, uint32_t block_items)
{
    return (block_items - 1) / (uint32_t)l->child->shape.threads + 1;
}

/* The time that this many items add to a block. */
static inline int64_t launches_block_items_ns(const gcast_launches *l, uint32_t block_items)
{
    return (int64_t)launches_thread_items(l, block_items) * l->child_item_ns;
}

#endif

#include "model/workload/attributes/left_open.h"

#include <string.h>

#include "base/minmax.h"
#include "model/gpu/carveout.h"
#include "model/workload/edit.h"

static bool has_open_carveout(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && !op->carveout_given;
}

/* The kernel with the carveout that it may have. */
static gcast_op with_other_carveout(const gcast_op *op)
{
    gcast_op other = *op;
    if (has_open_carveout(op))
        other.carveout = GCAST_OP_CARVEOUT_DRIVER;
    return other;
}

static bool are_alike(const gcast_block_shape *a, const gcast_block_shape *b)
{
    return a->threads == b->threads && a->registers == b->registers && a->static_smem == b->static_smem &&
           a->dynamic_smem == b->dynamic_smem && a->barriers == b->barriers;
}

/* What kernels need of the shared memory of an SM, and what they leave of it. */
typedef struct smem_use {
    int64_t smallest;   /* size that an SM may get */
    int64_t least;      /* largest of the least sizes of kernels */
    int64_t of_block;   /* the most that a block takes */
    int64_t of_warps;   /* no SM full of warps takes more, whatever kernels they are of */
    bool are_different; /* kernels do not all have one shape */
} smem_use;

static smem_use use_of(const gcast_workload *w, const gcast_gpu *gpu)
{
    const gcast_limits *l = &gpu->limits;
    smem_use u = {.smallest = l->smem_per_sm};
    const gcast_op *first = NULL;
    for (size_t i = 0; i < w->op_count; i++) {
        gcast_op op = with_other_carveout(&w->ops[i]);
        gcast_occupancy o;
        if (op.kind != GCAST_KIND_KERNEL ||
            gcast_occupancy_compute(l, &op.shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
            continue;
        carveout c = carveout_of(l, &op);
        int64_t warps = max_i64((op.shape.threads + GCAST_WARP - 1) / GCAST_WARP, 1);
        u.smallest = min_i64(u.smallest, c.chosen_bytes);
        u.least = max_i64(u.least, c.min_bytes);
        u.of_block = max_i64(u.of_block, o.smem_per_block);
        u.of_warps = max_i64(u.of_warps, (o.smem_per_block * l->warps_per_sm + warps - 1) / warps);
        u.are_different = u.are_different || (first && !are_alike(&first->shape, &op.shape));
        first = first ? first : &w->ops[i];
    }
    return u;
}

/* Sizes do not matter where the smallest is enough for each kernel, and for all blocks that fit on an SM otherwise. */
static bool carveouts_may_matter(const gcast_workload *w, const gcast_gpu *gpu)
{
    bool is_open = false;
    for (size_t i = 0; i < w->op_count && gpu->limits.carveouts > 1; i++)
        is_open = is_open || has_open_carveout(&w->ops[i]);
    if (!is_open)
        return false;
    smem_use u = use_of(w, gpu);
    return u.smallest < u.least ||
           (u.are_different && u.smallest < min_i64(u.of_block * gpu->limits.blocks_per_sm, u.of_warps));
}

bool workload_leaves_open(const gcast_workload *w, const gcast_gpu *gpu, left_open choice)
{
    return choice == LEFT_OPEN_CARVEOUTS ? carveouts_may_matter(w, gpu) : workload_blocking_unknown(w);
}

void workload_choose_other_of(gcast_workload *w, left_open choice, size_t at)
{
    if (choice == LEFT_OPEN_BLOCKING) {
        workload_set_blocking(w, at, true);
        return;
    }
    gcast_op op = with_other_carveout(&w->ops[at]);
    if (op.carveout != w->ops[at].carveout)
        workload_put_op(w, at, &op);
}

void workload_choose_other(gcast_workload *w, left_open choice)
{
    for (size_t i = 0; i < w->op_count && choice == LEFT_OPEN_CARVEOUTS; i++)
        workload_choose_other_of(w, choice, i);
    for (size_t i = 0; i < w->stream_count && choice == LEFT_OPEN_BLOCKING; i++)
        if (!w->streams[i].blocking_given)
            workload_choose_other_of(w, choice, i);
}

static void add_once(open_things *found, size_t at)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->at[i] == at)
            return;
    if (found->count < LEFT_OPEN_THINGS)
        found->at[found->count++] = at;
}

/* Does an idle SM get another size from the driver than the largest? */
static bool driver_chooses_less(const gcast_gpu *gpu, const gcast_op *op)
{
    gcast_op other = with_other_carveout(op);
    return carveout_of(&gpu->limits, &other).chosen_bytes < gpu->limits.smem_per_sm;
}

void workload_open_things(const gcast_workload *w, const gcast_gpu *gpu, left_open choice, open_things *found)
{
    found->count = 0;
    if (!workload_leaves_open(w, gpu, choice))
        return;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_stream *s = gcast_kind_on_gpu(op->kind) ? &w->streams[op->stream] : NULL;
        if (choice == LEFT_OPEN_CARVEOUTS && has_open_carveout(op) && driver_chooses_less(gpu, op))
            add_once(found, i);
        if (choice == LEFT_OPEN_BLOCKING && s && s->id != 0 && !s->blocking && !s->blocking_given)
            add_once(found, (size_t)op->stream);
    }
}

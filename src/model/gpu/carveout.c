/* "Carveouts" of docs/model.md: found on an H200 with kernels of 84 shapes (docs/rules.md). */
#include "model/gpu/carveout.h"

#include "base/minmax.h"
#include "model/gpu/smem_size.h"

#define MAX_CHOICE (132 * 1024) /* of the driver, except for a kernel that needs more */
#define LARGE_BLOCK 512         /* threads */

/* The driver provides for a few times the blocks that an SM can hold. */
static int drivers_choice(const gcast_limits *l, const gcast_block_shape *s, const gcast_occupancy *o)
{
    int64_t times = s->static_smem + s->dynamic_smem == 0 ? 4 : s->threads <= LARGE_BLOCK ? 2 : 1;
    int64_t blocks = min_i64(times * o->blocks_per_sm, l->blocks_per_sm);
    return smem_size_for(l, min_i64(blocks * o->smem_per_block, MAX_CHOICE));
}

carveout carveout_of(const gcast_limits *l, const gcast_op *op)
{
    gcast_occupancy o;
    carveout c = {l->smem_per_sm, l->smem_per_sm};
    if (gcast_occupancy_compute(l, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
        return c;
    c.min_bytes = smem_size_for(l, o.blocks_per_sm * o.smem_per_block);
    if (op->carveout == GCAST_OP_CARVEOUT_DRIVER)
        c.chosen_bytes = max_int(c.min_bytes, drivers_choice(l, &op->shape, &o));
    return c;
}

bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count + w->child_count && gpu->limits.carveouts > 1; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].carveout == GCAST_OP_CARVEOUT_DRIVER)
            return true;
    return false;
}

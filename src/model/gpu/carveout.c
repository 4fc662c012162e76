/* "Carveouts" of docs/model.md: found on an H200 with kernels of 84 shapes (docs/rules.md). */
#include "model/gpu/carveout.h"

#define CHOICE_MOST (132 * 1024) /* of the driver, but for a kernel that needs more */
#define LARGE_BLOCK 512          /* threads */

/* The smallest listed size that is not smaller. */
static int size_for(const gcast_limits *l, int64_t bytes)
{
    for (int i = 0; i < l->carveouts; i++)
        if (l->carveout[i] >= bytes)
            return l->carveout[i];
    return l->smem_per_sm;
}

/* What the driver would have room for: a few times the blocks that an SM holds. */
static int drivers_choice(const gcast_limits *l, const gcast_block_shape *s, const gcast_occupancy *o)
{
    int64_t times = s->static_smem + s->dynamic_smem == 0 ? 4 : s->threads <= LARGE_BLOCK ? 2 : 1;
    int64_t blocks = times * o->blocks_per_sm < l->blocks_per_sm ? times * o->blocks_per_sm : l->blocks_per_sm;
    int64_t bytes = blocks * o->smem_per_block;
    return size_for(l, bytes < CHOICE_MOST ? bytes : CHOICE_MOST);
}

carveout carveout_of(const gcast_limits *l, const gcast_op *op)
{
    gcast_occupancy o;
    carveout c = {l->smem_per_sm, l->smem_per_sm};
    if (gcast_occupancy_compute(l, &op->shape, GCAST_CARVEOUT_DEFAULT, &o, NULL) != GCAST_OK)
        return c;
    c.least = size_for(l, o.blocks_per_sm * o.smem_per_block);
    if (op->carveout == GCAST_OP_CARVEOUT_DRIVER) {
        c.chosen = drivers_choice(l, &op->shape, &o);
        c.chosen = c.chosen > c.least ? c.chosen : c.least;
    }
    return c;
}

bool carveout_matters(const gcast_gpu *gpu, const gcast_workload *w)
{
    bool driver = false;
    for (size_t i = 0; i < w->op_count; i++)
        driver = driver || (w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].carveout == GCAST_OP_CARVEOUT_DRIVER);
    return driver && gpu->limits.carveouts > 1;
}

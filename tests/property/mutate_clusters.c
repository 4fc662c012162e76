/* Ways to spoil a run with clusters. */
#include "property/mutate.h"

/* The op of a kernel with clusters in the direction x; NULL: it has none. */
static const gcast_op *clustered(const specimen *s, size_t i)
{
    const gcast_op *op = &s->run.workload->ops[s->ops[i].op];
    return op->kind == GCAST_KIND_KERNEL && !s->ops[i].skipped && op->cluster[0] > 1 ? op : NULL;
}

static void move_later(gcast_block *b)
{
    b->start_ns++;
    b->end_ns++;
}

/* The second block of the first cluster starts after the first. */
bool mutate_split_cluster(specimen *s, size_t i)
{
    if (!clustered(s, i))
        return false;
    move_later(&s->blocks[i][1]);
    return true;
}

static int gpc_of(const gcast_gpu *gpu, uint32_t sm)
{
    for (int g = 0, n = 0; g < gpu->gpc_count; g++)
        for (int k = 0; k < gpu->gpc_sizes[g]; k++)
            if (gpu->gpc_sms[n++] == (int)sm)
                return g;
    return -1;
}

/* The second block of the first cluster runs on another GPC. */
bool mutate_cluster_of_two_gpcs(specimen *s, size_t i)
{
    const gcast_gpu *gpu = s->run.gpu;
    if (!clustered(s, i))
        return false;
    for (int sm = 0; sm < gpu->sms; sm++)
        if (gpc_of(gpu, (uint32_t)sm) != gpc_of(gpu, s->blocks[i][0].sm)) {
            s->blocks[i][1].sm = (uint32_t)sm;
            return true;
        }
    return false;
}

/* Two blocks of the first cluster run on one SM. */
bool mutate_crowded_cluster(specimen *s, size_t i)
{
    if (!clustered(s, i))
        return false;
    s->blocks[i][1].sm = s->blocks[i][0].sm;
    return true;
}

/* The second cluster starts 1 ns later than it could. */
bool mutate_lazy_cluster(specimen *s, size_t i)
{
    const gcast_op *op = clustered(s, i);
    if (!op || op->cluster[1] > 1 || op->grid[0] < 2 * op->cluster[0])
        return false;
    for (uint32_t b = op->cluster[0]; b < 2 * op->cluster[0]; b++)
        move_later(&s->blocks[i][b]);
    return true;
}

/* How many clusters run at a time: each of their blocks needs an SM of its own, all of one GPC. */
#include "base/api/argument_missing.h"
#include "base/minmax.h"
#include "gridcast/occupancy.h"
#include "model/gpu/gpcs/gpcs.h"
#include "model/workload/attributes/attributes.h"

gcast_status gcast_occupancy_clusters(const gcast_gpu *gpu, const gcast_block_shape *shape, int carveout, int cluster,
                                      int64_t *clusters, gcast_error *err)
{
    if (!gpu || !shape || !clusters)
        return argument_missing(err);
    gcast_occupancy o;
    if (cluster < 1 || cluster > ATTRIBUTES_MAX_CLUSTER)
        return gcast_error_set(err, GCAST_INPUT, NULL, "a cluster has from 1 to %d blocks", ATTRIBUTES_MAX_CLUSTER);
    if (gpu->limits.cc_major < 9)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "GPUs have clusters from compute capability 9.0 on; %.100s has %d.%d", gpu->name,
                               gpu->limits.cc_major, gpu->limits.cc_minor);
    if (!gpu->gpc_count)
        return gcast_error_set(err, GCAST_INPUT, "/gpcs",
                               "which SMs of %.100s share a GPC is not known: gpcs in a file of the GPU says it (man 5 "
                               "gridcast-gpu)",
                               gpu->name);
    gcast_status status = gpcs_check(gpu, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_occupancy_compute(&gpu->limits, shape, carveout, &o, err);
    if (status != GCAST_OK)
        return status;
    int blocks = min_int(o.blocks_per_sm, ATTRIBUTES_CLUSTER_BLOCKS);
    *clusters = 0;
    for (int g = 0; g < gpu->gpc_count; g++)
        if (gpu->gpc_sizes[g] >= cluster)
            *clusters += (int64_t)gpu->gpc_sizes[g] * blocks / cluster;
    return GCAST_OK;
}

#include "profile/make/times/launch_kind.h"

#include <stdlib.h>
#include <string.h>

#include "gridcast/occupancy.h"
#include "profile/make/times/span_residency.h"

#define MOST_IN_CLUSTER 16

uint32_t cluster_size(const prof_op *op)
{
    uint64_t size = 1;
    for (int i = 0; i < 3; i++)
        size *= op->cluster[i] > MOST_IN_CLUSTER ? MOST_IN_CLUSTER + 1 : op->cluster[i] ? op->cluster[i] : 1;
    return (uint32_t)size;
}

/* Clusters that the GPU runs at a time; 0: none. */
static int64_t clusters_at_a_time(const gcast_gpu *gpu, const prof_op *op)
{
    gcast_block_shape shape = block_shape_of(op);
    gcast_error err;
    int64_t clusters = 0;
    for (int i = 0; i < 3; i++)
        if (op->cluster[i] && op->grid[i] % op->cluster[i])
            return 0; /* which CUDA refuses */
    if (gcast_occupancy_clusters(gpu, &shape, GCAST_CARVEOUT_DEFAULT, (int)cluster_size(op), &clusters, &err) !=
        GCAST_OK)
        return 0;
    return clusters;
}

bool cluster_fits(const gcast_gpu *gpu, const prof_op *op)
{
    return cluster_size(op) > 1 && clusters_at_a_time(gpu, op) > 0;
}

uint64_t blocks_at_a_time(const gcast_gpu *gpu, const prof_op *op)
{
    int64_t clusters = cluster_size(op) > 1 ? clusters_at_a_time(gpu, op) : 0;
    if (clusters > 0)
        return (uint64_t)clusters * cluster_size(op);
    return (uint64_t)residency_of(&gpu->limits, op) * (uint64_t)gpu->sms;
}

bool cooperative_fits(const gcast_gpu *gpu, const prof_op *op)
{
    unsigned __int128 blocks = (unsigned __int128)op->grid[0] * op->grid[1] * op->grid[2];
    return op->is_cooperative && blocks <= blocks_at_a_time(gpu, op);
}

/* The product of "2x1x1" at `at`, of numbers of one or two digits, and where it ends; 0: there is no such. */
static long product_at(const char *at, const char **end)
{
    long product = 1;
    for (int i = 0; i < 3; i++) {
        char *behind;
        if (*at < '0' || *at > '9')
            return 0;
        long n = strtol(at, &behind, 10);
        if (behind - at > 2 || (i < 2 && *behind != 'x'))
            return 0;
        product *= n;
        at = behind + (i < 2);
    }
    *end = at;
    return product;
}

/* Does a part of the name, "cga2x1x1" or in CUTLASS's names "_2x1x1_", say that there are clusters? */
static bool names_cluster(const char *name)
{
    const char *cga = strstr(name, "cga"), *end = "";
    if (cga || !strstr(name, "cutlass"))
        return cga && product_at(cga + 3, &end) > 1;
    for (const char *p = strchr(name, '_'); p; p = strchr(p + 1, '_')) {
        long product = product_at(p + 1, &end);
        if (product > 1 && product <= MOST_IN_CLUSTER && *end == '_')
            return true;
    }
    return false;
}

bool launch_findings(making *m)
{
    prof_findings *f = m->findings;
    uint64_t clusters = 0, cooperative = 0, named = 0;
    const char *name = NULL;
    for (size_t i = 0; i < m->ops.count; i++) {
        const prof_op *op = trace_op(m, i);
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        clusters += cluster_size(op) > 1 && !cluster_fits(m->o->gpu, op);
        cooperative += op->is_cooperative && !cooperative_fits(m->o->gpu, op);
        if (!op->cluster[0] && m->o->gpu->limits.cc_major >= 9 && names_cluster(op->name)) {
            name = name ? name : op->name;
            named++;
        }
    }
    return findings_add(f,
                        "{kernel} launched in clusters that this GPU does not run, or whose GPCs are not known: blocks "
                        "are placed one by one",
                        NULL, clusters) &&
           findings_add(f, "{kernel} with a name that tells of clusters, which the profile does not: none are assumed",
                        name, named) &&
           findings_add(f,
                        "{kernel} launched as cooperative whose blocks do not all fit on this GPU: they need not be "
                        "resident together here",
                        NULL, cooperative);
}

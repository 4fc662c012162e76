#include "measure/launch/kernel_call.h"

#include <string.h>

#define PARAMETERS 5     /* of kernels from waits.ptx; the others have the first four */
#define MAX_ATTRIBUTES 3 /* of a launch */

/* The parameters of a call, whose memory must live until it is made. */
typedef struct parameters {
    kernel_call k;
    uint64_t no_registers; /* 0: the code that holds registers is not executed */
    void *at[PARAMETERS];
} parameters;

static void set_parameters(parameters *p, const kernel_call *k)
{
    p->k = *k;
    p->no_registers = 0;
    void *at[PARAMETERS] = {&p->k.records, &p->k.durations, &p->k.duration_ns, &p->no_registers, &p->k.waits};
    memcpy(p->at, at, sizeof at);
}

/* The attributes of a kernel, wherever it is launched; their number. */
static unsigned list_attributes(const kernel_call *k, CUlaunchAttribute list[MAX_ATTRIBUTES])
{
    unsigned n = 0;
    memset(list, 0, MAX_ATTRIBUTES * sizeof *list);
    if (k->cluster[0] != 1 || k->cluster[1] != 1 || k->cluster[2] != 1) {
        list[n].value.cluster.x = k->cluster[0];
        list[n].value.cluster.y = k->cluster[1];
        list[n].value.cluster.z = k->cluster[2];
        list[n++].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    }
    if (k->cooperative) {
        list[n].value.cooperative = 1;
        list[n++].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    }
    if (k->programmatic) {
        list[n].value.programmatic = 1;
        list[n++].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    }
    return n;
}

gcast_status kernel_call_make(const driver *d, const kernel_call *k, CUstream stream, gcast_error *err)
{
    parameters p;
    CUlaunchAttribute attributes[MAX_ATTRIBUTES];
    unsigned count = list_attributes(k, attributes);
    set_parameters(&p, k);
    if (!count)
        return DRIVER_CALL(d, err, cuLaunchKernel, k->function, k->grid[0], k->grid[1], k->grid[2], k->block[0],
                           k->block[1], k->block[2], k->shared, stream, p.at, NULL);
    if (!d->attributes)
        return gcast_error_set(err, GCAST_GPU, NULL,
                               "this driver has no clusters, cooperative and programmatic launches: that needs CUDA "
                               "11.8");
    CUlaunchConfig config = {.grid = {k->grid[0], k->grid[1], k->grid[2]},
                             .block = {k->block[0], k->block[1], k->block[2]},
                             .shared = k->shared,
                             .stream = stream,
                             .attributes = attributes,
                             .attribute_count = count};
    return DRIVER_CALL(d, err, cuLaunchKernelEx, &config, k->function, p.at, NULL);
}

gcast_status kernel_call_add(const driver *d, const kernel_call *k, CUgraph graph, CUgraphNode *node, gcast_error *err)
{
    parameters p;
    CUlaunchAttribute attributes[MAX_ATTRIBUTES];
    unsigned count = list_attributes(k, attributes);
    set_parameters(&p, k);
    CUkernelNode kernel = {.function = k->function,
                           .grid = {k->grid[0], k->grid[1], k->grid[2]},
                           .block = {k->block[0], k->block[1], k->block[2]},
                           .shared = k->shared,
                           .parameters = p.at};
    gcast_status status = DRIVER_CALL(d, err, cuGraphAddKernelNode, node, graph, NULL, 0, &kernel);
    for (unsigned i = 0; i < count && status == GCAST_OK; i++)
        status = DRIVER_CALL(d, err, cuGraphKernelNodeSetAttribute, *node, attributes[i].id, &attributes[i].value);
    return status;
}

#include "measure/session/kernel_call.h"

#include <stdlib.h>
#include <string.h>

#include "model/workload/dependencies.h"

#define PARAMETERS 5     /* of kernels from waits.ptx; the others have the first four */
#define MAX_ATTRIBUTES 3 /* of a launch */

/* The parameters of a call; they must live until it is made. */
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

/* Lists the attributes of a kernel, in a stream or a graph; returns their number. */
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

/* An entry of a list (waits.ptx). */
typedef struct awaited {
    CUdeviceptr counter;
    uint64_t blocks; /* the value to wait for */
} awaited;

bool start_counters_waited_for(const gcast_workload *w, size_t op)
{
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].waits_for_count; k++)
            if (w->ops[i].waits_for[k] == op)
                return true;
    return false;
}

static gcast_status upload(const start_counters *c, const device *v, const awaited *list, CUstream stream,
                           gcast_error *err)
{
    gcast_status status =
        DRIVER_CALL(&v->d, err, cuMemcpyHtoDAsync, c->lists, list, c->first[c->count] * sizeof *list, stream);
    return status == GCAST_OK ? DRIVER_CALL(&v->d, err, cuStreamSynchronize, stream) : status;
}

/* Makes and uploads the lists. */
static gcast_status make_lists(const start_counters *c, const device *v, const gcast_workload *w,
                               const gcast_run_op *ops, CUstream stream, gcast_error *err)
{
    awaited *list = calloc(c->first[c->count] + 1, sizeof *list);
    if (!list)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < c->count; i++) {
        const gcast_op *op = &w->ops[ops[i].op];
        for (size_t k = 0; k < op->waits_for_count; k++) {
            size_t named = dependencies_operation(i, ops[i].op, op->waits_for[k]);
            list[c->first[i] + k] = (awaited){c->words + named * sizeof(uint32_t), w->ops[op->waits_for[k]].blocks};
        }
    }
    gcast_status status = upload(c, v, list, stream, err);
    free(list);
    return status;
}

gcast_status start_counters_open(start_counters *c, const device *v, const gcast_workload *w, const gcast_run_op *ops,
                                 size_t count, int64_t give_up_ns, CUstream stream, gcast_error *err)
{
    *c = (start_counters){.count = count, .give_up_ns = give_up_ns};
    c->first = calloc(count + 1, sizeof *c->first);
    if (!c->first)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < count; i++)
        c->first[i + 1] = c->first[i] + w->ops[ops[i].op].waits_for_count;
    if (!c->first[count])
        return GCAST_OK;
    gcast_status status = device_alloc(v, &c->words, count + 1, sizeof(uint32_t), err);
    if (status == GCAST_OK)
        status = device_alloc(v, &c->lists, c->first[count], sizeof(awaited), err);
    return status == GCAST_OK ? make_lists(c, v, w, ops, stream, err) : status;
}

gcast_status start_counters_reset(const start_counters *c, const device *v, CUstream stream, gcast_error *err)
{
    return c->words ? DRIVER_CALL(&v->d, err, cuMemsetD8Async, c->words, 0, (c->count + 1) * sizeof(uint32_t), stream)
                    : GCAST_OK;
}

block_waits start_counters_of(const start_counters *c, const gcast_op *op, size_t operation)
{
    block_waits waits = {.trigger_ns = op->trigger_ns, .wait_ns = op->wait_ns, .grid_wait = op->programmatic};
    for (size_t k = 0; op->ports && k < op->after_count; k++)
        if (op->ports[k] != GCAST_PORT_FULL)
            waits.grid_wait = 1;
    if (!c->words)
        return waits;
    waits.started = c->words + operation * sizeof(uint32_t);
    waits.list = c->lists + c->first[operation] * sizeof(awaited);
    waits.list_count = op->waits_for_count;
    waits.give_up_ns = c->give_up_ns;
    waits.gave_up = c->words + c->count * sizeof(uint32_t);
    return waits;
}

void start_counters_close(start_counters *c, const device *v)
{
    if (c->words)
        v->d.cuMemFree(c->words);
    if (c->lists)
        v->d.cuMemFree(c->lists);
    free(c->first);
    *c = (start_counters){0};
}

#include "record/callbacks.h"

#include "record/activity.h"

#define MAX_ATTRIBUTES 64 /* further ones are ignored; CUDA 13 has 17 kinds */

static void take_attribute(int64_t f[LAUNCH_COUNT], const launch_attribute *a)
{
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        f[LAUNCH_COOPERATIVE] = a->value.number != 0;
        break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        f[LAUNCH_PROGRAMMATIC] = a->value.number != 0;
        break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        f[LAUNCH_PROGRAMMATIC_EVENT] = 1;
        break;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        f[LAUNCH_PRIORITY] = a->value.number;
        break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        f[LAUNCH_CLUSTER_X] = a->value.dims[0];
        f[LAUNCH_CLUSTER_Y] = a->value.dims[1];
        f[LAUNCH_CLUSTER_Z] = a->value.dims[2];
        break;
    default:
        break;
    }
}

/* Records a launch with attributes, at the entry of the call. */
static void take_launch(recorder *s, const cupti_call *call)
{
    const launch_params *p = call->params;
    int64_t f[LAUNCH_COUNT] = {[LAUNCH_CORRELATION] = call->correlation, [LAUNCH_PRIORITY] = RECORDED_UNKNOWN};
    if (call->site != CUPTI_API_ENTER || !p || !p->config || !p->config->attributes || !p->config->attribute_count)
        return;
    for (uint32_t i = 0; i < p->config->attribute_count && i < MAX_ATTRIBUTES; i++)
        take_attribute(f, &p->config->attributes[i]);
    raw_put(&s->file, RECORDED_LAUNCH, f, LAUNCH_COUNT, "", 0);
}

static int64_t node_number(const recorder *s, void *node)
{
    uint64_t id = 0;
    return node && s->cupti.cuptiGetGraphNodeId(node, &id) == CUPTI_SUCCESS ? (int64_t)id : 0;
}

static int64_t graph_number(const recorder *s, void *graph)
{
    uint32_t id = 0;
    return graph && s->cupti.cuptiGetGraphId && s->cupti.cuptiGetGraphId(graph, &id) == CUPTI_SUCCESS ? id : 0;
}

static int64_t exec_number(const recorder *s, void *exec)
{
    uint32_t id = 0;
    return exec && s->cupti.cuptiGetGraphExecId && s->cupti.cuptiGetGraphExecId(exec, &id) == CUPTI_SUCCESS ? id : 0;
}

static void take_node(recorder *s, const cupti_graph *g, bool is_clone)
{
    const int64_t f[NODE_COUNT] = {[NODE_NODE] = node_number(s, g->node),
                                   [NODE_GRAPH] = graph_number(s, g->graph),
                                   [NODE_TYPE] = g->node_type,
                                   [NODE_ORIGIN] = is_clone ? node_number(s, g->original_node) : 0,
                                   [NODE_ORIGIN_GRAPH] = is_clone ? graph_number(s, g->original_graph) : 0};
    if (f[NODE_NODE])
        raw_put(&s->file, RECORDED_NODE, f, NODE_COUNT, "", 0);
}

/* `node` depends on `dependency`, as tried with CUPTI 13.0; its header calls it "the dependent graph node". */
static void take_edge(recorder *s, const cupti_graph *g, bool is_removed)
{
    const int64_t f[EDGE_COUNT] = {[EDGE_GRAPH] = graph_number(s, g->graph),
                                   [EDGE_BEFORE] = node_number(s, g->dependency),
                                   [EDGE_NODE] = node_number(s, g->node),
                                   [EDGE_REMOVED] = is_removed};
    if (f[EDGE_BEFORE] && f[EDGE_NODE])
        raw_put(&s->file, RECORDED_EDGE, f, EDGE_COUNT, "", 0);
}

static void take_exec(recorder *s, const cupti_graph *g)
{
    const int64_t f[EXEC_COUNT] = {[EXEC_EXEC] = exec_number(s, g->exec), [EXEC_GRAPH] = graph_number(s, g->graph)};
    if (f[EXEC_EXEC])
        raw_put(&s->file, RECORDED_EXEC, f, EXEC_COUNT, "", 0);
}

static void take_resource(recorder *s, uint32_t id, const cupti_graph *g)
{
    switch (id) {
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
        take_node(s, g, id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
        break;
    case CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED:
    case CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING:
        take_edge(s, g, id == CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING);
        break;
    case CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED:
        take_exec(s, g);
        break;
    default:
        break;
    }
}

static void on_callback(void *data, int domain, uint32_t id, const void *of_domain)
{
    recorder *s = data;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        take_launch(s, of_domain);
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && ((const cupti_resource *)of_domain)->descriptor)
        take_resource(s, id, ((const cupti_resource *)of_domain)->descriptor);
}

void callbacks_start(recorder *s)
{
    static const struct {
        int domain;
        uint32_t id;
    } wanted[] = {
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx},
        {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING},
        {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED},
    };
    const cupti *c = &s->cupti;
    if (!c->cuptiSubscribe || !c->cuptiEnableCallback || !c->cuptiGetGraphNodeId)
        return put_note(s, RECORDED_NOTE_WITHOUT, 1, "this libcupti has no callbacks of graphs");
    CUptiResult result = c->cuptiSubscribe(&s->subscriber, on_callback, s);
    if (result != CUPTI_SUCCESS) {
        s->subscriber = NULL;
        put_failure(s, RECORDED_NOTE_WITHOUT, "cuptiSubscribe", result);
        return;
    }
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        result = c->cuptiEnableCallback(1, s->subscriber, wanted[i].domain, wanted[i].id);
        if (result != CUPTI_SUCCESS)
            put_failure(s, RECORDED_NOTE_WITHOUT, "cuptiEnableCallback", result);
    }
}

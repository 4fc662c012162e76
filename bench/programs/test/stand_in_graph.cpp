// Graphs of the stand-in for the CUDA runtime.
#include "stand_in.h"
#include <algorithm>
#include <cstring>

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned)
{
    return *g = (cudaGraph_t) new GraphData(), cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    return delete (GraphData *)g, cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g)
{
    return delete (GraphData *)g, cudaSuccess;
}
static cudaError_t add(cudaGraphNode_t *out, cudaGraph_t g, Node *n)
{
    ((GraphData *)g)->nodes.push_back(n);
    *out = (cudaGraphNode_t)n;
    return check(*n);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *p)
{
    Node *n = new Node();
    name_of(p->func);
    n->kind = 1, n->function = p->func, n->blocks = p->gridDim.x, n->threads = p->blockDim.x,
    n->shared = p->sharedMemBytes;
    memcpy(&n->all, p->kernelParams[0], sizeof(Body));
    return add(out, g, n);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *, size_t, void *,
                                     const void *, size_t, cudaMemcpyKind)
{
    Node *n = new Node();
    n->kind = 2;
    return add(out, g, n);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *, size_t,
                                   const cudaMemsetParams *)
{
    Node *n = new Node();
    n->kind = 2;
    return add(out, g, n);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue *v)
{
    if (id == cudaLaunchAttributeClusterDimension)
        ((Node *)node)->cluster = v->clusterDim.x;
    if (id == cudaLaunchAttributeCooperative)
        ((Node *)node)->cooperative = true;
    return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *e, size_t)
{
    if (e->from_port == 1 && e->type == 0)
        return cudaErrorInvalidValue;
    ((Node *)*to)->after.emplace_back((Node *)*from, e->from_port);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long)
{
    return *x = (cudaGraphExec_t) new GraphData(*(GraphData *)g), cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s)
{
    uint64_t start = std::max(now() + 8000, data(s).last.end + GAP), end = start;
    for (Node *n : ((GraphData *)x)->nodes) {
        uint64_t from = start;
        for (auto &[before, port] : n->after)
            from = std::max(from, port == 1 ? before->span.release + EARLY : before->span.end + GAP);
        if (n->kind == 1)
            run_kernel(*n, from);
        else
            n->span.end = n->span.release = from + 5000;
        end = std::max(end, n->span.end);
    }
    data(s).last.end = data(s).last.release = end;
    all_end = std::max(all_end, end);
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode)
{
    return data(s).capture = new GraphData(), cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g)
{
    *g = (cudaGraph_t)data(s).capture;
    return data(s).capture = nullptr, cudaSuccess;
}
}

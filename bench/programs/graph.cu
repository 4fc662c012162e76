// Graphs, made node by node or captured.
#include "lab.h"
#include <cstring>

Graph::Graph(Trial &t) : trial(t)
{
    MUST(cudaGraphCreate(&graph, 0));
}

Graph::~Graph()
{
    if (exec)
        cudaGraphExecDestroy(exec);
    if (graph)
        cudaGraphDestroy(graph);
}

int Graph::added(cudaGraphNode_t node, int kernel)
{
    nodes.push_back(node);
    kernel_of.push_back(kernel);
    return (int)nodes.size() - 1;
}

void Graph::edge(int from, int to, int port, int type)
{
    cudaGraphEdgeData data;
    memset(&data, 0, sizeof data);
    data.from_port = (unsigned char)port;
    data.type = (unsigned char)type;
    MUST(cudaGraphAddDependencies(graph, &nodes[from], &nodes[to], &data, 1));
    if (kernel_of[from] >= 0 && kernel_of[to] >= 0)
        trial[kernel_of[to]].after.push_back(kernel_of[from]);
}

int Graph::kernel(Kernel &k, const std::vector<int> &after, int port, int type)
{
    void *arguments[] = {&k.all};
    cudaKernelNodeParams params = {};
    params.func = const_cast<void *>(function_of(k.function));
    params.gridDim = dim3(k.blocks);
    params.blockDim = dim3(k.threads);
    params.sharedMemBytes = (unsigned)k.shared;
    params.kernelParams = arguments;
    cudaGraphNode_t node;
    MUST(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    for (const cudaLaunchAttribute &attribute : k.attributes())
        MUST(cudaGraphKernelNodeSetAttribute(node, attribute.id, &attribute.val));
    k.node = added(node, k.index);
    for (int from : after)
        edge(from, k.node, port, type);
    return k.node;
}

int Graph::copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const std::vector<int> &after)
{
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, to, from, bytes, kind));
    int n = added(node, -1);
    for (int f : after)
        edge(f, n);
    return n;
}

int Graph::set(void *to, size_t bytes, const std::vector<int> &after)
{
    cudaMemsetParams params;
    memset(&params, 0, sizeof params);
    params.dst = to;
    params.elementSize = 1;
    params.width = bytes;
    params.height = 1;
    params.value = 3;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
    int n = added(node, -1);
    for (int f : after)
        edge(f, n);
    return n;
}

void Graph::make(unsigned long long flags)
{
    uint64_t from = host_ns();
    MUST(cudaGraphInstantiate(&exec, graph, flags));
    instantiate_ns = host_ns() - from;
}

void Graph::capture(cudaStream_t stream, const std::function<void()> &calls)
{
    cudaGraphDestroy(graph);
    graph = nullptr;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    try {
        calls();
    } catch (const Failure &) {
        cudaStreamEndCapture(stream, &graph);
        throw;
    }
    MUST(cudaStreamEndCapture(stream, &graph));
}

void Graph::upload(cudaStream_t stream)
{
    uint64_t from = host_ns();
    MUST(cudaGraphUpload(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    upload_ns = host_ns() - from;
}

void Graph::launch(cudaStream_t stream, const char *what)
{
    trial.did(what, [&] { return cudaGraphLaunch(exec, stream); });
}

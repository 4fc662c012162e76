/* SSSP: distances by weights from the vertex of largest degree. A thread has a vertex whose distance fell in the round
 * before, an item is an edge. Rounds are deterministic: edges are relaxed with the distances that vertices had when the
 * round began. */
#include "papers/apps/data/reference.h"
#include "frontier.cuh"

struct sssp_graph {
    const uint64_t *first;
    const uint32_t *target;
    uint32_t *distance;
    uint32_t *known; /* distances when the round began */
};

static __device__ __forceinline__ void sssp_item(const sssp_graph &g, uint32_t from, uint32_t distance, uint64_t edge)
{
    uint32_t to = g.target[edge], offer = distance + app_edge_weight(from, to);
    if (offer < g.distance[to])
        atomicMin(&g.distance[to], offer);
}

template <int MODE>
__global__ void sssp_child(app_device run, sssp_graph g, uint32_t from, uint32_t distance, uint64_t first,
                           uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items)
        sssp_item(g, from, distance, first + k);
    app_child_end<MODE>(run, child);
}

template <int MODE>
__global__ void sssp_parent(app_device run, sssp_graph g, const uint32_t *list, uint32_t length, uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>(), first = 0;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0, vertex = 0, distance = 0;
    if (i < length) {
        vertex = list[i];
        distance = g.known[vertex];
        first = g.first[vertex];
        items = (uint32_t)(g.first[vertex + 1] - first);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                sssp_child<MODE>
                    <<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, g, vertex, distance, first, items);
        },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                sssp_item(g, vertex, distance, first + k);
        });
}

/* Has the distance fallen? */
struct sssp_fell {
    sssp_graph g;
    __device__ bool operator()(uint32_t vertex) const
    {
        return g.distance[vertex] != g.known[vertex];
    }
    __device__ void take(uint32_t vertex) const
    {
        g.known[vertex] = g.distance[vertex];
    }
};

struct sssp : app {
    sssp_graph g = {};
    frontier next;
    app_shape shape = app_shape_of(APP_SSSP);
    uint32_t vertices = 0, source = 0;

    void upload(const app_dataset &data) override
    {
        vertices = data.graph.vertices;
        source = app_graph_source(&data.graph);
        g.first = device_copy(data.graph.first, (size_t)vertices + 1);
        g.target = device_copy(data.graph.target, data.graph.edges);
        g.distance = device_array<uint32_t>(vertices);
        g.known = device_array<uint32_t>(vertices);
        next.make(vertices);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(g.distance, 0xff, vertices * sizeof *g.distance, stream));
        check_cuda(cudaMemsetAsync(g.known, 0xff, vertices * sizeof *g.known, stream));
        check_cuda(cudaMemsetAsync(g.distance + source, 0, sizeof *g.distance, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        uint32_t length = next.collect(sssp_fell{g}, clock.stream);
        while (length) {
            uint32_t blocks = blocks_for(length, shape.parent_threads);
            sssp_parent<MODE>
                <<<blocks, shape.parent_threads, 0, clock.stream>>>(device, g, next.list, length, shape.child_threads);
            length = next.collect(sssp_fell{g}, clock.stream);
            clock.round();
        }
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, g.distance, vertices * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    sssp application;
    return app_main(argc, argv, "SSSP", application);
}

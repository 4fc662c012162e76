/* BFS: distances in edges from the vertex of largest degree, level by level. A thread has a vertex of the frontier, an
 * item is an edge. */
#include "papers/apps/data/reference.h"
#include "frontier.cuh"

struct bfs_graph {
    const uint64_t *first;
    const uint32_t *target;
    uint32_t *distance;
};

/* Several threads may write, all the same value. */
static __device__ __forceinline__ void bfs_item(const bfs_graph &g, uint64_t edge, uint32_t next)
{
    uint32_t to = g.target[edge];
    if (g.distance[to] == APP_UNREACHED)
        g.distance[to] = next;
}

template <int MODE>
__global__ void bfs_child(app_device run, bfs_graph g, uint64_t first, uint32_t items, uint32_t next)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items)
        bfs_item(g, first + k, next);
    app_child_end<MODE>(run, child);
}

template <int MODE>
__global__ void bfs_parent(app_device run, bfs_graph g, const uint32_t *list, uint32_t length, uint32_t next,
                           uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>(), first = 0;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0;
    if (i < length) {
        uint32_t vertex = list[i];
        first = g.first[vertex];
        items = (uint32_t)(g.first[vertex + 1] - first);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                bfs_child<MODE><<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, g, first, items, next);
        },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                bfs_item(g, first + k, next);
        });
}

/* Was the vertex reached in this level? */
struct bfs_reached {
    const uint32_t *distance;
    uint32_t level;
    __device__ bool operator()(uint32_t vertex) const
    {
        return distance[vertex] == level;
    }
    __device__ void take(uint32_t) const
    {
    }
};

struct bfs : app {
    bfs_graph g = {};
    frontier next;
    app_shape shape = app_shape_of(APP_BFS);
    uint32_t vertices = 0, source = 0;

    void upload(const app_dataset &data) override
    {
        vertices = data.graph.vertices;
        source = app_graph_source(&data.graph);
        g.first = device_copy(data.graph.first, (size_t)vertices + 1);
        g.target = device_copy(data.graph.target, data.graph.edges);
        g.distance = device_array<uint32_t>(vertices);
        next.make(vertices);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(g.distance, 0xff, vertices * sizeof *g.distance, stream));
        check_cuda(cudaMemsetAsync(g.distance + source, 0, sizeof *g.distance, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        uint32_t length = next.collect(bfs_reached{g.distance, 0}, clock.stream);
        for (uint32_t level = 1; length; level++) {
            uint32_t blocks = blocks_for(length, shape.parent_threads);
            bfs_parent<MODE><<<blocks, shape.parent_threads, 0, clock.stream>>>(device, g, next.list, length, level,
                                                                                shape.child_threads);
            length = next.collect(bfs_reached{g.distance, level}, clock.stream);
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
    bfs application;
    return app_main(argc, argv, "BFS", application);
}

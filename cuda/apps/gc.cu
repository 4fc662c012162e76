/* GC: colours of a graph. A thread has a vertex without a colour, an item is a neighbour. After the items of a round, a
 * vertex that comes before all its neighbours without a colour takes the smallest colour that no neighbour has. */
#include "papers/apps/data/reference.h"
#include "frontier.cuh"

struct gc_graph {
    const uint64_t *first;
    const uint32_t *target;
    uint32_t *colour;  /* not written while items are done */
    uint32_t *waiting; /* the last round in which a neighbour came before the vertex */
    uint8_t *is_used;  /* by edge: first[vertex] + c: a neighbour has colour c. c < degree: more are of no interest */
};

static __device__ __forceinline__ void gc_item(const gc_graph &g, uint32_t vertex, uint64_t first, uint32_t degree,
                                               uint32_t k, uint32_t round)
{
    uint32_t neighbour = g.target[first + k], colour = g.colour[neighbour];
    if (colour != APP_UNCOLOURED) {
        if (colour < degree)
            g.is_used[first + colour] = 1;
    } else if (app_vertex_before(neighbour, vertex)) {
        g.waiting[vertex] = round;
    }
}

template <int MODE>
__global__ void gc_child(app_device run, gc_graph g, uint32_t vertex, uint64_t first, uint32_t items, uint32_t round)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items)
        gc_item(g, vertex, first, items, k, round);
    app_child_end<MODE>(run, child);
}

template <int MODE>
__global__ void gc_parent(app_device run, gc_graph g, const uint32_t *list, uint32_t length, uint32_t round,
                          uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>(), first = 0;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0, vertex = 0;
    if (i < length) {
        vertex = list[i];
        first = g.first[vertex];
        items = (uint32_t)(g.first[vertex + 1] - first);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                gc_child<MODE>
                    <<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, g, vertex, first, items, round);
        },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                gc_item(g, vertex, first, items, k, round);
        });
}

/* Colours the vertices that need not wait. */
__global__ void gc_pick(gc_graph g, const uint32_t *list, uint32_t length, uint32_t round)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length || g.waiting[list[i]] == round)
        return;
    uint32_t vertex = list[i], colour = 0;
    uint64_t first = g.first[vertex];
    uint32_t degree = (uint32_t)(g.first[vertex + 1] - first);
    while (colour < degree && g.is_used[first + colour])
        colour++;
    g.colour[vertex] = colour;
}

struct gc_uncoloured {
    const uint32_t *colour;
    __device__ bool operator()(uint32_t vertex) const
    {
        return colour[vertex] == APP_UNCOLOURED;
    }
    __device__ void take(uint32_t) const
    {
    }
};

struct gc : app {
    gc_graph g = {};
    frontier next;
    app_shape shape = app_shape_of(APP_GC);
    uint32_t vertices = 0;
    uint64_t edges = 0;

    void upload(const app_dataset &data) override
    {
        vertices = data.graph.vertices;
        edges = data.graph.edges;
        g.first = device_copy(data.graph.first, (size_t)vertices + 1);
        g.target = device_copy(data.graph.target, edges);
        g.colour = device_array<uint32_t>(vertices);
        g.waiting = device_array<uint32_t>(vertices);
        g.is_used = device_array<uint8_t>(edges);
        next.make(vertices);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(g.colour, 0xff, vertices * sizeof *g.colour, stream));
        check_cuda(cudaMemsetAsync(g.waiting, 0, vertices * sizeof *g.waiting, stream));
        check_cuda(cudaMemsetAsync(g.is_used, 0, edges, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        uint32_t length = next.collect(gc_uncoloured{g.colour}, clock.stream);
        for (uint32_t round = 1; length; round++) {
            uint32_t blocks = blocks_for(length, shape.parent_threads);
            gc_parent<MODE><<<blocks, shape.parent_threads, 0, clock.stream>>>(device, g, next.list, length, round,
                                                                               shape.child_threads);
            gc_pick<<<blocks, shape.parent_threads, 0, clock.stream>>>(g, next.list, length, round);
            length = next.collect(gc_uncoloured{g.colour}, clock.stream);
            clock.round();
        }
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, g.colour, vertices * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    gc application;
    return app_main(argc, argv, "GC", application);
}

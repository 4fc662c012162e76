/* AMR: a mesh that is refined where fronts cross it; by cell of level 0, the number of cells below it and a checksum. A
 * thread has a cell, an item is a sub-cell, which a child thread may refine again by a child of its own. A thread that
 * does its items by itself does all levels below them too. */
#include "harness.cuh"

#include "papers/apps/data/mesh.h"

struct amr_mesh {
    uint32_t cells_per_side; /* at level 0 */
    uint32_t levels;
    uint64_t seed;
    uint32_t *descendants, *checksum; /* by cell of level 0 */
};

/* A cell: where it is, and what it belongs to. */
struct amr_cell {
    uint32_t level, x, y;
    uint32_t root; /* number of the cell of level 0 */
};

static __device__ __forceinline__ uint32_t amr_subcells(const amr_mesh &m, const amr_cell &c)
{
    uint32_t cells_per_side = m.cells_per_side;
    for (uint32_t level = 0; level < c.level; level++)
        cells_per_side *= APP_MESH_SPLIT;
    bool is_refined = c.level + 1 < m.levels && app_cell_is_refined(c.level, c.x, c.y, cells_per_side, m.seed);
    return is_refined ? APP_MESH_SUBCELLS : 0;
}

static __device__ __forceinline__ amr_cell amr_subcell(const amr_cell &c, uint32_t k)
{
    return {c.level + 1, c.x * APP_MESH_SPLIT + k % APP_MESH_SPLIT, c.y * APP_MESH_SPLIT + k / APP_MESH_SPLIT, c.root};
}

static __device__ __forceinline__ void amr_item(const amr_mesh &m, const amr_cell &sub)
{
    atomicAdd(&m.descendants[sub.root], 1);
    atomicAdd(&m.checksum[sub.root], app_cell_hash(sub.level, sub.x, sub.y));
}

/* All levels below a cell that has `items` sub-cells; DEPTH bounds the levels. */
template <int DEPTH> static __device__ void amr_below(const amr_mesh &m, const amr_cell &c, uint32_t items)
{
    for (uint32_t k = 0; k < items; k++) {
        amr_cell sub = amr_subcell(c, k);
        amr_item(m, sub);
        if constexpr (DEPTH > 0)
            amr_below<DEPTH - 1>(m, sub, amr_subcells(m, sub));
    }
}

template <int MODE> __global__ void amr_child(app_device run, amr_mesh m, amr_cell c, uint32_t items);

/* The sub-cells of a cell: by a child, or by this thread. All lanes call it. */
template <int MODE>
static __device__ __forceinline__ void amr_refine(const app_device &run, uint64_t entered, const amr_mesh &m,
                                                  const amr_cell &c, uint32_t items)
{
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                amr_child<MODE><<<blocks, 64, 0, cudaStreamFireAndForget>>>(run, m, c, items);
        },
        [&] { amr_below<APP_MAX_NESTED>(m, c, items); });
}

template <int MODE> __global__ void amr_child(app_device run, amr_mesh m, amr_cell c, uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x, nested = 0;
    amr_cell sub = {};
    if (k < items) {
        sub = amr_subcell(c, k);
        amr_item(m, sub);
        nested = amr_subcells(m, sub);
    }
    amr_refine<MODE>(run, 0, m, sub, nested);
    app_child_end<MODE>(run, child);
}

template <int MODE> __global__ void amr_parent(app_device run, amr_mesh m, uint32_t cells)
{
    uint64_t entered = app_entered<MODE>();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0;
    amr_cell c = {0, i % m.cells_per_side, i / m.cells_per_side, i};
    if (i < cells)
        items = amr_subcells(m, c);
    amr_refine<MODE>(run, entered, m, c, items);
}

struct amr : app {
    amr_mesh m = {};
    app_shape shape = app_shape_of(APP_AMR);
    uint32_t cells = 0;

    void upload(const app_dataset &data) override
    {
        if (shape.child_threads != 64)
            fail("%s", "child blocks of AMR have 64 threads");
        m.cells_per_side = data.in.of.amr.cells_per_side;
        m.levels = data.in.of.amr.levels;
        m.seed = data.in.seed;
        cells = m.cells_per_side * m.cells_per_side;
        m.descendants = device_array<uint32_t>(cells);
        m.checksum = device_array<uint32_t>(cells);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(m.descendants, 0, cells * sizeof *m.descendants, stream));
        check_cuda(cudaMemsetAsync(m.checksum, 0, cells * sizeof *m.checksum, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        amr_parent<MODE>
            <<<blocks_for(cells, shape.parent_threads), shape.parent_threads, 0, clock.stream>>>(device, m, cells);
        check_cuda(cudaStreamSynchronize(clock.stream));
        clock.round();
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, m.descendants, cells * sizeof *words, cudaMemcpyDeviceToHost));
        check_cuda(cudaMemcpy(words + cells, m.checksum, cells * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    amr application;
    return app_main(argc, argv, "AMR", application);
}

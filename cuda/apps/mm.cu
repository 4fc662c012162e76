/* MM: a sparse matrix times a dense vector, modulo 2^32. A thread has a row, an item is a nonzero. */
#include "harness.cuh"

struct mm_matrix {
    const uint64_t *first;
    const uint32_t *column, *value, *vector;
    uint32_t *product; /* by row */
};

static __device__ __forceinline__ uint32_t mm_item(const mm_matrix &m, uint64_t at)
{
    return m.value[at] * m.vector[m.column[at]];
}

template <int MODE> __global__ void mm_child(app_device run, mm_matrix m, uint32_t row, uint64_t first, uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    app_add_warp(&m.product[row], k < items ? mm_item(m, first + k) : 0);
    app_child_end<MODE>(run, child);
}

template <int MODE> __global__ void mm_parent(app_device run, mm_matrix m, uint32_t rows, uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>(), first = 0;
    uint32_t row = blockIdx.x * blockDim.x + threadIdx.x, items = 0;
    if (row < rows) {
        first = m.first[row];
        items = (uint32_t)(m.first[row + 1] - first);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                mm_child<MODE><<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, m, row, first, items);
        },
        [&] {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < items; k++)
                sum += mm_item(m, first + k);
            if (items)
                m.product[row] = sum;
        });
}

struct mm : app {
    mm_matrix m = {};
    app_shape shape = app_shape_of(APP_MM);
    uint32_t rows = 0;

    void upload(const app_dataset &data) override
    {
        rows = data.matrix.rows;
        m.first = device_copy(data.matrix.first, (size_t)rows + 1);
        m.column = device_copy(data.matrix.column, data.matrix.nonzeros);
        m.value = device_copy(data.matrix.value, data.matrix.nonzeros);
        m.vector = device_copy(data.matrix.vector, rows);
        m.product = device_array<uint32_t>(rows);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(m.product, 0, rows * sizeof *m.product, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        mm_parent<MODE><<<blocks_for(rows, shape.parent_threads), shape.parent_threads, 0, clock.stream>>>(
            device, m, rows, shape.child_threads);
        check_cuda(cudaStreamSynchronize(clock.stream));
        clock.round();
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, m.product, rows * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    mm application;
    return app_main(argc, argv, "MM", application);
}

/* JOIN: by tuple of R, the number of its matches in S and a sum over them. A thread has a tuple of R, an item is a
 * match. */
#include "harness.cuh"

struct join_relations {
    const uint32_t *r_key, *r_value, *s_first, *s_value;
    uint32_t *matches, *sum; /* by tuple of R */
};

static __device__ __forceinline__ uint32_t join_item(const join_relations &j, uint32_t value, uint32_t at)
{
    return app_match_hash(value, j.s_value[at]);
}

template <int MODE>
__global__ void join_child(app_device run, join_relations j, uint32_t tuple, uint32_t value, uint32_t first,
                           uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    app_add_warp(&j.sum[tuple], k < items ? join_item(j, value, first + k) : 0);
    app_child_end<MODE>(run, child);
}

template <int MODE>
__global__ void join_parent(app_device run, join_relations j, uint32_t tuples, uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0, first = 0, value = 0;
    if (i < tuples) {
        uint32_t key = j.r_key[i];
        value = j.r_value[i];
        first = j.s_first[key];
        items = j.s_first[key + 1] - first;
        j.matches[i] = items;
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                join_child<MODE><<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, j, i, value, first, items);
        },
        [&] {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < items; k++)
                sum += join_item(j, value, first + k);
            if (items)
                j.sum[i] = sum;
        });
}

struct join : app {
    join_relations j = {};
    app_shape shape = app_shape_of(APP_JOIN);
    uint32_t tuples = 0;

    void upload(const app_dataset &data) override
    {
        tuples = data.join.r_count;
        j.r_key = device_copy(data.join.r_key, tuples);
        j.r_value = device_copy(data.join.r_value, tuples);
        j.s_first = device_copy(data.join.s_first, (size_t)data.join.keys + 1);
        j.s_value = device_copy(data.join.s_value, data.join.s_count);
        j.matches = device_array<uint32_t>(tuples);
        j.sum = device_array<uint32_t>(tuples);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(j.matches, 0xff, tuples * sizeof *j.matches, stream));
        check_cuda(cudaMemsetAsync(j.sum, 0, tuples * sizeof *j.sum, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        join_parent<MODE><<<blocks_for(tuples, shape.parent_threads), shape.parent_threads, 0, clock.stream>>>(
            device, j, tuples, shape.child_threads);
        check_cuda(cudaStreamSynchronize(clock.stream));
        clock.round();
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, j.matches, tuples * sizeof *words, cudaMemcpyDeviceToHost));
        check_cuda(cudaMemcpy(words + tuples, j.sum, tuples * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    join application;
    return app_main(argc, argv, "JOIN", application);
}

/* A whole program that launches kernels from kernels where it pays: sums of rows of very different lengths, with one
 * thread per row and a child kernel for long rows.
 *   nvcc -arch=native -rdc=true --std=c++17 -I. example.cu -lcudadevrt -o example && ./example      exit 1: a wrong sum
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gridcast_spawn_measure.cuh"

#define ROWS 65536u
#define CHILD_THREADS 64u

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "example: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

__host__ __device__ unsigned work(unsigned value)
{
    for (int i = 0; i < 20; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

__global__ void child(gridcast_state *spawn, const unsigned *row, uint32_t items, unsigned *sum)
{
    gridcast_child block = gridcast_spawn_child_begin(spawn);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items)
        atomicAdd(sum, work(row[k]));
    gridcast_spawn_child_end(spawn, block);
}

__global__ void parent(gridcast_state *spawn, const unsigned *values, const uint32_t *first, unsigned *sums)
{
    uint32_t r = blockIdx.x * blockDim.x + threadIdx.x, items = r < ROWS ? first[r + 1] - first[r] : 0;
    const unsigned *row = r < ROWS ? values + first[r] : values;
    unsigned *sum = sums + (r < ROWS ? r : 0);
    gridcast_spawn_or(
        spawn, items,
        [&](uint32_t blocks) { child<<<blocks, CHILD_THREADS, 0, cudaStreamFireAndForget>>>(spawn, row, items, sum); },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                atomicAdd(sum, work(row[k]));
        });
}

int main()
{
    std::vector<uint32_t> first(ROWS + 1);
    for (uint32_t r = 0; r < ROWS; r++)
        first[r + 1] = first[r] + (r % 1024 == 7 ? 8192 : r % 17); /* one row in 1,024 is long */
    std::vector<unsigned> values(first[ROWS]), expected(ROWS), found(ROWS);
    for (size_t i = 0; i < values.size(); i++)
        values[i] = (unsigned)(i * 2654435761u);
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t k = first[r]; k < first[r + 1]; k++)
            expected[r] += work(values[k]);
    unsigned *device_values, *sums;
    uint32_t *device_first;
    check(cudaMalloc(&device_values, values.size() * sizeof values[0]), "memory");
    check(cudaMalloc(&device_first, first.size() * sizeof first[0]), "memory");
    check(cudaMalloc(&sums, ROWS * sizeof *sums), "memory");
    check(cudaMemcpy(device_values, values.data(), values.size() * sizeof values[0], cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpy(device_first, first.data(), first.size() * sizeof first[0], cudaMemcpyHostToDevice), "copy");

    gridcast_params p = gridcast_params_default();
    gridcast_state *spawn;
    p.block_items = CHILD_THREADS;
    check(gridcast_spawn_measure(&p), "launches"); /* what a launch takes on this GPU, and max_pending */
    p.policy = GRIDCAST_LEARN;                     /* the first run times the loop and some children */
    check(gridcast_spawn_make(&spawn, &p), "controller");
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    static const char *const names[] = {"learn", "flat", "own"};
    for (int run = 0; run < 3; run++) {
        float ms = 0;
        gridcast_counts counts;
        p.policy = run == 0 ? GRIDCAST_LEARN : run == 1 ? GRIDCAST_FLAT : GRIDCAST_OWN;
        check(gridcast_spawn_reset(spawn, &p), "controller");
        check(cudaMemset(sums, 0, ROWS * sizeof *sums), "memory");
        check(cudaEventRecord(begin), "event");
        parent<<<(ROWS + 255) / 256, 256>>>(spawn, device_values, device_first, sums);
        check(cudaEventRecord(end), "event");
        check(cudaDeviceSynchronize(), "kernel");
        check(cudaEventElapsedTime(&ms, begin, end), "event");
        if (run == 0)
            check(gridcast_spawn_learn(spawn, &p), "learning");
        check(gridcast_spawn_read(spawn, &counts), "counts");
        check(cudaMemcpy(found.data(), sums, ROWS * sizeof *sums, cudaMemcpyDeviceToHost), "copy");
        bool is_right = found == expected;
        printf("%-5s %8.1f us  %u children  %s\n", names[run], ms * 1000, counts.children, is_right ? "right" : "WRONG");
        if (!is_right || counts.kernels_left || counts.blocks_left || counts.drifted || counts.older_errors)
            return 1;
    }
    printf("an item takes %.2f ns, a child %.0f ns\n", p.item_ns, p.child_ns);
    gridcast_spawn_free(spawn);
    return 0;
}

/* Very many children: each is counted where it runs, or where the parent does its work because the launch was refused;
 * none may be lost and none may run twice.
 *   many [--children N] [--pool N] [--policy always|own|spawn] [--blocks N]      exit 1: some were lost or ran twice */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gridcast_spawn.cuh"

#define ITEMS_PER_BLOCK 32u

static void check_cuda(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "many: CUDA error %d: %s\n", (int)error, cudaGetErrorString(error));
    exit(2);
}

/* Each item adds 1 to its child's count. */
__global__ void child(gridcast_state *spawn, unsigned *count, uint32_t items)
{
    gridcast_child block = gridcast_spawn_child_begin(spawn);
    if (blockIdx.x * blockDim.x + threadIdx.x < items)
        atomicAdd(count, 1);
    gridcast_spawn_child_end(spawn, block);
}

__global__ void parent(gridcast_state *spawn, unsigned *count, uint32_t children, uint32_t items, unsigned *by_parent)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, own_items = i < children ? items : 0;
    gridcast_spawn_or(
        spawn, own_items,
        [&](uint32_t blocks) {
            child<<<blocks, ITEMS_PER_BLOCK, 0, cudaStreamFireAndForget>>>(spawn, count + i, items);
        },
        [&] {
            for (uint32_t k = 0; k < own_items; k++)
                atomicAdd(count + i, 1);
            if (own_items)
                atomicAdd(by_parent, 1);
        });
}

int main(int argc, char **argv)
{
    uint32_t children = 100000, blocks = 1, turns = 3;
    size_t pool = 0;
    const char *policy = "always";
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--children"))
            children = (uint32_t)atol(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--blocks"))
            blocks = (uint32_t)atol(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--pool"))
            pool = (size_t)atol(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--turns"))
            turns = (uint32_t)atol(argv[++i]);
        else if (i + 1 < argc && !strcmp(argv[i], "--policy"))
            policy = argv[++i];
        else {
            fprintf(
                stderr,
                "usage: many [--children N] [--pool N] [--policy always|flat|own|spawn] [--blocks N] [--turns N]\n");
            return 3;
        }
    }
    if (pool)
        check_cuda(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pool));
    check_cuda(cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount));
    gridcast_params p = gridcast_params_default();
    uint32_t items = blocks * ITEMS_PER_BLOCK;
    p.policy = !strcmp(policy, "own")     ? GRIDCAST_OWN
               : !strcmp(policy, "spawn") ? GRIDCAST_SPAWN
               : !strcmp(policy, "flat")  ? GRIDCAST_FLAT
                                          : GRIDCAST_ALWAYS;
    p.block_items = ITEMS_PER_BLOCK;
    p.max_pending = gridcast_pending_of(pool);
    p.item_ns = 1e9f; /* OWN launches whenever the pool allows it */
    gridcast_state *spawn;
    unsigned *count, *by_parent;
    check_cuda(gridcast_spawn_make(&spawn, &p));
    check_cuda(cudaMalloc(&count, children * sizeof *count));
    check_cuda(cudaMalloc(&by_parent, sizeof *by_parent));
    bool is_right = true;
    for (uint32_t turn = 0; turn < turns; turn++) {
        check_cuda(gridcast_spawn_reset(spawn, &p));
        check_cuda(cudaMemset(count, 0, children * sizeof *count));
        check_cuda(cudaMemset(by_parent, 0, sizeof *by_parent));
        check_cuda(cudaDeviceSynchronize());
        auto begin = std::chrono::steady_clock::now();
        parent<<<(children + 127) / 128, 128>>>(spawn, count, children, items, by_parent);
        check_cuda(cudaGetLastError());
        check_cuda(cudaDeviceSynchronize());
        double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
        std::vector<unsigned> found(children);
        unsigned own = 0;
        gridcast_counts counts;
        check_cuda(cudaMemcpy(found.data(), count, children * sizeof found[0], cudaMemcpyDeviceToHost));
        check_cuda(cudaMemcpy(&own, by_parent, sizeof own, cudaMemcpyDeviceToHost));
        check_cuda(gridcast_spawn_read(spawn, &counts));
        unsigned lost = 0, twice = 0;
        for (unsigned n : found) {
            lost += n < items;
            twice += n > items;
        }
        bool is_balanced = !counts.kernels_left && !counts.blocks_left && !counts.drifted && !counts.older_errors;
        bool turn_is_right = !lost && !twice && is_balanced && own + counts.children == children;
        is_right = is_right && turn_is_right;
        printf("{\"bench\": \"many\", \"policy\": \"%s\", \"pool\": %zu, \"parents\": %u, \"blocks_per_child\": %u, "
               "\"children\": %u, \"refused\": %llu, \"by_parent\": %u, \"lost\": %u, \"twice\": %u, \"balanced\": %s, "
               "\"time_us\": %.1f, \"right\": %s}\n",
               policy, pool, children, blocks, counts.children, (unsigned long long)counts.refused, own, lost, twice,
               is_balanced ? "true" : "false", us, turn_is_right ? "true" : "false");
        fflush(stdout);
    }
    return is_right ? 0 : 1;
}

/* What a decision costs: a loop with decisions against the same loop without them, for one warp and a full GPU. Prints
 * a line of JSON per case: call_ns is what a decision of all 32 lanes adds to an iteration of a warp, decision_ns that
 * per lane. "alone": the loop does nothing else, so the whole latency of the L2 cache is seen. "hidden": the loop has a
 * load of its own from the L2 cache, as a parent that reads its row has, and the controller's state is read beside it.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gridcast_spawn.cuh"

enum decider { NOBODY, BY_THREAD, BY_WARP, BY_WARP_EARLY };
static const char *const decider_names[] = {"nobody", "thread", "warp", "warp, early look"};

static void check_cuda(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "decision_cost: CUDA error %d: %s\n", (int)error, cudaGetErrorString(error));
    exit(2);
}

/* Each iteration depends on the decision before it. `ring` is a cycle of places, to be read from the L2 cache. */
template <int DECIDER, bool LOADS>
__global__ void decisions(gridcast_state *state, const uint32_t *ring, int count, uint32_t *sink)
{
    uint32_t x = threadIdx.x + blockIdx.x * blockDim.x, launched = 0;
    for (int i = 0; i < count; i++) {
        gridcast_view view = {};
        if (DECIDER == BY_WARP_EARLY)
            view = gridcast_spawn_look(state);
        if (LOADS)
            x = __ldcg(ring + (x & 1023)) + launched;
        else
            x = x * 1664525u + 1013904223u + launched;
        uint32_t items = 8 + (x >> 7 & 127), blocks = 1 + items / 64;
        bool decision = false;
        if (DECIDER == BY_THREAD)
            decision = gridcast_spawn_decide(state, items, blocks);
        if (DECIDER == BY_WARP)
            decision = gridcast_spawn_decide_warp(state, items, blocks);
        if (DECIDER == BY_WARP_EARLY)
            decision = gridcast_spawn_decide_warp(state, items, blocks, &view);
        launched += decision;
    }
    sink[threadIdx.x + blockIdx.x * blockDim.x] = x + launched;
}

struct bench {
    gridcast_state *state;
    uint32_t *ring, *sink;
    gridcast_params params;
    int blocks, threads, count;
};

/* Least time of an iteration in ns. */
template <int DECIDER, bool LOADS> static double iteration_ns(const bench &b)
{
    cudaEvent_t first, last;
    float least = 0;
    check_cuda(cudaEventCreate(&first));
    check_cuda(cudaEventCreate(&last));
    for (int turn = 0; turn < 8; turn++) {
        float ms = 0;
        check_cuda(gridcast_spawn_reset(b.state, &b.params));
        check_cuda(cudaEventRecord(first));
        decisions<DECIDER, LOADS><<<b.blocks, b.threads>>>(b.state, b.ring, b.count, b.sink);
        check_cuda(cudaEventRecord(last));
        check_cuda(cudaEventSynchronize(last));
        check_cuda(cudaEventElapsedTime(&ms, first, last));
        if (turn == 1 || (turn > 1 && ms < least))
            least = ms;
    }
    cudaEventDestroy(first);
    cudaEventDestroy(last);
    return (double)least * 1e6 / b.count;
}

template <int DECIDER, bool LOADS> static void print_case(const bench &b, const char *who, const char *outcome)
{
    double without = iteration_ns<NOBODY, LOADS>(b), with = iteration_ns<DECIDER, LOADS>(b);
    double warps = (double)b.blocks * b.threads / 32;
    printf("{\"bench\": \"decision\", \"on\": \"%s\", \"loop\": \"%s\", \"by\": \"%s\", \"outcome\": \"%s\", "
           "\"loop_ns\": %.2f, \"call_ns\": %.2f, \"decision_ns\": %.3f, \"gpu_decision_ns\": %.5f}\n",
           who, LOADS ? "hidden" : "alone", decider_names[DECIDER], outcome, without, with - without,
           (with - without) / 32, (with - without) / 32 / warps);
    fflush(stdout);
}

int main(void)
{
    cudaDeviceProp device;
    bench b = {};
    std::vector<uint32_t> ring(1024);
    for (uint32_t i = 0; i < 1024; i++)
        ring[i] = (i * 389 + 7) * 128 + i * 389 % 1024; /* any places will do */
    check_cuda(cudaGetDeviceProperties(&device, 0));
    gridcast_params launch = gridcast_params_default(), refuse = launch;
    launch.policy = GRIDCAST_SPAWN;
    launch.max_pending = GRIDCAST_ANY_PENDING;
    refuse.policy = GRIDCAST_OWN; /* with figures that no launch can meet */
    refuse.item_ns = 1e-3f;
    const int full = device.multiProcessorCount * (device.maxThreadsPerMultiProcessor / 256);
    check_cuda(gridcast_spawn_make(&b.state, &launch));
    check_cuda(cudaMalloc(&b.ring, ring.size() * sizeof ring[0]));
    check_cuda(cudaMemcpy(b.ring, ring.data(), ring.size() * sizeof ring[0], cudaMemcpyHostToDevice));
    check_cuda(cudaMalloc(&b.sink, (size_t)full * 256 * sizeof *b.sink));
    for (int on = 0; on < 2; on++) {
        const char *who = on ? "full GPU" : "one warp";
        b.blocks = on ? full : 1;
        b.threads = on ? 256 : 32;
        b.count = on ? 200 : 4000;
        for (int outcome = 0; outcome < 2; outcome++) {
            const char *name = outcome ? "launch" : "refuse";
            b.params = outcome ? launch : refuse;
            print_case<BY_THREAD, false>(b, who, name);
            print_case<BY_WARP, false>(b, who, name);
            print_case<BY_WARP_EARLY, false>(b, who, name);
            print_case<BY_THREAD, true>(b, who, name);
            print_case<BY_WARP, true>(b, who, name);
            print_case<BY_WARP_EARLY, true>(b, who, name);
        }
    }
    return 0;
}

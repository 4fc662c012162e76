/* What a launch from a kernel costs on this GPU: overhead_ns and call_ns of gridcast_params, which are an H200's unless
 * they are measured. Time between the starts of two children (service_ns) and from a child's end to its completion
 * (GRIDCAST_CHILD_END_NS) are not measured here: gridcast measure --calibrate does that. */
#ifndef GRIDCAST_SPAWN_MEASURE_CUH
#define GRIDCAST_SPAWN_MEASURE_CUH

#include <algorithm>
#include <vector>

#include "gridcast_spawn.cuh"

struct gridcast_launch_costs {
    double latency_ns;   /* from the call to the start of the child, one thread and one child */
    double call_ns;      /* of a launch, one thread */
    double warp_call_ns; /* of a launch, 32 lanes of a warp launching, per lane */
    double first_ns;     /* 32 lanes of a warp launching: from the first call to the first start of a child */
    double last_ns;      /* to the last start */
};

static __global__ void gridcast_probe_child(uint64_t *start)
{
    if (threadIdx.x == 0)
        *start = gridcast_now();
}

/* Launches `children` children per thread; by thread: the time before and after the launches. */
static __global__ void gridcast_probe(uint32_t children, uint64_t *starts, uint64_t *before, uint64_t *after)
{
    uint64_t begin = gridcast_now();
    for (uint32_t k = 0; k < children; k++)
        gridcast_probe_child<<<1, 32, 0, cudaStreamFireAndForget>>>(starts + threadIdx.x * children + k);
    before[threadIdx.x] = begin;
    after[threadIdx.x] = gridcast_now();
}

#define GRIDCAST_PROBES 20 /* measured; four before them warm up */

/* Medians of GRIDCAST_PROBES launches each. */
inline cudaError_t gridcast_spawn_measure_launches(gridcast_launch_costs *costs)
{
    enum { LATENCY, CALL, WARP_CALL, FIRST, LAST, FIGURES };
    std::vector<double> found[FIGURES];
    uint64_t *stamps = nullptr;
    cudaError_t error = cudaMallocManaged(&stamps, 256 * sizeof *stamps);
    for (int turn = -4; turn < GRIDCAST_PROBES && error == cudaSuccess; turn++) {
        double figure[FIGURES];
        gridcast_probe<<<1, 1>>>(1, stamps, stamps + 128, stamps + 160);
        if ((error = cudaDeviceSynchronize()) != cudaSuccess)
            break;
        figure[LATENCY] = (double)stamps[0] - (double)stamps[128];
        gridcast_probe<<<1, 1>>>(32, stamps, stamps + 128, stamps + 160);
        if ((error = cudaDeviceSynchronize()) != cudaSuccess)
            break;
        figure[CALL] = ((double)stamps[160] - (double)stamps[128]) / 32;
        gridcast_probe<<<1, 32>>>(1, stamps, stamps + 128, stamps + 160);
        if ((error = cudaDeviceSynchronize()) != cudaSuccess)
            break;
        double begin = (double)*std::min_element(stamps + 128, stamps + 160);
        figure[WARP_CALL] = ((double)*std::max_element(stamps + 160, stamps + 192) - begin) / 32;
        figure[FIRST] = (double)*std::min_element(stamps, stamps + 32) - begin;
        figure[LAST] = (double)*std::max_element(stamps, stamps + 32) - begin;
        for (int i = 0; turn >= 0 && i < FIGURES; i++)
            found[i].push_back(figure[i]);
    }
    cudaFree(stamps);
    if (error != cudaSuccess)
        return error;
    double median[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
        std::sort(found[i].begin(), found[i].end());
        median[i] = found[i][found[i].size() / 2];
    }
    *costs = {median[LATENCY], median[CALL], median[WARP_CALL], median[FIRST], median[LAST]};
    return cudaSuccess;
}

/* Fills in overhead_ns and call_ns for this GPU, and max_pending for its pool of pending launches. */
inline cudaError_t gridcast_spawn_measure(gridcast_params *params)
{
    gridcast_launch_costs costs;
    size_t pool = 0;
    cudaError_t error = gridcast_spawn_measure_launches(&costs);
    if (error == cudaSuccess)
        error = cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount);
    if (error != cudaSuccess)
        return error;
    params->overhead_ns = (float)(costs.latency_ns > 0 ? costs.latency_ns : 0);
    params->call_ns = (float)(costs.warp_call_ns > 0 ? costs.warp_call_ns : 0);
    params->max_pending = gridcast_pending_of(pool);
    return cudaSuccess;
}

#endif

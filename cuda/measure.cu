/* Prints what gridcast_spawn_measure finds of this GPU, as one JSON line; times in nanoseconds.
 *   measure [--pool N]      N: cudaLimitDevRuntimePendingLaunchCount; exit 2: a CUDA error */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gridcast_spawn_measure.cuh"

static void check_cuda(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "measure: CUDA error %d: %s\n", (int)error, cudaGetErrorString(error));
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc != 1 && !(argc == 3 && !strcmp(argv[1], "--pool"))) {
        fprintf(stderr, "usage: measure [--pool N]\n");
        return 3;
    }
    if (argc == 3)
        check_cuda(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, (size_t)atol(argv[2])));
    gridcast_params p = gridcast_params_default();
    gridcast_launch_costs c;
    int device = 0;
    cudaDeviceProp gpu;
    check_cuda(cudaGetDevice(&device));
    check_cuda(cudaGetDeviceProperties(&gpu, device));
    check_cuda(gridcast_spawn_measure_launches(&c));
    check_cuda(gridcast_spawn_measure(&p));
    printf("{\"bench\": \"measure\", \"gpu\": \"%s\", \"sms\": %d, \"overhead_ns\": %.1f, \"call_ns\": %.1f, "
           "\"service_ns\": %.2f, \"end_ns\": %.1f, \"max_pending\": %u, \"launch\": {\"latency_ns\": %.1f, "
           "\"call_ns\": %.1f, \"warp_call_ns\": %.1f, \"first_ns\": %.1f, \"last_ns\": %.1f, \"service_ns\": %.2f, "
           "\"next_ns\": %.1f, \"end_ns\": %.1f}}\n",
           gpu.name, gpu.multiProcessorCount, p.overhead_ns, p.call_ns, p.service_ns, p.end_ns, p.max_pending,
           c.latency_ns, c.call_ns, c.warp_call_ns, c.first_ns, c.last_ns, c.service_ns, c.next_ns, c.end_ns);
    return 0;
}

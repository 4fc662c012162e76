/* What `gridcast record` is tried on: each part does something that is known, and says how much of it on one line
 * "said KEY=N ...". run compares that with what was recorded.
 *   programs streams|graph|attributes|threads|loop|killed [N] */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__device__ void spin(long long ns)
{
    long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
}

__global__ void kernel_a(float *x) { spin(20000); x[threadIdx.x] += 1; }
__global__ void kernel_b(float *x) { spin(20000); x[threadIdx.x] += 2; }
__global__ void kernel_c(float *x) { spin(20000); x[threadIdx.x + 64] += 3; }
__global__ void kernel_d(float *x) { spin(20000); x[threadIdx.x] += 4; }
__global__ void kernel_together(float *x)
{
    cooperative_groups::this_grid().sync();
    x[threadIdx.x] += 1;
}
__global__ void kernel_cluster(float *x) { x[threadIdx.x] += 1; }
__global__ void kernel_early(float *x)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    x[threadIdx.x] += 1;
}

static float *memory;

/* Two streams, one with a priority, that wait for each other by events. */
static void streams(int n)
{
    cudaStream_t low, high;
    cudaEvent_t event;
    std::vector<float> host(1 << 16);
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreate(&low));
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int i = 0; i < n; i++) {
        CHECK(cudaMemcpyAsync(memory, host.data(), host.size() * 4, cudaMemcpyHostToDevice, low));
        kernel_a<<<4, 64, 0, low>>>(memory);
        CHECK(cudaEventRecord(event, low));
        CHECK(cudaStreamWaitEvent(high, event, 0));
        kernel_b<<<8, 64, 0, high>>>(memory);
        CHECK(cudaMemsetAsync(memory, 0, 4096, high));
        CHECK(cudaStreamSynchronize(high));
    }
    printf("said kernels=%d copies=%d memsets=%d events=%d syncs=%d\n", 2 * n, n, n, n, 2 * n);
}

/* A diamond: a before b and c, both before d, captured from two streams; and a chain that is built by calls. */
static void graph(int n)
{
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t captured;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    kernel_a<<<1, 64, 0, one>>>(memory);
    CHECK(cudaEventRecord(fork, one));
    CHECK(cudaStreamWaitEvent(two, fork, 0));
    kernel_b<<<1, 64, 0, one>>>(memory);
    kernel_c<<<1, 64, 0, two>>>(memory);
    CHECK(cudaEventRecord(join, two));
    CHECK(cudaStreamWaitEvent(one, join, 0));
    kernel_d<<<1, 64, 0, one>>>(memory);
    CHECK(cudaStreamEndCapture(one, &captured));
    CHECK(cudaGraphInstantiate(&exec, captured, 0));
    CHECK(cudaGraphDestroy(captured)); /* as PyTorch does */
    for (int i = 0; i < n; i++)
        CHECK(cudaGraphLaunch(exec, one));
    CHECK(cudaStreamSynchronize(one));

    cudaGraph_t built;
    cudaGraphNode_t first, second;
    cudaGraphExec_t chain;
    cudaKernelNodeParams params = {};
    void *arguments[] = {&memory};
    params.gridDim = dim3(2), params.blockDim = dim3(64), params.kernelParams = arguments;
    CHECK(cudaGraphCreate(&built, 0));
    params.func = (void *)kernel_d;
    CHECK(cudaGraphAddKernelNode(&first, built, NULL, 0, &params));
    params.func = (void *)kernel_a;
    CHECK(cudaGraphAddKernelNode(&second, built, &first, 1, &params));
    CHECK(cudaGraphInstantiate(&chain, built, 0));
    for (int i = 0; i < n; i++)
        CHECK(cudaGraphLaunch(chain, one));
    CHECK(cudaStreamSynchronize(one));
    printf("said kernels=%d edges=a>b,a>c,b>d,c>d,d>a graph_launches=%d\n", 6 * n, 2 * n);
}

static void launch(const void *function, int blocks, cudaLaunchAttribute attribute, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    void *arguments[] = {&memory};
    config.gridDim = dim3(blocks), config.blockDim = dim3(64), config.stream = stream;
    config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelExC(&config, function, arguments));
}

static void attributes(int n)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < n; i++) {
        cudaLaunchAttribute cooperative = {}, cluster = {}, early = {}, priority = {};
        cooperative.id = cudaLaunchAttributeCooperative, cooperative.val.cooperative = 1;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = 2, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        priority.id = cudaLaunchAttributePriority, priority.val.priority = -1;
        launch((const void *)kernel_together, 4, cooperative, stream);
        launch((const void *)kernel_cluster, 4, cluster, stream);
        launch((const void *)kernel_early, 4, early, stream);
        launch((const void *)kernel_a, 4, priority, stream);
    }
    CHECK(cudaDeviceSynchronize());
    printf("said kernels=%d cooperative=%d clusters=%d programmatic=%d priorities=%d\n", 4 * n, n, n, n, n);
}

static void threads(int n)
{
    std::vector<std::thread> all;
    for (int i = 0; i < 4; i++)
        all.emplace_back([n] {
            cudaStream_t stream;
            CHECK(cudaStreamCreate(&stream));
            for (int k = 0; k < n; k++)
                kernel_a<<<1, 64, 0, stream>>>(memory);
            CHECK(cudaStreamSynchronize(stream));
        });
    for (auto &t : all)
        t.join();
    printf("said kernels=%d threads=4\n", 4 * n);
}

__global__ void kernel_nothing() {}

/* What recording costs: launches as fast as they go, and their completion. */
static void loop(int n)
{
    kernel_nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++)
        kernel_nothing<<<1, 32>>>();
    auto launched = std::chrono::steady_clock::now();
    CHECK(cudaDeviceSynchronize());
    auto end = std::chrono::steady_clock::now();
    using ns = std::chrono::nanoseconds;
    printf("said kernels=%d launch_ns=%.0f total_ns=%.0f\n", n + 1,
           (double)std::chrono::duration_cast<ns>(launched - start).count() / n,
           (double)std::chrono::duration_cast<ns>(end - start).count() / n);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 100;
    CHECK(cudaMalloc(&memory, 1 << 20));
    if (strcmp(part, "streams") == 0)
        streams(n);
    else if (strcmp(part, "graph") == 0)
        graph(n);
    else if (strcmp(part, "attributes") == 0)
        attributes(n);
    else if (strcmp(part, "threads") == 0)
        threads(n);
    else if (strcmp(part, "loop") == 0)
        loop(n);
    else if (strcmp(part, "killed") == 0) {
        loop(n);
        fflush(stdout);
        sleep(3); /* what is recorded is handed out once a second */
        _exit(0);
    } else
        return 2;
    return 0;
}

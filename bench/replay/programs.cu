/* Real programs for `gridcast record` that PyTorch does not make: programmatic launches, clusters, cooperative kernels,
 * fewer blocks, carveouts, connections, a part of the SMs. Each in variants that a what-if should foresee, as in
 * programs.py: an NVTX range VARIANT around each repeat of each variant, which begins and ends with an idle GPU.
 *   programs PROGRAM [REPEATS] */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef std::vector<std::pair<std::string, std::function<void()>>> variants;

static float *memory;

#define TABLE (1 << 18) /* words of `memory`, which lead through each other */

/* `items` of work, shared by all blocks: each follows links, as a search in a tree does. It waits for the second-level
 * cache and leaves the SM to others meanwhile, so that blocks of an SM hardly slow each other down. */
__device__ float work(const float *table, int items, int rounds)
{
    unsigned at = (blockIdx.x * 32 + threadIdx.x / 32) * 1021 % TABLE; /* the same for a warp */
    for (int item = blockIdx.x; item < items; item += gridDim.x)
        for (int i = 0; i < rounds / 70; i++)
            at = __ldcg((const unsigned *)table + at);
    return (float)(int)at;
}
__global__ void kernel_work(float *m, int items, int rounds)
{
    float x = work(m, items, rounds);
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
__global__ void kernel_other(float *m, int items, int rounds)
{
    float x = work(m, items, rounds);
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
/* Arithmetic that needs all of an SM's issue slots: blocks that share one do slow each other down. */
__global__ void kernel_arithmetic(float *m, int items, int rounds)
{
    float x = threadIdx.x;
    for (int item = blockIdx.x; item < items; item += gridDim.x)
        for (int i = 0; i < rounds; i++)
            x = x * 1.0001f + 0.5f;
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
__global__ void kernel_clustered(float *m, int items, int rounds)
{
    float x = work(m, items, rounds);
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
__global__ void kernel_together(float *m, int items, int rounds)
{
    cooperative_groups::this_grid().sync();
    float x = work(m, items, rounds);
    cooperative_groups::this_grid().sync();
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
/* Prepares, waits for the kernel before it, works, and lets the next one start when two thirds are done. */
__global__ void kernel_early(float *m, int items, int rounds)
{
    float x = work(m, items, rounds / 4);
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    x += work(m, items, rounds / 2);
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    x += work(m, items, rounds / 4);
    if (x == -7.0f)
        m[threadIdx.x] = x;
}
__global__ void kernel_shared(float *m, int items, int rounds)
{
    extern __shared__ float s[];
    s[threadIdx.x] = work(m, items, rounds);
    __syncthreads();
    if (s[0] == -7.0f)
        m[threadIdx.x] = s[threadIdx.x];
}

typedef void (*kernel)(float *, int, int);

struct shape {
    int grid, block, shared;
};

static void launch(kernel f, shape s, int items, int rounds, cudaStream_t stream, cudaLaunchAttribute *attribute = NULL)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(s.grid), config.blockDim = dim3(s.block), config.dynamicSmemBytes = s.shared;
    config.stream = stream, config.attrs = attribute, config.numAttrs = attribute != NULL;
    CHECK(cudaLaunchKernelEx(&config, f, memory, items, rounds));
}

static cudaStream_t new_stream(int priority = 0)
{
    cudaStream_t s;
    CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, priority));
    return s;
}

static std::function<void()> graph_of(cudaStream_t stream, std::function<void()> work)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    work();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return [=] { CHECK(cudaGraphLaunch(exec, stream)); };
}

/* A chain of kernels: as launches and as a graph, the next one programmatic or not. */
static variants programmatic(void)
{
    cudaStream_t stream = new_stream();
    auto chain = [=](bool early) {
        cudaLaunchAttribute a = {};
        a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        a.val.programmaticStreamSerializationAllowed = 1;
        for (int i = 0; i < 30; i++)
            launch(kernel_early, {132, 256, 0}, 132, 12000, stream, early && i > 0 ? &a : NULL);
    };
    return {{"plain", [=] { chain(false); }},
            {"programmatic", [=] { chain(true); }},
            {"graph_plain", graph_of(stream, [=] { chain(false); })},
            {"graph_programmatic", graph_of(stream, [=] { chain(true); })}};
}

/* Clusters beside kernels without: in two streams or one. */
static variants clusters(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    auto both = [=](cudaStream_t other, int size) {
        cudaLaunchAttribute c = {};
        c.id = cudaLaunchAttributeClusterDimension;
        c.val.clusterDim.x = size, c.val.clusterDim.y = 1, c.val.clusterDim.z = 1;
        for (int i = 0; i < 8; i++) {
            launch(kernel_clustered, {64, 1024, 0}, 64, 60000, a, &c);
            launch(kernel_other, {48, 512, 0}, 48, 40000, other);
        }
    };
    return {{"two_streams", [=] { both(b, 4); }},
            {"one_stream", [=] { both(a, 4); }},
            {"larger_two", [=] { both(b, 16 / 2); }},
            {"larger_one", [=] { both(a, 16 / 2); }}};
}

static variants cooperative(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    auto both = [=](cudaStream_t other) {
        cudaLaunchAttribute c = {};
        c.id = cudaLaunchAttributeCooperative, c.val.cooperative = 1;
        for (int i = 0; i < 8; i++) {
            launch(kernel_together, {132, 512, 0}, 132, 30000, a, &c);
            launch(kernel_other, {400, 256, 0}, 400, 20000, other);
        }
    };
    return {{"two_streams", [=] { both(b); }}, {"one_stream", [=] { both(a); }}};
}

/* The same work in fewer blocks, beside a kernel that needs room. */
static variants fewer_blocks(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    auto both = [=](int blocks) {
        for (int i = 0; i < 4; i++)
            launch(kernel_work, {blocks, 1024, 0}, 1056, 4000, a);
        for (int i = 0; i < 8; i++)
            launch(kernel_other, {66, 512, 0}, 66, 20000, b);
    };
    return {{"all", [=] { both(1056); }},
            {"half", [=] { both(528); }},
            {"quarter", [=] { both(264); }},
            {"eighth", [=] { both(132); }}};
}

/* A kernel with shared memory behind one without, in streams: whether the SMs must change their carveout. */
static variants carveouts(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    CHECK(cudaFuncSetAttribute(kernel_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    auto both = [=](int percent) {
        CHECK(cudaFuncSetAttribute(kernel_other, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
        for (int i = 0; i < 6; i++) {
            launch(kernel_other, {132, 512, 0}, 132, 20000, a);
            launch(kernel_shared, {132, 512, 100 << 10}, 132, 20000, b);
        }
    };
    return {{"driver", [=] { both(-1); }}, {"most", [=] { both(100); }}, {"least", [=] { both(0); }}};
}

/* Chains of small kernels in 8 streams, stream by stream: with few connections they get in each other's way. */
static variants connections(void)
{
    std::vector<cudaStream_t> streams;
    for (int i = 0; i < 8; i++)
        streams.push_back(new_stream());
    return {{"chains", [=] {
                 for (auto s : streams)
                     for (int i = 0; i < 6; i++)
                         launch(kernel_work, {16, 256, 0}, 16, 40000, s);
             }}};
}

/* Waves of blocks: for a part of the SMs (MPS). */
static variants partition(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    return {{"waves", [=] {
                 for (int i = 0; i < 4; i++) {
                     launch(kernel_work, {1000, 512, 0}, 1000, 8000, a);
                     launch(kernel_other, {100, 256, 0}, 100, 20000, b);
                 }
             }}};
}

/* A fork and a join: streams with events, and as a graph. */
static variants fork_join(void)
{
    std::vector<cudaStream_t> s;
    std::vector<cudaEvent_t> e(5);
    for (int i = 0; i < 4; i++)
        s.push_back(new_stream());
    for (auto &x : e)
        CHECK(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
    auto one = [=] {
        launch(kernel_work, {132, 256, 0}, 132, 8000, s[0]);
        CHECK(cudaEventRecord(e[0], s[0]));
        for (int i = 0; i < 4; i++) {
            if (i)
                CHECK(cudaStreamWaitEvent(s[i], e[0], 0));
            for (int k = 0; k < 3; k++)
                launch(kernel_other, {40 + 20 * i, 256, 0}, 40 + 20 * i, 10000 * (i + 1), s[i]);
            if (i) {
                CHECK(cudaEventRecord(e[i], s[i]));
                CHECK(cudaStreamWaitEvent(s[0], e[i], 0));
            }
        }
        launch(kernel_work, {132, 256, 0}, 132, 8000, s[0]);
    };
    auto chain = [=] {
        launch(kernel_work, {132, 256, 0}, 132, 8000, s[0]);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                launch(kernel_other, {40 + 20 * i, 256, 0}, 40 + 20 * i, 10000 * (i + 1), s[0]);
        launch(kernel_work, {132, 256, 0}, 132, 8000, s[0]);
    };
    auto graph = graph_of(s[0], one), graph_chain = graph_of(s[0], chain);
    return {{"streams", [=] { one(); one(); }},
            {"one_stream", [=] { chain(); chain(); }},
            {"graph", [=] { graph(); graph(); }},
            {"graph_chain", [=] { graph_chain(); graph_chain(); }}};
}

/* A long kernel of many waves in a stream of low priority, short ones in one of high or the same. */
static variants levels(void)
{
    cudaStream_t low = new_stream(0), high = new_stream(-5), equal = new_stream(0);
    auto both = [=](cudaStream_t other) {
        launch(kernel_work, {8000, 512, 0}, 8000, 6000, low);
        for (int i = 0; i < 8; i++)
            launch(kernel_other, {132, 512, 0}, 132, 6000, other);
    };
    return {{"high", [=] { both(high); }}, {"equal", [=] { both(equal); }}, {"one_stream", [=] { both(low); }}};
}

/* Kernels that slow each other down, each other's SMs shared or not. */
static variants arithmetic(void)
{
    cudaStream_t a = new_stream(), b = new_stream();
    auto both = [=](cudaStream_t other) {
        for (int i = 0; i < 6; i++) {
            launch(kernel_arithmetic, {132, 512, 0}, 132, 20000, a);
            launch(kernel_arithmetic, {132, 1024, 0}, 132, 20000, other);
        }
    };
    return {{"two_streams", [=] { both(b); }}, {"one_stream", [=] { both(a); }}};
}

int main(int argc, char **argv)
{
    const std::pair<const char *, variants (*)(void)> programs[] = {
        {"programmatic", programmatic}, {"clusters", clusters},       {"cooperative", cooperative},
        {"fewer_blocks", fewer_blocks}, {"carveouts", carveouts},     {"connections", connections},
        {"partition", partition},       {"fork_join", fork_join},     {"levels", levels},
        {"arithmetic", arithmetic}};
    std::vector<unsigned> links(TABLE);
    for (unsigned i = 0; i < TABLE; i++)
        links[i] = (i * 5 + 1) % TABLE;
    CHECK(cudaMalloc(&memory, TABLE * sizeof links[0]));
    CHECK(cudaMemcpy(memory, links.data(), TABLE * sizeof links[0], cudaMemcpyHostToDevice));
    for (auto &p : programs) {
        if (argc < 2 || strcmp(p.first, argv[1]) != 0)
            continue;
        variants all = p.second();
        int repeats = argc > 2 ? atoi(argv[2]) : 3;
        for (int i = -2; i < repeats; i++)
            for (auto &v : all) {
                CHECK(cudaDeviceSynchronize());
                if (i >= 0)
                    nvtxRangePushA(v.first.c_str());
                v.second();
                CHECK(cudaDeviceSynchronize());
                if (i >= 0)
                    nvtxRangePop();
            }
        return 0;
    }
    fprintf(stderr, "programs PROGRAM [REPEATS]\n");
    return 1;
}

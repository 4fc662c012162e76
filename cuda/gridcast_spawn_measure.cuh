/* What GRIDCAST_OWN needs to know of this GPU: overhead_ns, call_ns, service_ns, end_ns and max_pending of
 * gridcast_params, which are an H200's unless they are measured. The program's own figures are measured by
 * gridcast_spawn_learn, which adds end_ns to the time of a child block: call gridcast_spawn_measure before it.
 *
 * Nothing else should run on the GPU meanwhile. Each figure is the median of up to GRIDCAST_PROBES turns. A turn does
 * not count if CUDA refused one of its launches or one of its children did not run.
 *
 * All stamps are those of %globaltimer. It ticks every 32 ns on an H200, and only about every microsecond on some other
 * GPUs. latency_ns, first_ns, last_ns and next_ns are multiples of a tick, and may be off by one; end_ns by two.
 * call_ns and warp_call_ns are off by a 32nd of a tick, service_ns by less than a hundredth (with 100 children or
 * more).
 */
#ifndef GRIDCAST_SPAWN_MEASURE_CUH
#define GRIDCAST_SPAWN_MEASURE_CUH

#include <algorithm>

#include "gridcast_spawn.cuh"

struct gridcast_launch_costs {
    double latency_ns;   /* from the call to the start of the child, one thread and one child */
    double call_ns;      /* of a launch, one thread */
    double warp_call_ns; /* of a launch, 32 lanes of a warp launching, per lane */
    double first_ns;     /* 32 lanes of a warp launching: from the first call to the first start of a child */
    double last_ns;      /* to the last start */
    double service_ns;   /* between the starts of two children, with about GRIDCAST_BURST launched at one time */
    double next_ns;      /* from the end of a kernel without children to the start of the next one in its stream */
    double end_ns;       /* by how much longer that takes from the end of a kernel's child; at least 0 */
};

#define GRIDCAST_PROBES 20            /* turns; four before them warm up */
#define GRIDCAST_BURST 1024           /* children of a burst, at most */
#define GRIDCAST_PROBE_HOLD_NS 200000 /* a kernel runs so long that the host has queued the next one before its end */

/* In device memory; cleared before each turn. */
struct gridcast_probe_stamps {
    uint64_t start[GRIDCAST_BURST]; /* of children, or of the kernel that follows; 0: it did not run */
    uint64_t before[32], after[32]; /* by lane: the time before and after its launches */
    uint64_t end;                   /* of the kernel that the next one waits for, or of its child */
    unsigned long long refused;     /* threads of which a launch was refused */
};

static __global__ void gridcast_probe_child(uint64_t *start)
{
    if (threadIdx.x == 0)
        *start = gridcast_now();
}

static __device__ __forceinline__ void gridcast_probe_check(gridcast_probe_stamps *stamps)
{
    if (cudaGetLastError() != cudaSuccess)
        atomicAdd(&stamps->refused, 1ull);
}

/* Each thread launches `children` children. */
static __global__ void gridcast_probe(gridcast_probe_stamps *stamps, uint32_t children)
{
    (void)cudaGetLastError(); /* an older one is not this launch's */
    uint64_t begin = gridcast_now();
    for (uint32_t k = 0; k < children; k++)
        gridcast_probe_child<<<1, 32, 0, cudaStreamFireAndForget>>>(&stamps->start[threadIdx.x * children + k]);
    stamps->before[threadIdx.x] = begin;
    stamps->after[threadIdx.x] = gridcast_now();
    gridcast_probe_check(stamps);
}

/* One lane of each of the first `children` warps launches a child. */
static __global__ void __launch_bounds__(1024) gridcast_probe_burst(gridcast_probe_stamps *stamps, uint32_t children)
{
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 || warp >= children)
        return;
    (void)cudaGetLastError();
    gridcast_probe_child<<<1, 32, 0, cudaStreamFireAndForget>>>(&stamps->start[warp]);
    gridcast_probe_check(stamps);
}

/* Runs for GRIDCAST_PROBE_HOLD_NS. The count of turns ends it even if the clock should stand still. */
static __global__ void gridcast_probe_hold(gridcast_probe_stamps *stamps)
{
    uint64_t start = gridcast_now();
    for (int i = 0; i < 1 << 20 && gridcast_now() - start < GRIDCAST_PROBE_HOLD_NS; i++)
        ;
    stamps->end = gridcast_now();
}

static __global__ void gridcast_probe_hold_child(gridcast_probe_stamps *stamps)
{
    (void)cudaGetLastError();
    gridcast_probe_hold<<<1, 1, 0, cudaStreamFireAndForget>>>(stamps);
    gridcast_probe_check(stamps);
}

static __global__ void gridcast_probe_next(gridcast_probe_stamps *stamps)
{
    stamps->start[0] = gridcast_now();
}

/* Launches a kernel. Its own error is returned, not one of an earlier call of the program. */
template <class... Parameters, class... Arguments>
inline cudaError_t gridcast_probe_launch(cudaStream_t stream, uint32_t blocks, uint32_t threads,
                                         void (*kernel)(Parameters...), Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/* Clears the stamps, calls launch(), which returns its error, and fetches the stamps when all is complete. */
template <class Launch>
inline cudaError_t gridcast_probe_turn(cudaStream_t stream, gridcast_probe_stamps *stamps, gridcast_probe_stamps *seen,
                                       Launch launch)
{
    cudaError_t error = cudaMemsetAsync(stamps, 0, sizeof *stamps, stream);
    if (error == cudaSuccess)
        error = launch();
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(seen, stamps, sizeof *seen, cudaMemcpyDeviceToHost, stream);
    cudaError_t end = cudaStreamSynchronize(stream); /* also after an error: the stamps are freed soon */
    return error == cudaSuccess ? end : error;
}

/* As integers: a double rounds a time of %globaltimer to 256 ns. */
inline double gridcast_probe_between(uint64_t from, uint64_t to)
{
    return (double)(int64_t)(to - from);
}

/* No launch was refused, and all that was launched ran. */
inline bool gridcast_probe_ran(const gridcast_probe_stamps *seen, uint32_t starts)
{
    return !seen->refused && std::find(seen->start, seen->start + starts, 0u) == seen->start + starts;
}

/* What the turns found of one figure. */
struct gridcast_probe_figure {
    double found[GRIDCAST_PROBES];
    int count;

    void add(double value)
    {
        if (count < GRIDCAST_PROBES)
            found[count++] = value;
    }
    double median()
    {
        std::sort(found, found + count);
        return found[count / 2];
    }
};

struct gridcast_probe_figures {
    gridcast_probe_figure latency, call, warp_call, first, last, service, next, end;
};

/* A turn of each kind. A figure of a turn that does not count is not added. */
inline cudaError_t gridcast_probe_all(cudaStream_t stream, gridcast_probe_stamps *stamps, uint32_t sms,
                                      uint32_t max_pending, gridcast_probe_figures *figures)
{
    gridcast_probe_stamps seen;
    cudaError_t error = gridcast_probe_turn(
        stream, stamps, &seen, [&] { return gridcast_probe_launch(stream, 1, 1, gridcast_probe, stamps, 1u); });
    if (error != cudaSuccess)
        return error;
    if (gridcast_probe_ran(&seen, 1))
        figures->latency.add(gridcast_probe_between(seen.before[0], seen.start[0]));

    error = gridcast_probe_turn(stream, stamps, &seen,
                                [&] { return gridcast_probe_launch(stream, 1, 1, gridcast_probe, stamps, 32u); });
    if (error != cudaSuccess)
        return error;
    if (gridcast_probe_ran(&seen, 32))
        figures->call.add(gridcast_probe_between(seen.before[0], seen.after[0]) / 32);

    error = gridcast_probe_turn(stream, stamps, &seen,
                                [&] { return gridcast_probe_launch(stream, 1, 32, gridcast_probe, stamps, 1u); });
    if (error != cudaSuccess)
        return error;
    if (gridcast_probe_ran(&seen, 32)) {
        uint64_t begin = *std::min_element(seen.before, seen.before + 32);
        uint64_t end = *std::max_element(seen.after, seen.after + 32);
        figures->warp_call.add(gridcast_probe_between(begin, end) / 32);
        figures->first.add(gridcast_probe_between(begin, *std::min_element(seen.start, seen.start + 32)));
        figures->last.add(gridcast_probe_between(begin, *std::max_element(seen.start, seen.start + 32)));
    }

    uint32_t warps = std::min(32u, (GRIDCAST_BURST + sms - 1) / sms);
    uint32_t children = std::min({sms * warps, (uint32_t)GRIDCAST_BURST, max_pending});
    if (children > 1) {
        error = gridcast_probe_turn(stream, stamps, &seen, [&] {
            return gridcast_probe_launch(stream, sms, 32 * warps, gridcast_probe_burst, stamps, children);
        });
        if (error != cudaSuccess)
            return error;
        if (gridcast_probe_ran(&seen, children)) {
            uint64_t first = *std::min_element(seen.start, seen.start + children);
            uint64_t last = *std::max_element(seen.start, seen.start + children);
            figures->service.add(gridcast_probe_between(first, last) / (children - 1));
        }
    }

    for (bool has_child : {false, true}) {
        error = gridcast_probe_turn(stream, stamps, &seen, [&] {
            cudaError_t own = gridcast_probe_launch(
                stream, 1, 1, has_child ? gridcast_probe_hold_child : gridcast_probe_hold, stamps);
            return own == cudaSuccess ? gridcast_probe_launch(stream, 1, 1, gridcast_probe_next, stamps) : own;
        });
        if (error != cudaSuccess)
            return error;
        if (gridcast_probe_ran(&seen, 1) && seen.end)
            (has_child ? figures->end : figures->next).add(gridcast_probe_between(seen.end, seen.start[0]));
    }
    return cudaSuccess;
}

/* Medians; takes about 20 ms. Waits at first for all that runs on the GPU. cudaErrorNotReady: of one of the figures no
 * turn counts, and *costs stays as it is. That is so where the pool is too small for a burst (gridcast_pending_of is
 * below 2). */
inline cudaError_t gridcast_spawn_measure_launches(gridcast_launch_costs *costs)
{
    gridcast_probe_figures figures = {};
    gridcast_probe_stamps *stamps = nullptr;
    cudaStream_t stream = nullptr;
    size_t pool = 0;
    int device = 0, sms = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return error;
    error = cudaMalloc(&stamps, sizeof *stamps);
    for (int turn = -4; turn < GRIDCAST_PROBES && error == cudaSuccess; turn++) {
        error = gridcast_probe_all(stream, stamps, (uint32_t)std::max(sms, 1), gridcast_pending_of(pool), &figures);
        if (turn < 0)
            figures = {};
    }
    cudaFree(stamps);
    cudaStreamDestroy(stream);
    if (error != cudaSuccess)
        return error;
    gridcast_probe_figure *all[] = {&figures.latency, &figures.call,    &figures.warp_call, &figures.first,
                                    &figures.last,    &figures.service, &figures.next,      &figures.end};
    for (const gridcast_probe_figure *figure : all)
        if (!figure->count)
            return cudaErrorNotReady;
    double next_ns = figures.next.median();
    *costs = {figures.latency.median(),
              figures.call.median(),
              figures.warp_call.median(),
              figures.first.median(),
              figures.last.median(),
              figures.service.median(),
              next_ns,
              std::max(0.0, figures.end.median() - next_ns)};
    return cudaSuccess;
}

/* Fills in overhead_ns, call_ns, service_ns and end_ns for this GPU, and max_pending for its pool of pending launches.
 * The other parameters stay as they are, and all of them where this fails: cudaErrorNotReady as above. */
inline cudaError_t gridcast_spawn_measure(gridcast_params *params)
{
    gridcast_launch_costs costs;
    size_t pool = 0;
    cudaError_t error = gridcast_spawn_measure_launches(&costs);
    if (error == cudaSuccess)
        error = cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount);
    if (error != cudaSuccess)
        return error;
    params->overhead_ns = (float)std::max(0.0, costs.latency_ns);
    params->call_ns = (float)std::max(0.0, costs.warp_call_ns);
    params->service_ns = (float)costs.service_ns;
    params->end_ns = (float)costs.end_ns;
    params->max_pending = gridcast_pending_of(pool);
    return cudaSuccess;
}

#endif

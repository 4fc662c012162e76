/* The common part of the applications on the host: arguments, time, the check against the CPU, and one line of JSON per
 * policy. An application derives from `app` and calls app_main. */
#ifndef CUDA_APPS_HARNESS_CUH
#define CUDA_APPS_HARNESS_CUH

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "papers/apps/data/dataset.h"
#include "gridcast_spawn_measure.cuh"
#include "items.cuh"

inline void check_cuda_at(cudaError_t error, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: CUDA error %d: %s\n", file, line, (int)error, cudaGetErrorString(error));
    exit(2);
}
#define check_cuda(call) check_cuda_at(call, __FILE__, __LINE__)

template <class T> T *device_array(size_t count)
{
    T *array = nullptr;
    check_cuda(cudaMalloc(&array, std::max<size_t>(count, 1) * sizeof(T)));
    return array;
}

template <class T> T *device_copy(const T *values, size_t count)
{
    T *array = device_array<T>(count);
    check_cuda(cudaMemcpy(array, values, count * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

inline uint32_t blocks_for(uint32_t threads, uint32_t block_threads)
{
    return (threads + block_threads - 1) / block_threads;
}

/* Stamps of the host's clock in one run of an application. */
struct app_clock {
    cudaStream_t stream;
    std::vector<double> round_us; /* ends of the rounds, from the start */
    std::chrono::steady_clock::time_point start;

    void begin()
    {
        round_us.clear();
        start = std::chrono::steady_clock::now();
    }
    /* At the end of a round, when the stream is empty. */
    void round()
    {
        round_us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
};

struct app {
    virtual ~app() = default;
    virtual void upload(const app_dataset &data) = 0;
    virtual void reset(cudaStream_t stream) = 0;
    /* All rounds in clock.stream, which is empty at the end; clock.round() after each. */
    virtual void run(int mode, const app_device &device, app_clock &clock) = 0;
    virtual void result(uint32_t *words) = 0; /* as app_dataset_run */
};

/* Calls the member function template `function` for a mode. */
#define APP_DISPATCH(mode, function, ...)                                                                              \
    switch (mode) {                                                                                                    \
    case MODE_FLAT:                                                                                                    \
        return function<MODE_FLAT>(__VA_ARGS__);                                                                       \
    case MODE_LAUNCH:                                                                                                  \
        return function<MODE_LAUNCH>(__VA_ARGS__);                                                                     \
    case MODE_COUNTED:                                                                                                 \
        return function<MODE_COUNTED>(__VA_ARGS__);                                                                    \
    case MODE_FLAT_COSTS:                                                                                              \
        return function<MODE_FLAT_COSTS>(__VA_ARGS__);                                                                 \
    default:                                                                                                           \
        return function<MODE_CHILD_COSTS>(__VA_ARGS__);                                                                \
    }

struct app_policy {
    std::string name; /* as given */
    uint32_t policy;  /* gridcast_policy */
    uint32_t threshold;
};

struct app_session {
    app *application;
    std::string benchmark, input;
    std::vector<app_policy> policies;
    int repeat = 15;
    double budget_ms = 1500; /* no further repetition of a policy after this time, from the third on */
    bool wants_rounds = false, wants_costs = false;
    size_t pool = 0;          /* cudaLimitDevRuntimePendingLaunchCount */
    gridcast_params params;   /* but for the policy; overhead_ns < 0: to be measured */
    float own[3] = {0, 0, 0}; /* child_ns, item_ns, service_ns as given */
    app_dataset data = {};
    app_rounds rounds = {};
    app_totals totals = {};
    std::vector<uint32_t> expected, found;
    gridcast_state *spawn = nullptr;
    app_clock clock;
    cudaEvent_t first, last;
};

#include "costs.cuh"
#include "session.cuh"

#endif

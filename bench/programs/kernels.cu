// The kernels of the experiments. One thread of a block keeps the time, the others wait at a barrier.
#include "body.h"

namespace
{
__device__ __forceinline__ uint64_t now()
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__device__ __forceinline__ void until(uint64_t time)
{
    for (uint64_t t = now(); t < time; t = now())
        if (time - t > 2000)
            __nanosleep(500);
}

__device__ __forceinline__ void wait_for_dependency()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

__device__ __forceinline__ void launch_dependents()
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Arrives, and waits for the others; the limit keeps blocks that wait for each other from a hang.
__device__ uint64_t meet(const Body &b, uint64_t start)
{
    atomicAdd(b.arrived, b.add);
    if (!b.needed)
        return now();
    for (;;) {
        if (*(volatile uint32_t *)b.arrived >= b.needed)
            return now();
        if (now() - start > b.limit)
            return GAVE_UP;
        __nanosleep(200);
    }
}

__device__ __forceinline__ uint32_t duration_of(const Body &b, uint32_t sm)
{
    if (b.masked && !(b.mask[sm / 32 % 8] >> sm % 32 & 1))
        return min(b.duration, UNHELD);
    if (blockIdx.x == b.odd)
        return b.odd_duration;
    return b.duration + b.step * (blockIdx.x * 37 % gridDim.x);
}

__device__ __forceinline__ void work(const Body &b)
{
    Record r = {};
    r.start = now();
    asm volatile("mov.u32 %0, %%smid;" : "=r"(r.sm));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(r.cluster));
    bool keeper = threadIdx.x == 0;
    uint32_t trigger = blockIdx.x == b.odd ? b.odd_trigger : b.trigger, duration = duration_of(b, r.sm);
    uint64_t from = r.start;
    if (b.wait == WAIT_FIRST) {
        wait_for_dependency();
        r.wait = from = now();
    }
    uint32_t visit = keeper ? atomicAdd(b.visit + blockIdx.x, 1u) : 0;
    if (trigger != NEVER) {
        if (keeper)
            until(from + trigger);
        if (b.all_trigger)
            __syncthreads();
        if (keeper || b.all_trigger) {
            r.trigger = now();
            launch_dependents();
        }
    }
    if (b.wait == WAIT_SECOND) {
        wait_for_dependency();
        r.wait = from = now();
    }
    if (keeper && b.arrived)
        r.met = meet(b, r.start);
    if (keeper)
        until(from + duration);
    if (b.wait == WAIT_LAST) {
        __syncthreads();
        wait_for_dependency();
        r.wait = now();
    }
    if (keeper && visit < b.visits) {
        r.end = now();
        b.record[(uint64_t)visit * gridDim.x + blockIdx.x] = r;
    }
    __syncthreads();
}

template <int NUMBER> __global__ void __launch_bounds__(1024) body(const __grid_constant__ Body b)
{
    work(b);
}

__global__ void __launch_bounds__(1024) local_body(const __grid_constant__ Body b)
{
    volatile uint32_t local[256];
    for (uint32_t i = threadIdx.x % 64; i < 256; i += 64)
        local[i] = i;
    if (local[threadIdx.x % 64] == NEVER)
        return;
    work(b);
}

__global__ void __launch_bounds__(1024) big_body(const __grid_constant__ BigBody b)
{
    if (b.rest[threadIdx.x % 800] == NEVER)
        return;
    work(b.body);
}

__global__ void gate(const volatile uint32_t *flag, uint32_t value, Record *record)
{
    if (threadIdx.x)
        return;
    Record r = {};
    r.start = now();
    while (*flag < value && now() - r.start < GATE_LIMIT)
        __nanosleep(100);
    r.met = *flag < value ? GAVE_UP : now();
    r.end = now();
    *record = r;
}

__global__ void ping(const volatile uint32_t *ask, volatile uint64_t *answer, uint32_t n)
{
    uint64_t start = now();
    for (uint32_t i = 1; i <= n; i++) {
        while (*ask < i)
            if (now() - start > GATE_LIMIT)
                return;
        *answer = now();
        __threadfence_system();
    }
}
} // namespace

const void *function_of(Function f)
{
    const void *const all[FUNCTIONS] = {(const void *)body<0>,    (const void *)body<1>, (const void *)body<2>,
                                        (const void *)body<3>,    (const void *)body<4>, (const void *)body<5>,
                                        (const void *)local_body, (const void *)big_body};
    return all[f];
}

const void *gate_function()
{
    return (const void *)gate;
}

const void *ping_function()
{
    return (const void *)ping;
}

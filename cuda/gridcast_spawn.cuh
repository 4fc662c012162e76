/* Kernels that launch kernels only where it pays: the SPAWN controller for CUDA dynamic parallelism (CDP2, fire-and-
 * forget launches). Needs CUDA 12 or newer, a GPU of compute capability 7.0 or newer, -rdc=true -lcudadevrt, and
 * gridcast_spawn_rules.h beside it. A parent thread that holds `items` items either launches a child kernel for them or
 * does them in a loop:
 *
 *     __global__ void child(gridcast_state *spawn, const uint32_t *row, uint32_t items, unsigned *sum)
 *     {
 *         gridcast_child block = gridcast_spawn_child_begin(spawn);
 *         uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
 *         if (k < items)
 *             atomicAdd(sum, work(row[k]));
 *         gridcast_spawn_child_end(spawn, block);
 *     }
 *     __global__ void parent(gridcast_state *spawn, ...)
 *     {
 *         ...
 *         gridcast_spawn_or(
 *             spawn, items,
 *             [&](uint32_t blocks) { child<<<blocks, 64, 0, cudaStreamFireAndForget>>>(spawn, row, items, sum); },
 *             [&] { for (uint32_t k = 0; k < items; k++) atomicAdd(sum, work(row[k])); });
 *     }
 *     host: gridcast_params p = gridcast_params_default(); // policy, block_items = 64, overhead_ns, ...
 *           gridcast_state *spawn; gridcast_spawn_make(&spawn, &p); parent<<<...>>>(spawn, ...);
 *
 * A launch that is refused (max_pending children are pending, or CUDA's pool is full) is done by the loop: no item is
 * lost. The parent does not see what its children write before the kernel is complete, so the next kernel reads the
 * results.
 *
 * A decision is one read of 32 bytes from the L2 cache and a few instructions; with gridcast_spawn_or and
 * gridcast_spawn_decide_warp one lane reads for its whole warp. Times are those of %globaltimer. Windows of n_con are
 * closed by child blocks that end: the first that ends after a window has passed closes it. Time in which no child
 * block runs is in no window: after it, a window begins with the start of the block that closes it. */
#ifndef GRIDCAST_SPAWN_CUH
#define GRIDCAST_SPAWN_CUH

#include <cuda_runtime.h>

#include "gridcast_spawn_rules.h"

/* What blocks have published by the last window that closed; only who closes a window touches it. */
struct gridcast_record {
    gridcast_averages averages;
    uint64_t start_ns;   /* when the window began */
    uint64_t block_time; /* gridcast_block_time at that time */
    uint64_t ended;      /* gridcast_state's then */
    uint64_t block_ns;   /* gridcast_state's then */
    uint64_t warp_ns;    /* gridcast_state's then */
    uint64_t windows;    /* closed so far */
    uint64_t is_idle;    /* no child block ran when the window began, or none has run yet */
};

/* The controller's state, in device memory. What is written by many lies in lines of its own. */
struct alignas(128) gridcast_state {
    alignas(128) uint64_t launched; /* gridcast_load_of all children launched; less `ended`: n */
    uint64_t ended;                 /* gridcast_load_of all children ended */
    alignas(128) gridcast_snapshot snapshot;
    alignas(128) gridcast_params params; /* not written while kernels run */
    alignas(128) uint64_t running;       /* gridcast_running_begin and _end of all child blocks, added up */
    alignas(128) uint64_t block_ns;      /* times of the child blocks that ended, added up */
    alignas(128) uint64_t warp_ns;       /* times of one warp of each of them, added up */
    alignas(128) uint64_t window;        /* 2 * number of the window (time / window_ns), + 1 while one closes it */
    alignas(128) uint64_t refused;       /* launches that max_pending or CUDA did not allow */
    alignas(128) uint32_t by_class[GRIDCAST_CLASSES]; /* GRIDCAST_OWN: children launched, by class */
    uint32_t started_by_class[GRIDCAST_CLASSES];      /* those of them that have started */
    alignas(128) gridcast_record record;
};

/* What a run has done so far. */
struct gridcast_counts {
    uint32_t children;           /* child kernels launched, without those refused */
    uint32_t child_blocks;       /* their blocks */
    uint64_t refused;            /* launches that max_pending or CUDA did not allow */
    uint64_t windows;            /* closed */
    gridcast_averages averages;  /* when the last window closed */
    gridcast_snapshot published; /* what decisions read */
};

/* ---- host ---- */

/* Sets the state back to its beginning with these parameters, in the order of the stream. */
inline cudaError_t gridcast_spawn_reset(gridcast_state *state, const gridcast_params *params, cudaStream_t stream = 0)
{
    gridcast_state fresh = {};
    fresh.params = *params;
    fresh.record.averages = gridcast_averages_start();
    fresh.record.is_idle = 1;
    fresh.snapshot = gridcast_snapshot_of(&fresh.record.averages, params);
    cudaError_t error = cudaMemcpyAsync(state, &fresh, sizeof fresh, cudaMemcpyHostToDevice, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

inline cudaError_t gridcast_spawn_make(gridcast_state **state, const gridcast_params *params)
{
    cudaError_t error = cudaMalloc(state, sizeof **state);
    return error == cudaSuccess ? gridcast_spawn_reset(*state, params) : error;
}

inline void gridcast_spawn_free(gridcast_state *state)
{
    cudaFree(state);
}

inline cudaError_t gridcast_spawn_read(const gridcast_state *state, gridcast_counts *counts)
{
    gridcast_state now;
    cudaError_t error = cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) {
        counts->children = gridcast_load_kernels(now.launched);
        counts->child_blocks = gridcast_load_blocks(now.launched);
        counts->refused = now.refused;
        counts->windows = now.record.windows;
        counts->averages = now.record.averages;
        counts->published = now.snapshot;
    }
    return error;
}

/* ---- device: memory ---- */

__device__ __forceinline__ uint64_t gridcast_now(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Adds without waiting for what was there. */
__device__ __forceinline__ void gridcast_red(uint64_t *word, uint64_t value)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
}

__device__ __forceinline__ uint64_t gridcast_load(const uint64_t *word)
{
    uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(word)) : "memory");
    return value;
}

/* What a decision needs, as it is in the L2 cache. */
struct gridcast_view {
    gridcast_snapshot snapshot;
    uint64_t load; /* children launched and not ended: n and the kernels */
};

/* A kernel that calls this some time before it decides does not wait for the L2 cache then. */
__device__ __forceinline__ gridcast_view gridcast_spawn_look(const gridcast_state *state)
{
    gridcast_view view;
    uint64_t launched, ended;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(launched), "=l"(ended)
                 : "l"(__cvta_generic_to_global(&state->launched))
                 : "memory");
    asm volatile("ld.relaxed.gpu.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(view.snapshot.block_ns), "=f"(view.snapshot.item_ns), "=f"(view.snapshot.overhead_ns),
                   "=r"(view.snapshot.flags)
                 : "l"(__cvta_generic_to_global(&state->snapshot))
                 : "memory");
    view.load = launched - ended;
    return view;
}

/* The part of the parameters that decisions use; it stays in the L1 cache. */
__device__ __forceinline__ gridcast_params gridcast_spawn_params(const gridcast_state *state)
{
    gridcast_params p = {};
    const uint4 *words = reinterpret_cast<const uint4 *>(&state->params);
    uint4 a = __ldg(words), b = __ldg(words + 1), c = __ldg(words + 2);
    p.policy = a.x;
    p.min_items = a.y;
    p.threshold = a.z;
    p.max_queue = a.w;
    p.max_pending = b.x;
    p.block_items = b.y;
    p.overhead_ns = __uint_as_float(b.z);
    p.call_ns = __uint_as_float(b.w);
    p.service_ns = __uint_as_float(c.x);
    p.child_ns = __uint_as_float(c.y);
    p.item_ns = __uint_as_float(c.z);
    return p;
}

/* ---- device: parents ---- */

/* Counts children that are to be launched, `load` kernels and blocks. Returns how many of the kernels may be: no more
 * than max_pending are ever launched and not ended, so that CUDA's pool of pending launches does not overflow. A pool
 * that does costs every launch some 13 microseconds to be refused, and programs were seen to hang in it. (A child with
 * children of its own keeps its place in the pool until they are complete, which is not counted: kernels that nest need
 * a larger pool.) */
__device__ __forceinline__ uint32_t gridcast_spawn_take(gridcast_state *state, const gridcast_params *p, uint64_t load)
{
    uint32_t wanted = gridcast_load_kernels(load);
    if (!p->max_pending) {
        gridcast_red(&state->launched, load);
        return wanted;
    }
    uint64_t ended = gridcast_load(&state->ended); /* first, so that the difference is never too small */
    uint64_t before = atomicAdd(reinterpret_cast<unsigned long long *>(&state->launched), load);
    uint32_t pending = gridcast_load_kernels(before) - gridcast_load_kernels(ended);
    uint32_t left = pending < p->max_pending ? p->max_pending - pending : 0;
    return wanted < left ? wanted : left;
}

/* Takes back a child that was counted and is not launched. */
__device__ __forceinline__ void gridcast_spawn_refuse(gridcast_state *state, const gridcast_params *p, uint32_t blocks)
{
    gridcast_red(&state->launched, 0 - gridcast_load_of(1, blocks));
    gridcast_red(&state->refused, 1);
    if (p->policy == GRIDCAST_OWN)
        atomicSub(&state->by_class[gridcast_class_of(blocks)], 1);
}

/* A lane's number in its warp. */
__device__ __forceinline__ unsigned gridcast_lane(void)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* GRIDCAST_OWN, for the lanes that call it together, which all have min_items or more. */
static __device__ __noinline__ bool gridcast_spawn_own(gridcast_state *state, const gridcast_params *p, uint32_t items,
                                                       uint32_t blocks)
{
    const gridcast_snapshot none = {};
    unsigned active = __activemask(), lane = gridcast_lane(), below = (1u << lane) - 1;
    bool wants = gridcast_launches(p, &none, items, blocks, 0, 0, 0);
    active = __ballot_sync(active, wants);
    if (!wants)
        return false;
    uint32_t number = gridcast_class_of(blocks);
    int32_t above = 0, own = 0; /* children of the classes above and of its own that have not started */
    for (int i = 0; i < GRIDCAST_CLASSES; i++) {
        uint32_t started = *const_cast<const volatile uint32_t *>(&state->started_by_class[i]);
        uint32_t launched = *const_cast<const volatile uint32_t *>(&state->by_class[i]);
        if (i > number)
            above += max((int32_t)(launched - started), 0);
        else if (i == number)
            own = (int32_t)(launched - started);
    }
    wants = gridcast_launches(p, &none, items, blocks, 0, above + max(own, 0), 0);
    active = __ballot_sync(active, wants);
    if (!wants)
        return false;
    unsigned group = __match_any_sync(active, number);
    unsigned leader = __ffs(group) - 1;
    uint32_t first = 0;
    if (lane == leader) {
        uint32_t started = *const_cast<const volatile uint32_t *>(&state->started_by_class[number]);
        first = atomicAdd(&state->by_class[number], __popc(group)) - started;
    }
    own = (int32_t)(__shfl_sync(group, first, leader) + __popc(group & below));
    wants = gridcast_launches(p, &none, items, blocks, 0, above + max(own, 0), __popc(active & below));
    uint32_t late = __popc(__ballot_sync(group, !wants));
    if (lane == leader && late)
        atomicSub(&state->by_class[number], late);
    return wants;
}

/* Decides for one thread, and counts the child if it is to be launched. */
__device__ __forceinline__ bool gridcast_spawn_decide(gridcast_state *state, uint32_t items, uint32_t blocks)
{
    gridcast_params p = gridcast_spawn_params(state);
    gridcast_view view = {};
    if (items < p.min_items || p.policy == GRIDCAST_FLAT)
        return false;
    if (p.policy == GRIDCAST_SPAWN)
        view = gridcast_spawn_look(state);
    bool launches = p.policy == GRIDCAST_OWN
                        ? gridcast_spawn_own(state, &p, items, blocks)
                        : gridcast_launches(&p, &view.snapshot, items, blocks, gridcast_load_blocks(view.load), 0, 0);
    if (!launches || gridcast_spawn_take(state, &p, gridcast_load_of(1, blocks)))
        return launches;
    gridcast_spawn_refuse(state, &p, blocks);
    return false;
}

/* The sum of `blocks` over the lanes of `set` below each lane; `all`: over the whole set. */
__device__ __forceinline__ uint64_t gridcast_sum_below(unsigned active, unsigned set, uint32_t blocks, unsigned below,
                                                       uint64_t *all)
{
    uint64_t sum = 0;
    *all = 0;
    for (int bit = 0; bit < 32 && __any_sync(active, blocks >> bit); bit++) {
        unsigned lanes = __ballot_sync(active, blocks >> bit & 1) & set;
        sum += (uint64_t)__popc(lanes & below) << bit;
        *all += (uint64_t)__popc(lanes) << bit;
    }
    return sum;
}

/* The lanes that launch under SPAWN: those of one lane after the other, each of which sees the launches before it. */
__device__ __forceinline__ unsigned gridcast_spawn_lanes(const gridcast_params *p, const gridcast_view *view,
                                                         unsigned active, bool may, uint32_t items, uint32_t blocks)
{
    unsigned lane = gridcast_lane(), below = (1u << lane) - 1;
    const uint64_t queued = gridcast_load_blocks(view->load);
    uint64_t all;
    /* `sure` launch, and none but `open` do. Both close in on the answer: at least one lane per turn is settled. */
    unsigned open = __ballot_sync(active, may && gridcast_launches(p, &view->snapshot, items, blocks, queued, 0, 0));
    unsigned sure = 0;
    while (open) {
        bool is_open = open >> lane & 1;
        uint64_t sum = gridcast_sum_below(active, open, blocks, below, &all);
        sure =
            __ballot_sync(active, is_open && gridcast_launches(p, &view->snapshot, items, blocks, queued + sum, 0, 0));
        if (sure == open)
            break;
        sum = gridcast_sum_below(active, sure, blocks, below, &all);
        open =
            __ballot_sync(active, is_open && gridcast_launches(p, &view->snapshot, items, blocks, queued + sum, 0, 0));
        if (sure == open)
            break;
    }
    return sure;
}

/* Decides for the lanes that call it together: the answer is that of one lane after the other, each seeing the launches
 * of the lanes before it. One lane reads the state (a view read earlier saves that), and one adds the launches to it.
 */
__device__ __forceinline__ bool gridcast_spawn_decide_warp(gridcast_state *state, uint32_t items, uint32_t blocks,
                                                           const gridcast_view *early = nullptr)
{
    unsigned active = __activemask(), lane = gridcast_lane(), below = (1u << lane) - 1;
    unsigned leader = __ffs(active) - 1;
    gridcast_params p = gridcast_spawn_params(state);
    bool may = items > 0 && items >= p.min_items && p.policy != GRIDCAST_FLAT;
    if (!__any_sync(active, may))
        return false;
    if (!may)
        blocks = 0;
    gridcast_view view = {};
    unsigned sure;
    if (p.policy == GRIDCAST_OWN) {
        bool launches = may && gridcast_spawn_own(state, &p, items, blocks);
        sure = __ballot_sync(active, launches);
    } else {
        if (p.policy == GRIDCAST_SPAWN) {
            if (early)
                view = *early;
            else if (lane == leader)
                view = gridcast_spawn_look(state);
            view.snapshot.block_ns = __shfl_sync(active, view.snapshot.block_ns, leader);
            view.snapshot.item_ns = __shfl_sync(active, view.snapshot.item_ns, leader);
            view.snapshot.overhead_ns = __shfl_sync(active, view.snapshot.overhead_ns, leader);
            view.snapshot.flags = __shfl_sync(active, view.snapshot.flags, leader);
            view.load = __shfl_sync(active, view.load, leader);
        }
        sure = gridcast_spawn_lanes(&p, &view, active, may, items, blocks);
    }
    if (!sure)
        return false;
    uint64_t all;
    uint32_t wanted = __popc(sure), taken = 0;
    gridcast_sum_below(active, sure, blocks, below, &all);
    if (lane == leader)
        taken = gridcast_spawn_take(state, &p, ((uint64_t)wanted << 32) + all);
    taken = __shfl_sync(active, taken, leader);
    bool is_sure = sure >> lane & 1, launches = is_sure && __popc(sure & below) < taken;
    if (is_sure && !launches)
        gridcast_spawn_refuse(state, &p, blocks);
    return launches;
}

/* Calls launch(blocks) or loop(), as the policy decides; loop() too where CUDA refuses the launch. True: launched. */
template <class Launch, class Loop>
__device__ __forceinline__ bool gridcast_spawn_or(gridcast_state *state, uint32_t items, Launch launch, Loop loop,
                                                  const gridcast_view *early = nullptr)
{
    gridcast_params p = gridcast_spawn_params(state);
    uint32_t blocks = gridcast_blocks_of(&p, items);
    bool is_launched = gridcast_spawn_decide_warp(state, items, blocks, early);
    if (is_launched) {
        launch(blocks);
        if (cudaGetLastError() != cudaSuccess) {
            gridcast_spawn_refuse(state, &p, blocks);
            is_launched = false;
        }
    }
    if (!is_launched)
        loop();
    return is_launched;
}

/* ---- device: children ---- */

/* A child block's start; of use in its thread 0 only. */
struct gridcast_child {
    uint64_t start_ns;
};

__device__ __forceinline__ bool gridcast_is_first_thread(void)
{
    return (threadIdx.x | threadIdx.y | threadIdx.z) == 0;
}

/* Counts a child as started: what GRIDCAST_OWN needs, in the place of _begin. */
__device__ __forceinline__ void gridcast_spawn_child_started(gridcast_state *state)
{
    if (gridcast_is_first_thread() && (blockIdx.x | blockIdx.y | blockIdx.z) == 0)
        atomicAdd(&state->started_by_class[gridcast_class_of(gridDim.x * gridDim.y * gridDim.z)], 1);
}

/* All threads of a child block call it first. */
__device__ __forceinline__ gridcast_child gridcast_spawn_child_begin(gridcast_state *state)
{
    gridcast_child child = {};
    if (gridcast_is_first_thread()) {
        child.start_ns = gridcast_now();
        gridcast_red(&state->running, gridcast_running_begin(child.start_ns));
    }
    gridcast_spawn_child_started(state);
    return child;
}

/* Closes the window that ends at `now`; `running` is the state's word after this block ended. */
static __device__ __noinline__ void gridcast_spawn_close(gridcast_state *state, uint64_t number, uint64_t start,
                                                         uint64_t now, uint64_t running)
{
    volatile gridcast_record *kept = &state->record;
    gridcast_record record;
    gridcast_params p = state->params;
    gridcast_window window;
    uint64_t time = gridcast_block_time(running, now);
    uint64_t ended = gridcast_load(&state->ended), block_ns = gridcast_load(&state->block_ns);
    uint64_t warp_ns = gridcast_load(&state->warp_ns);
    for (unsigned i = 0; i < sizeof record / 8; i++)
        reinterpret_cast<uint64_t *>(&record)[i] = reinterpret_cast<volatile uint64_t *>(kept)[i];
    uint64_t from = record.is_idle || record.start_ns > now ? start : record.start_ns;
    window.span_ns = now > from ? now - from : 0;
    window.block_time_ns = gridcast_block_time_between(record.block_time, time);
    window.max_running = record.is_idle ? gridcast_running_count(running) + 1 : 0;
    window.ended = gridcast_load_blocks(ended) - gridcast_load_blocks(record.ended);
    window.ended_ns = block_ns - record.block_ns;
    window.warps_ns = warp_ns - record.warp_ns;
    gridcast_close_window(&record.averages, &p, &window);
    gridcast_snapshot s = gridcast_snapshot_of(&record.averages, &p);
    asm volatile(
        "st.relaxed.gpu.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(&state->snapshot)),
        "f"(s.block_ns), "f"(s.item_ns), "f"(s.overhead_ns), "r"(s.flags)
        : "memory");
    record.start_ns = now;
    record.block_time = time;
    record.ended = ended;
    record.block_ns = block_ns;
    record.warp_ns = warp_ns;
    record.windows++;
    record.is_idle = gridcast_running_count(running) == 0;
    for (unsigned i = 0; i < sizeof record / 8; i++)
        reinterpret_cast<volatile uint64_t *>(kept)[i] = reinterpret_cast<uint64_t *>(&record)[i];
    __threadfence();
    *reinterpret_cast<volatile uint64_t *>(&state->window) = 2 * number;
}

/* Counts a child block as ended, without times: in the place of _end, for all policies but GRIDCAST_SPAWN. */
__device__ __forceinline__ void gridcast_spawn_child_done(gridcast_state *state)
{
    bool is_last = blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 && blockIdx.z == gridDim.z - 1;
    if (gridcast_is_first_thread())
        gridcast_red(&state->ended, gridcast_load_of(is_last, 1));
}

/* All threads of a child block call it last: it has a barrier. */
__device__ __forceinline__ void gridcast_spawn_child_end(gridcast_state *state, gridcast_child child)
{
    uint64_t warp_end = gridcast_now();
    __syncthreads();
    if (!gridcast_is_first_thread())
        return;
    uint64_t now = gridcast_now(), seen = gridcast_load(&state->window);
    uint32_t window_ns = __ldg(&state->params.window_ns);
    /* The block of the largest number stands for its kernel's end: it starts last. */
    bool is_last = blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 && blockIdx.z == gridDim.z - 1;
    gridcast_red(&state->block_ns, now - child.start_ns);
    gridcast_red(&state->warp_ns, warp_end - child.start_ns);
    gridcast_red(&state->ended, gridcast_load_of(is_last, 1));
    uint64_t change = gridcast_running_end(now);
    uint64_t running = atomicAdd(reinterpret_cast<unsigned long long *>(&state->running), change) + change;
    uint64_t number = now / (window_ns ? window_ns : 1);
    bool is_over = number > seen / 2 || gridcast_running_count(running) == 0;
    if (is_over && !(seen & 1) &&
        atomicCAS(reinterpret_cast<unsigned long long *>(&state->window), seen, 2 * number + 1) == seen)
        gridcast_spawn_close(state, number, child.start_ns, now, running);
}

#endif

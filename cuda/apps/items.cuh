/* What parent and child kernels of all applications share on the device: a parent thread launches a child for its items
 * or loops over them, and what is stamped when costs are measured. */
#ifndef CUDA_APPS_ITEMS_CUH
#define CUDA_APPS_ITEMS_CUH

#include "../gridcast_spawn.cuh"

/* Kernels are compiled once per mode, so that a flat run carries no code of launches and a launch no code of counts. */
enum app_mode {
    MODE_FLAT,       /* no launches */
    MODE_LAUNCH,     /* launches by a policy that needs no times of children: all but SPAWN */
    MODE_COUNTED,    /* launches by SPAWN: children take their times */
    MODE_FLAT_COSTS, /* MODE_FLAT with stamps per warp */
    MODE_CHILD_COSTS /* MODE_COUNTED with stamps per child block and launch */
};

struct app_warp_cost {
    uint32_t items;   /* of the lane that has most */
    uint32_t base_ns; /* from the start of the kernel to the loop */
    uint32_t loop_ns;
};

struct app_block_cost {
    uint64_t start_ns, end_ns;
};

/* Where stamps go; what is past a capacity is counted only. */
struct app_stamps {
    unsigned long long warps, blocks, calls; /* stamped */
    uint32_t capacity;                       /* of each of the following */
    app_warp_cost *warp;
    app_block_cost *block;
    uint32_t *call_ns; /* of a launch */
};

/* What kernels get by value. */
struct app_device {
    gridcast_state *spawn;
    app_stamps *stamps; /* NULL unless costs are measured */
};

template <int MODE> __device__ __forceinline__ uint64_t app_entered(void)
{
    return MODE == MODE_FLAT_COSTS ? gridcast_now() : 0;
}

/* All lanes of a warp call it, those without items too. launch(blocks) launches the child, loop() does the items. */
template <int MODE, class Launch, class Loop>
__device__ __forceinline__ void app_items(const app_device &run, uint64_t entered, uint32_t items, Launch launch,
                                          Loop loop)
{
    __syncwarp();
    if (MODE == MODE_FLAT) {
        loop();
    } else if (MODE == MODE_FLAT_COSTS) {
        uint64_t begin = gridcast_now();
        loop();
        __syncwarp();
        uint64_t end = gridcast_now();
        uint32_t most = __reduce_max_sync(~0u, items);
        if (threadIdx.x % 32 == 0) {
            unsigned long long at = atomicAdd(&run.stamps->warps, 1ull);
            if (at < run.stamps->capacity)
                run.stamps->warp[at] = {most, (uint32_t)(begin - entered), (uint32_t)(end - begin)};
        }
    } else if (MODE == MODE_CHILD_COSTS) {
        gridcast_spawn_or(
            run.spawn, items,
            [&](uint32_t blocks) {
                uint64_t begin = gridcast_now();
                launch(blocks);
                uint32_t ns = (uint32_t)(gridcast_now() - begin);
                unsigned long long at = atomicAdd(&run.stamps->calls, 1ull);
                if (at < run.stamps->capacity)
                    run.stamps->call_ns[at] = ns;
            },
            loop);
    } else {
        gridcast_spawn_or(run.spawn, items, launch, loop);
    }
}

/* Does a kernel of this mode launch children? */
template <int MODE>
constexpr bool app_launches = MODE == MODE_LAUNCH || MODE == MODE_COUNTED || MODE == MODE_CHILD_COSTS;

/* The first and the last call of a child kernel, by all its threads. */
template <int MODE> __device__ __forceinline__ gridcast_child app_child_begin(const app_device &run)
{
    if (MODE == MODE_COUNTED || MODE == MODE_CHILD_COSTS)
        return gridcast_spawn_child_begin(run.spawn);
    gridcast_spawn_child_started(run.spawn);
    return {};
}

template <int MODE> __device__ __forceinline__ void app_child_end(const app_device &run, gridcast_child child)
{
    if (MODE == MODE_CHILD_COSTS) {
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned long long at = atomicAdd(&run.stamps->blocks, 1ull);
            if (at < run.stamps->capacity)
                run.stamps->block[at] = {child.start_ns, gridcast_now()};
        }
    }
    if (MODE == MODE_COUNTED || MODE == MODE_CHILD_COSTS)
        gridcast_spawn_child_end(run.spawn, child);
    else if (MODE == MODE_LAUNCH)
        gridcast_spawn_child_done(run.spawn);
}

/* Adds the values of a child's warp to *sum with one atomic; all lanes call it. */
__device__ __forceinline__ void app_add_warp(uint32_t *sum, uint32_t value)
{
    value = __reduce_add_sync(~0u, value);
    if (threadIdx.x % 32 == 0 && value)
        atomicAdd(sum, value);
}

#endif

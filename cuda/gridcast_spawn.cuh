/* Kernels that launch kernels where a controller says that it pays, for CUDA dynamic parallelism (CDP2, fire-and-forget
 * launches). Needs CUDA 12 or newer, a GPU of compute capability 7.5 or newer, -rdc=true -lcudadevrt, and
 * gridcast_spawn_rules.h beside it. A parent thread that holds `items` items either launches a child kernel for them or
 * does them in a loop (cuda/example.cu is a whole program):
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
 *     host: gridcast_params p = gridcast_params_default(); // GRIDCAST_OWN; block_items = 64, ...
 *           gridcast_spawn_measure(&p);                     // gridcast_spawn_measure.cuh: what launches take
 *           gridcast_state *spawn;
 *           p.policy = GRIDCAST_LEARN;                      // a first run, to time the loop and some children
 *           gridcast_spawn_make(&spawn, &p);
 *           parent<<<...>>>(spawn, ...);
 *           gridcast_spawn_learn(spawn, &p);                // waits for it; p.item_ns, p.child_ns, p.policy
 *           gridcast_spawn_reset(spawn, &p);
 *           parent<<<...>>>(spawn, ...);                    // from now on
 *
 * Whether this is faster than never launching depends on the program: on an H200, GRIDCAST_OWN was faster than flat in
 * ten of our thirteen benchmarks, GRIDCAST_SPAWN, the controller of Tang et al., in three (docs/measurements.md). Measure
 * yours with GRIDCAST_FLAT beside it.
 *
 * A launch that is refused (max_pending children are pending, or CUDA's pool is full) is done by the loop: no item is
 * lost. An error that an earlier call of the thread left is cleared before the launch is judged, and kept in
 * gridcast_counts. `launch` must launch one kernel of `blocks` blocks whose blocks all call _begin and _end (or _started
 * and _done): more kernels or other grids put the counts out of balance, which ends launching and which
 * gridcast_spawn_read tells (counts that are wrong in both directions by as much it cannot see). The parent does not see
 * what its children write before the kernel is complete, so the next kernel reads the results.
 *
 * A decision is one read of 32 bytes from the L2 cache and a few instructions; with gridcast_spawn_or and
 * gridcast_spawn_decide_warp one lane reads for its whole warp. Times are those of %globaltimer. Windows of n_con are
 * closed by child blocks that end: the first that ends after a window has passed closes it. Time in which no child
 * block runs is in no window: after it, a window begins with the start of the block that closes it.
 *
 * Order of memory. Counters and sums are changed by relaxed atomic additions, and what has to fit together is in one
 * word (kernels and blocks; running blocks and their times; how many blocks and how long they took), so no order between
 * words is needed. What a closed window leaves, gridcast_record, belongs to whoever holds the lock in the lowest bit of
 * `window`: taken by a compare-and-swap and a fence after it (acquire), given back by a fence and a store (release); so
 * each closer sees all that the one before it wrote. A snapshot is published without the lock by one store of 16 bytes
 * and read by one load; should a GPU split these, a thread decides by numbers of two windows, and both launching and not
 * launching are right for every item. A child sees what its parent wrote before the launch, as CUDA says. */
#ifndef GRIDCAST_SPAWN_CUH
#define GRIDCAST_SPAWN_CUH

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "gridcast_spawn_log.h"
#include "gridcast_spawn_rules.h"

/* Notes of decisions and windows, for gridcast_spawn_log_write. */
struct gridcast_log {
    gridcast_decision *decision; /* nullptr: nothing is noted */
    gridcast_averages *window;   /* by its number: the averages when it was closed; 0: those of the start */
    uint64_t *counts;            /* decisions noted, windows closed; may be larger than the capacities */
    uint32_t decisions, windows; /* capacities */
};

/* What blocks have published by the last window that closed; only who closes a window touches it. */
struct gridcast_record {
    gridcast_averages averages;
    uint64_t start_ns;   /* when the window began */
    uint64_t block_time; /* gridcast_block_time at that time */
    uint64_t blocks;     /* gridcast_state's then */
    uint64_t warps;      /* gridcast_state's then */
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
    alignas(128) uint64_t blocks;        /* gridcast_timed of the child blocks that ended, added up */
    alignas(128) uint64_t warps;         /* gridcast_timed of one warp of each of them, added up */
    alignas(128) uint64_t window;        /* 2 * number of the window (time / window_ns), + 1 while one closes it */
    alignas(128) uint64_t refused;       /* launches that max_pending or CUDA did not allow */
    uint64_t drifted;                    /* decisions that found more children ended than launched */
    uint64_t older_errors;               /* CUDA errors that were there before a launch */
    uint64_t older_error;                /* one of them */
    alignas(128) gridcast_learned learned; /* GRIDCAST_LEARN: loops; blocks are filled in when it is read */
    alignas(128) gridcast_log log;         /* where decisions are noted; not written while kernels run */
    alignas(128) uint32_t by_class[GRIDCAST_CLASSES]; /* GRIDCAST_OWN: children launched, by class */
    uint32_t started_by_class[GRIDCAST_CLASSES];      /* those of them that have started */
    alignas(128) gridcast_record record;
};

/* What a run has done so far. */
struct gridcast_counts {
    uint32_t children;           /* child kernels launched, without those refused; modulo 2^32 */
    uint32_t child_blocks;       /* their blocks; modulo 2^32 */
    int64_t kernels_left;        /* launched less ended; not 0 after the last kernel is complete: `launch` launches more */
    int64_t blocks_left;         /* kernels or others than it was told, or a child does not call its end */
    uint64_t drifted;            /* decisions that found more ended than launched, and so did not launch */
    uint64_t older_errors;       /* CUDA errors of earlier calls, which were cleared before a launch */
    int older_error;             /* one of them, a cudaError_t; 0: none */
    uint64_t refused;            /* launches that max_pending or CUDA did not allow */
    uint64_t windows;            /* closed */
    gridcast_averages averages;  /* when the last window closed */
    gridcast_snapshot published; /* what decisions read */
};

/* ---- host ---- */

/* cudaErrorInvalidValue where parameters lack something (gridcast_params_lack says what), or more children may be pending
 * than CUDA's pool has places for. */
inline cudaError_t gridcast_spawn_check(const gridcast_params *params)
{
    size_t pool = 0;
    if (gridcast_params_lack(params))
        return cudaErrorInvalidValue;
    if (params->max_pending == GRIDCAST_ANY_PENDING)
        return cudaSuccess;
    cudaError_t error = cudaDeviceGetLimit(&pool, cudaLimitDevRuntimePendingLaunchCount);
    if (error != cudaSuccess)
        return error;
    return params->max_pending <= gridcast_pending_of(pool) ? cudaSuccess : cudaErrorInvalidValue;
}

/* Sets the state back to its beginning with these parameters, in the order of the stream. What a log has noted stays. */
inline cudaError_t gridcast_spawn_reset(gridcast_state *state, const gridcast_params *params, cudaStream_t stream = 0)
{
    gridcast_state fresh = {};
    cudaError_t error = gridcast_spawn_check(params);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(&fresh.log, &state->log, sizeof fresh.log, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess)
        return error;
    fresh.params = *params;
    fresh.record.averages = gridcast_averages_start();
    fresh.record.is_idle = 1;
    fresh.snapshot = gridcast_snapshot_of(&fresh.record.averages, params);
    error = cudaMemcpyAsync(state, &fresh, sizeof fresh, cudaMemcpyHostToDevice, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

/* *state is nullptr where this fails. */
inline cudaError_t gridcast_spawn_make(gridcast_state **state, const gridcast_params *params)
{
    *state = nullptr;
    cudaError_t error = gridcast_spawn_check(params);
    if (error == cudaSuccess)
        error = cudaMalloc(state, sizeof **state);
    if (error == cudaSuccess)
        error = cudaMemset(*state, 0, sizeof **state);
    if (error == cudaSuccess)
        error = gridcast_spawn_reset(*state, params);
    if (error != cudaSuccess && *state) {
        cudaFree(*state);
        *state = nullptr;
    }
    return error;
}

inline void gridcast_spawn_free(gridcast_state *state)
{
    gridcast_log log = {};
    if (state && cudaMemcpy(&log, &state->log, sizeof log, cudaMemcpyDeviceToHost) == cudaSuccess) {
        cudaFree(log.decision);
        cudaFree(log.window);
        cudaFree(log.counts);
    }
    cudaFree(state);
}

inline cudaError_t gridcast_spawn_read(const gridcast_state *state, gridcast_counts *counts)
{
    gridcast_state now;
    cudaError_t error = cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) {
        counts->children = gridcast_load_kernels(now.launched);
        counts->child_blocks = gridcast_load_blocks(now.launched);
        counts->blocks_left = gridcast_load_blocks_left(now.launched - now.ended);
        counts->kernels_left = gridcast_load_kernels_left(now.launched - now.ended);
        counts->drifted = now.drifted;
        counts->older_errors = now.older_errors;
        counts->older_error = (int)now.older_error;
        counts->refused = now.refused;
        counts->windows = now.record.windows;
        counts->averages = now.record.averages;
        counts->published = now.snapshot;
    }
    return error;
}

/* Fills in what GRIDCAST_OWN needs of the program, after a run under GRIDCAST_LEARN, for which it waits. What OWN needs of
 * the GPU is measured before, by gridcast_spawn_measure. cudaErrorNotReady: nothing was timed (no thread had min_items, or
 * the clock did not tick); *params stays as it is. */
inline cudaError_t gridcast_spawn_learn(const gridcast_state *state, gridcast_params *params)
{
    gridcast_state now;
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        return error;
    now.learned.blocks = gridcast_timed_count(now.blocks);
    now.learned.block_ns = gridcast_timed_ns(now.blocks);
    return gridcast_params_learn(params, &now.learned) ? cudaSuccess : cudaErrorNotReady;
}

/* From now on decisions of SPAWN are noted, up to these numbers of decisions and windows. Notes of an earlier log, which
 * no kernel may be writing any more, are gone. */
inline cudaError_t gridcast_spawn_log(gridcast_state *state, uint32_t decisions, uint32_t windows)
{
    gridcast_log log = {}, older = {};
    log.decisions = decisions;
    log.windows = windows;
    cudaError_t error = cudaMemcpy(&older, &state->log, sizeof older, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        error = cudaMalloc(&log.decision, (size_t)decisions * sizeof *log.decision);
    if (error == cudaSuccess)
        error = cudaMalloc(&log.window, (size_t)windows * sizeof *log.window);
    if (error == cudaSuccess)
        error = cudaMalloc(&log.counts, 2 * sizeof *log.counts);
    if (error == cudaSuccess)
        error = cudaMemset(log.counts, 0, 2 * sizeof *log.counts);
    if (error == cudaSuccess && windows)
        error = cudaMemset(log.window, 0, sizeof *log.window);
    if (error == cudaSuccess)
        error = cudaMemcpy(&state->log, &log, sizeof log, cudaMemcpyHostToDevice);
    const gridcast_log *gone = error == cudaSuccess ? &older : &log;
    cudaFree(gone->decision);
    cudaFree(gone->window);
    cudaFree(gone->counts);
    return error;
}

/* Writes what was noted as gridcast.decisions/1 (docs/formats.md). *left_out: decisions beyond the capacities. */
inline cudaError_t gridcast_spawn_log_write(const gridcast_state *state, FILE *out, uint64_t *left_out)
{
    gridcast_state now;
    uint64_t counts[2] = {0, 0};
    cudaError_t error = cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost);
    *left_out = 0;
    gridcast_log_head(out);
    if (error != cudaSuccess || !now.log.decision)
        return error;
    error = cudaMemcpy(counts, now.log.counts, sizeof counts, cudaMemcpyDeviceToHost);
    uint64_t known = counts[0] < now.log.decisions ? counts[0] : now.log.decisions;
    gridcast_decision *decision = (gridcast_decision *)calloc(now.log.decisions + 1, sizeof *decision);
    gridcast_averages *window = (gridcast_averages *)calloc(now.log.windows + 1, sizeof *window);
    if (!decision || !window)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = cudaMemcpy(decision, now.log.decision, known * sizeof *decision, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        error = cudaMemcpy(window, now.log.window, now.log.windows * sizeof *window, cudaMemcpyDeviceToHost);
    *left_out = counts[0] - known;
    for (uint64_t i = 0; error == cudaSuccess && i < known; i++) {
        uint32_t number = decision[i].flags >> GRIDCAST_WINDOW_SHIFT;
        if (number < now.log.windows)
            gridcast_log_row(out, &decision[i], &window[number], &now.params);
        else
            ++*left_out;
    }
    free(decision);
    free(window);
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
 * than max_pending are ever launched and not ended by this count, which a margin of the pool makes up for
 * (gridcast_pending_of), so that CUDA's pool of pending launches does not overflow. A pool that does costs every launch
 * some 13 microseconds to be refused, and programs were seen to hang in it. (A child with children of its own keeps its
 * place in the pool until they are complete, which is not counted: kernels that nest need a larger pool.) None, where more
 * have ended than were launched: then the count says nothing. */
__device__ __forceinline__ uint32_t gridcast_spawn_take(gridcast_state *state, const gridcast_params *p, uint64_t load)
{
    uint32_t wanted = gridcast_load_kernels(load);
    uint64_t ended = gridcast_load(&state->ended); /* first, so that the difference is never too small */
    uint64_t before = atomicAdd(reinterpret_cast<unsigned long long *>(&state->launched), load);
    if (gridcast_load_is_less(before - ended)) {
        gridcast_red(&state->drifted, 1);
        return 0;
    }
    uint32_t pending = gridcast_load_kernels(before - ended);
    uint32_t left = pending < p->max_pending ? p->max_pending - pending : 0;
    return wanted < left ? wanted : left;
}

/* Takes back a child that was counted and is not launched. */
__device__ __forceinline__ void gridcast_spawn_refuse(gridcast_state *state, const gridcast_params *p, uint32_t blocks)
{
    gridcast_red(&state->launched, 0 - gridcast_load_of(1, blocks));
    gridcast_red(&state->refused, 1);
    if (p->policy == GRIDCAST_OWN)
        atomicSub(&state->by_class[gridcast_class_of(blocks)], 1); /* LEARN keeps its count: it is of tries */
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

/* GRIDCAST_LEARN, for the lanes that call it together: the first ones of all launch. */
static __device__ __noinline__ bool gridcast_spawn_early(gridcast_state *state, const gridcast_params *p, uint32_t items,
                                                         uint32_t blocks)
{
    const gridcast_snapshot none = {};
    unsigned active = __activemask(), lane = gridcast_lane(), below = (1u << lane) - 1;
    unsigned leader = __ffs(active) - 1;
    uint32_t first = *const_cast<const volatile uint32_t *>(&state->by_class[0]);
    if (__any_sync(active, first < GRIDCAST_LEARN_CHILDREN)) {
        if (lane == leader)
            first = atomicAdd(&state->by_class[0], __popc(active));
        first = __shfl_sync(active, first, leader);
    }
    return gridcast_launches(p, &none, items, blocks, 0, (uint64_t)first + __popc(active & below), 0);
}

/* Notes a decision of SPAWN, where somebody wants to know. Returns the note; nullptr: there is none. */
__device__ __forceinline__ gridcast_decision *gridcast_spawn_note(gridcast_state *state, const gridcast_params *p,
                                                                  const gridcast_view *view, uint32_t items,
                                                                  uint32_t blocks, uint64_t queued, bool wants,
                                                                  bool launches)
{
    gridcast_decision *notes = p->policy == GRIDCAST_SPAWN ? state->log.decision : nullptr;
    if (!notes)
        return nullptr;
    uint64_t place = atomicAdd(reinterpret_cast<unsigned long long *>(&state->log.counts[0]), 1ull);
    if (place >= state->log.decisions)
        return nullptr;
    gridcast_decision *d = &notes[place];
    d->time_ns = gridcast_now();
    d->n = queued;
    d->items = items;
    d->blocks = blocks;
    d->flags = view->snapshot.flags;
    d->choice = launches ? GRIDCAST_CHOICE_LAUNCH : wants ? GRIDCAST_CHOICE_REFUSED : GRIDCAST_CHOICE_LOOP;
    return d;
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
    if (gridcast_load_is_less(view.load)) /* gridcast_spawn_take finds out, and counts it */
        view.load = 0;
    const uint64_t queued = gridcast_load_blocks(view.load);
    bool wants = p.policy == GRIDCAST_OWN     ? gridcast_spawn_own(state, &p, items, blocks)
                 : p.policy == GRIDCAST_LEARN ? gridcast_spawn_early(state, &p, items, blocks)
                                              : gridcast_launches(&p, &view.snapshot, items, blocks, queued, 0, 0);
    bool launches = wants && gridcast_spawn_take(state, &p, gridcast_load_of(1, blocks));
    if (wants && !launches)
        gridcast_spawn_refuse(state, &p, blocks);
    gridcast_spawn_note(state, &p, &view, items, blocks, queued, wants, launches);
    return launches;
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
 * *note becomes this lane's note of it, or nullptr. */
__device__ __forceinline__ bool gridcast_spawn_decide_warp(gridcast_state *state, uint32_t items, uint32_t blocks,
                                                           const gridcast_view *early = nullptr,
                                                           gridcast_decision **note = nullptr)
{
    if (note)
        *note = nullptr;
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
    if (p.policy == GRIDCAST_OWN || p.policy == GRIDCAST_LEARN) {
        bool launches = may && (p.policy == GRIDCAST_OWN ? gridcast_spawn_own(state, &p, items, blocks)
                                                         : gridcast_spawn_early(state, &p, items, blocks));
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
            if (gridcast_load_is_less(view.load)) /* gridcast_spawn_take finds out, and counts it */
                view.load = 0;
        }
        sure = gridcast_spawn_lanes(&p, &view, active, may, items, blocks);
    }
    uint64_t all, before = gridcast_sum_below(active, sure, blocks, below, &all);
    uint32_t wanted = __popc(sure), taken = 0;
    if (lane == leader && wanted)
        taken = gridcast_spawn_take(state, &p, ((uint64_t)wanted << 32) + all);
    taken = __shfl_sync(active, taken, leader);
    bool is_sure = sure >> lane & 1, launches = is_sure && __popc(sure & below) < taken;
    if (is_sure && !launches)
        gridcast_spawn_refuse(state, &p, blocks);
    gridcast_decision *own = nullptr;
    if (may)
        own = gridcast_spawn_note(state, &p, &view, items, blocks, gridcast_load_blocks(view.load) + before, is_sure,
                                  launches);
    if (note)
        *note = own;
    return launches;
}

/* The largest of the lanes' numbers, and whether this lane is the first that has it. */
__device__ __forceinline__ bool gridcast_is_largest(unsigned active, uint32_t number)
{
    unsigned left = active;
    for (int bit = 31; bit >= 0; bit--) {
        unsigned have = __ballot_sync(active, number >> bit & 1) & left;
        left = have ? have : left;
    }
    return gridcast_lane() == (unsigned)__ffs(left) - 1;
}

/* The loop under GRIDCAST_LEARN: that of the warp's lane with most items is timed, since the warp takes as long. */
template <class Loop>
__device__ __forceinline__ void gridcast_spawn_timed_loop(gridcast_state *state, const gridcast_params *p, uint32_t items,
                                                          Loop loop)
{
    bool is_timed = gridcast_is_largest(__activemask(), items) && items && items >= p->min_items;
    uint64_t start = gridcast_now();
    loop();
    if (!is_timed)
        return;
    gridcast_red(&state->learned.loop_ns, gridcast_now() - start);
    gridcast_red(&state->learned.loop_items, items);
    gridcast_red(&state->learned.loops, 1);
}

/* Calls launch(blocks) or loop(), as the policy decides; loop() too where CUDA refuses the launch. True: launched. */
template <class Launch, class Loop>
__device__ __forceinline__ bool gridcast_spawn_or(gridcast_state *state, uint32_t items, Launch launch, Loop loop,
                                                  const gridcast_view *early = nullptr)
{
    gridcast_params p = gridcast_spawn_params(state);
    uint32_t blocks = gridcast_blocks_of(&p, items);
    gridcast_decision *note;
    bool is_launched = gridcast_spawn_decide_warp(state, items, blocks, early, &note);
    if (is_launched) {
        /* Errors stay until they are asked for: one of an earlier call would look like this launch's, and the items would
         * be done by the child and by the loop. */
        cudaError_t older = cudaGetLastError();
        if (older != cudaSuccess) {
            gridcast_red(&state->older_errors, 1);
            *const_cast<volatile uint64_t *>(&state->older_error) = (uint64_t)older;
        }
        launch(blocks);
        if (cudaGetLastError() != cudaSuccess) {
            gridcast_spawn_refuse(state, &p, blocks);
            if (note)
                note->choice = GRIDCAST_CHOICE_REFUSED;
            is_launched = false;
        }
    }
    if (!is_launched) {
        if (p.policy == GRIDCAST_LEARN)
            gridcast_spawn_timed_loop(state, &p, items, loop);
        else
            loop();
    }
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
    /* Acquire, with the compare-and-swap that took the lock: what the last closer wrote is seen below. The sums are read
     * after it, so that they are no less than those that the last closer read. */
    __threadfence();
    uint64_t blocks = gridcast_load(&state->blocks), warps = gridcast_load(&state->warps);
    for (unsigned i = 0; i < sizeof record / 8; i++)
        reinterpret_cast<uint64_t *>(&record)[i] = reinterpret_cast<volatile uint64_t *>(kept)[i];
    uint64_t from = record.is_idle || record.start_ns > now ? start : record.start_ns;
    window.span_ns = now > from ? now - from : 0;
    window.block_time_ns = gridcast_block_time_between(record.block_time, time);
    window.max_running = record.is_idle ? gridcast_running_count(running) + 1 : 0;
    window.ended = gridcast_timed_count(blocks - record.blocks);
    window.ended_ns = gridcast_timed_ns(blocks - record.blocks);
    window.warps = gridcast_timed_count(warps - record.warps);
    window.warps_ns = gridcast_timed_ns(warps - record.warps);
    gridcast_close_window(&record.averages, &p, &window);
    gridcast_snapshot s = gridcast_snapshot_of(&record.averages, &p);
    record.windows++;
    s.flags |= (uint32_t)record.windows << GRIDCAST_WINDOW_SHIFT;
    if (state->log.decision && record.windows < state->log.windows)
        state->log.window[record.windows] = record.averages;
    asm volatile(
        "st.relaxed.gpu.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(&state->snapshot)),
        "f"(s.block_ns), "f"(s.item_ns), "f"(s.overhead_ns), "r"(s.flags)
        : "memory");
    record.start_ns = now;
    record.block_time = time;
    record.blocks = blocks;
    record.warps = warps;
    record.is_idle = gridcast_running_count(running) == 0;
    for (unsigned i = 0; i < sizeof record / 8; i++)
        reinterpret_cast<volatile uint64_t *>(kept)[i] = reinterpret_cast<uint64_t *>(&record)[i];
    __threadfence(); /* release: the store below gives the lock back */
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(&state->window)), "l"(2 * number)
                 : "memory");
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
    gridcast_red(&state->blocks, gridcast_timed(now - child.start_ns));
    gridcast_red(&state->warps, gridcast_timed(warp_end - child.start_ns));
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

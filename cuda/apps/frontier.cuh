/* The vertices that a round works on, as an ascending list made on the GPU. The host reads its length. */
#ifndef CUDA_APPS_FRONTIER_CUH
#define CUDA_APPS_FRONTIER_CUH

#include "harness.cuh"

#define FRONTIER_THREADS 256
#define FRONTIER_STRIPS 4 /* vertices per thread */
#define FRONTIER_BLOCK (FRONTIER_THREADS * FRONTIER_STRIPS)

/* `is_in` is a functor of a vertex: is it in the next frontier? */
template <class In> __global__ void frontier_count(In is_in, uint32_t vertices, uint32_t *counts)
{
    uint32_t sum = 0;
    for (uint32_t strip = 0; strip < FRONTIER_STRIPS; strip++) {
        uint32_t v = blockIdx.x * FRONTIER_BLOCK + strip * FRONTIER_THREADS + threadIdx.x;
        sum += __syncthreads_count(v < vertices && is_in(v));
    }
    if (threadIdx.x == 0)
        counts[blockIdx.x] = sum;
}

/* is_in.take(v) is called once for every vertex that is listed. */
template <class In>
__global__ void frontier_list(In is_in, uint32_t vertices, const uint32_t *counts, uint32_t *list, uint32_t *length)
{
    __shared__ uint32_t by_warp[FRONTIER_THREADS / 32], before;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = 0;
    for (uint32_t b = threadIdx.x; b < blockIdx.x; b += FRONTIER_THREADS)
        sum += counts[b];
    if (threadIdx.x == 0)
        before = 0;
    __syncthreads();
    sum = __reduce_add_sync(~0u, sum);
    if (lane == 0 && sum)
        atomicAdd(&before, sum);
    __syncthreads();
    uint32_t at = before;
    for (uint32_t strip = 0; strip < FRONTIER_STRIPS; strip++) {
        uint32_t v = blockIdx.x * FRONTIER_BLOCK + strip * FRONTIER_THREADS + threadIdx.x;
        bool is_listed = v < vertices && is_in(v);
        uint32_t lanes = __ballot_sync(~0u, is_listed);
        if (lane == 0)
            by_warp[warp] = __popc(lanes);
        __syncthreads();
        uint32_t place = at + __popc(lanes & ((1u << lane) - 1));
        for (uint32_t w = 0; w < FRONTIER_THREADS / 32; w++) {
            place += w < warp ? by_warp[w] : 0;
            at += by_warp[w];
        }
        __syncthreads();
        if (is_listed) {
            list[place] = v;
            is_in.take(v);
        }
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *length = at;
}

struct frontier {
    uint32_t *list = nullptr;
    uint32_t *counts = nullptr; /* by block of frontier_count */
    uint32_t *length = nullptr; /* in memory that host and GPU share */
    uint32_t vertices = 0, blocks = 0;

    void make(uint32_t vertex_count)
    {
        vertices = vertex_count;
        blocks = (vertices + FRONTIER_BLOCK - 1) / FRONTIER_BLOCK;
        list = device_array<uint32_t>(vertices);
        counts = device_array<uint32_t>(blocks);
        check_cuda(cudaHostAlloc(&length, sizeof *length, cudaHostAllocMapped));
    }

    /* Lists the vertices that are in; their number. Waits for all that is in the stream. */
    template <class In> uint32_t collect(In is_in, cudaStream_t stream)
    {
        frontier_count<<<blocks, FRONTIER_THREADS, 0, stream>>>(is_in, vertices, counts);
        frontier_list<<<blocks, FRONTIER_THREADS, 0, stream>>>(is_in, vertices, counts, list, length);
        check_cuda(cudaStreamSynchronize(stream));
        return *(volatile uint32_t *)length;
    }
};

#endif

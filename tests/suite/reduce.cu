// Sums of blocks: shuffles inside a warp, shared memory between warps, an atomic between blocks.
__device__ unsigned warp_sum(unsigned mask, unsigned lanes, unsigned v)
{
    unsigned lane = threadIdx.x % 32;
    for (unsigned step = 16; step > 0; step /= 2) {
        unsigned other = __shfl_down_sync(mask, v, step);
        if (lane + step < lanes)
            v += other;
    }
    return v;
}

extern "C" __global__ void reduce(const unsigned *in, unsigned n, unsigned *blocks, unsigned *total)
{
    __shared__ unsigned of_warp[32];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned first = threadIdx.x / 32 * 32, lanes = min(32u, blockDim.x - first);
    unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    unsigned v = warp_sum(mask, lanes, i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned w = 0; w < (blockDim.x + 31) / 32; w++)
            sum += of_warp[w];
        blocks[blockIdx.x] = sum;
        atomicAdd(total, sum);
    }
}

// The largest float of a block, by exchange with lane ^ step; blocks of whole warps.
extern "C" __global__ void reduce_max(const float *in, float *blocks)
{
    __shared__ float of_warp[32];
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, step));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    for (unsigned w = 0; w < blockDim.x / 32; w++)
        v = fmaxf(v, of_warp[w]);
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = v;
}

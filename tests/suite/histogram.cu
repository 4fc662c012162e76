// Counts of bytes: atomics on shared memory in the block, then on global memory; and all on global memory.
extern "C" __global__ void histogram(const unsigned char *in, unsigned n, unsigned *bins)
{
    __shared__ unsigned local[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        if (local[b])
            atomicAdd(&bins[b], local[b]);
}

extern "C" __global__ void histogram_global(const unsigned char *in, unsigned n, unsigned *bins, unsigned shift)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] >> shift], 1);
}

// Inclusive prefix sums of each block: doubling steps in dynamic shared memory; and by shuffles in each warp.
extern "C" __global__ void scan(const unsigned *in, unsigned *out, unsigned n)
{
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        unsigned v = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[t];
}

extern "C" __global__ void scan_warp(const int *in, int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = in[i];
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, v, step);
        if (lane >= step)
            v += other;
    }
    out[i] = v;
}

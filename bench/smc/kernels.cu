// Kernels that each keep one part of a GPU busy. `iterations` says how long a block takes.

// The units for floats: eight chains of fma per thread, and no memory.
extern "C" __global__ void fma_float(float *out, unsigned iterations)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], sum = 0;
    for (int c = 0; c < 8; c++)
        v[c] = i * 1e-6f + c;
#pragma unroll 4
    for (unsigned k = 0; k < iterations; k++)
        for (int c = 0; c < 8; c++)
            v[c] = fmaf(v[c], 0.999f, 0.5f);
    for (int c = 0; c < 8; c++)
        sum += v[c];
    out[i] = sum;
}

// The units for doubles, likewise with four chains.
extern "C" __global__ void fma_double(double *out, unsigned iterations)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    double v[4], sum = 0;
    for (int c = 0; c < 4; c++)
        v[c] = i * 1e-6 + c;
#pragma unroll 4
    for (unsigned k = 0; k < iterations; k++)
        for (int c = 0; c < 4; c++)
            v[c] = fma(v[c], 0.999, 0.5);
    for (int c = 0; c < 4; c++)
        sum += v[c];
    out[i] = sum;
}

// The units for special functions: four chains of approximate cosines.
extern "C" __global__ void special(float *out, unsigned iterations)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[4], sum = 0;
    for (int c = 0; c < 4; c++)
        v[c] = i * 1e-6f + c;
#pragma unroll 4
    for (unsigned k = 0; k < iterations; k++)
        for (int c = 0; c < 4; c++)
            asm("cos.approx.ftz.f32 %0, %0;" : "+f"(v[c]));
    for (int c = 0; c < 4; c++)
        sum += v[c];
    out[i] = sum;
}

// Bandwidth of memory: a block copies iterations x blockDim elements that follow each other.
extern "C" __global__ void copy(const float4 *__restrict__ in, float4 *__restrict__ out, unsigned iterations)
{
    size_t first = (size_t)blockIdx.x * blockDim.x * iterations + threadIdx.x;
#pragma unroll 4
    for (unsigned k = 0; k < iterations; k++)
        out[first + k * blockDim.x] = in[first + k * blockDim.x];
}

// Bandwidth of memory, only reading: a block sums up iterations x blockDim elements, and in each further pass those of
// another block, so that all of `in` is read once per pass.
extern "C" __global__ void stream(const float4 *__restrict__ in, float *__restrict__ out, unsigned iterations,
                                  unsigned passes)
{
    float x = 0, y = 0, z = 0, w = 0;
    for (unsigned p = 0; p < passes; p++) {
        unsigned part = (blockIdx.x + p * 977) % gridDim.x;
        const float4 *from = in + (size_t)part * blockDim.x * iterations + threadIdx.x;
#pragma unroll 4
        for (unsigned k = 0; k < iterations; k++) {
            float4 v = from[k * blockDim.x];
            x += v.x, y += v.y, z += v.z, w += v.w;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + w;
}

// Bandwidth of the L2: all blocks read the same n elements, a power of two, past the L1.
extern "C" __global__ void l2_read(const float4 *in, float *out, unsigned n, unsigned iterations)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0, y = 0, z = 0, w = 0;
#pragma unroll 8
    for (unsigned k = 0; k < iterations; k++) {
        float4 v = __ldcg(&in[(i + k * 65537 * blockDim.x) & (n - 1)]);
        x += v.x, y += v.y, z += v.z, w += v.w;
    }
    out[i] = x + y + z + w;
}

// Latency of memory: a chain of dependent loads per warp, over n elements, a power of two.
extern "C" __global__ void chase(const unsigned *table, unsigned *out, unsigned n, unsigned iterations)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 != 0)
        return;
    unsigned at = i * 2654435761u & (n - 1);
    for (unsigned k = 0; k < iterations; k++)
        at = (table[at] + at * 1664525u + 1013904223u) & (n - 1);
    out[i / 32] = at;
}

// Bandwidth of shared memory: 16 bytes per lane, without conflicts. A block has 256 threads.
extern "C" __global__ void shared_read(unsigned *out, unsigned iterations)
{
    __shared__ uint4 words[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (unsigned k = t; k < 1024; k += blockDim.x)
        words[k] = make_uint4(k, k * 3, k * 5, i);
    __syncthreads();
    uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll 8
    for (unsigned k = 0; k < iterations; k++) {
        uint4 v = words[(t + k * 288) % 1024];
        sum.x ^= v.x, sum.y ^= v.y, sum.z ^= v.z, sum.w += v.w;
    }
    out[i] = sum.x ^ sum.y ^ sum.z ^ sum.w;
}

// Atomics of the L2: additions to n counters, a power of two, that each thread draws.
extern "C" __global__ void scatter_add(unsigned *counters, unsigned n, unsigned iterations)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
    for (unsigned k = 0; k < iterations; k++) {
        state = state * 1664525u + 1013904223u;
        atomicAdd(&counters[(state >> 8) & (n - 1)], 1);
    }
}

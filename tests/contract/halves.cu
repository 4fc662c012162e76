// Half floats and bfloats without _rn: ptxas may fuse what these operators leave.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_products(const __half *in, __half *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 >= n)
        return;
    __half a = in[i], b = in[i + 1], c = in[i + 2];
    out[3 * i] = a - b * c;
    out[3 * i + 1] = a * b - c * a;
    out[3 * i + 2] = a * a + b * b + c * c;
}

extern "C" __global__ void half_pairs(const __half2 *x, const __half2 *y, __half2 *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 sum = __float2half2_rn(0);
    for (unsigned k = i; k < n; k += gridDim.x * blockDim.x)
        sum = __hsub2(sum, __hmul2(x[k], y[k]));
    out[i] = sum;
}

extern "C" __global__ void bfloat_pairs(const __nv_bfloat162 *x, const __nv_bfloat162 *y, __nv_bfloat162 *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 sum = __float2bfloat162_rn(0);
    for (unsigned k = i; k < n; k += gridDim.x * blockDim.x)
        sum = sum - x[k] * y[k];
    out[i] = sum;
}

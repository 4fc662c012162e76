// Half floats and bfloats: to and from float in each rounding, and sums and products of them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_convert(const float *in, unsigned short *out, float *back, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half h = __float2half_rn(in[i]);
    out[5 * i] = __half_as_ushort(h);
    out[5 * i + 1] = __half_as_ushort(__float2half_rz(in[i]));
    out[5 * i + 2] = __half_as_ushort(__float2half_ru(in[i]));
    out[5 * i + 3] = __half_as_ushort(__float2half_rd(in[i]));
    out[5 * i + 4] = __bfloat16_as_ushort(__float2bfloat16_rn(in[i]));
    back[i] = __half2float(h) + __bfloat162float(__ushort_as_bfloat16(out[5 * i + 4]));
}

extern "C" __global__ void half_math(const float *x, const float *y, __half2 *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half2 a = __floats2half2_rn(x[i], y[i]), b = __floats2half2_rn(y[i], 0.5f);
    __half2 v = __hfma2(a, b, __hadd2_rn(a, b));
    out[i] = __hsub2_rn(__hmul2_rn(v, a), __half2(__habs(__low2half(b)), __hneg(__high2half(a))));
}

// Each rounding of float operations on any bits at all, with subnormals, infinities and zeros among them;
// which NaN comes out is not said, so NaNs are written as one.
__device__ float one_nan(float f)
{
    return f == f ? f : __int_as_float(0x7fffffff);
}

extern "C" __global__ void floats_rounded(const unsigned *x, const unsigned *y, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = __uint_as_float(x[i]), b = __uint_as_float(y[i]), *to = out + 24 * i;
    to[0] = __fadd_rn(a, b), to[1] = __fadd_rz(a, b), to[2] = __fadd_ru(a, b), to[3] = __fadd_rd(a, b);
    to[4] = __fmul_rn(a, b), to[5] = __fmul_rz(a, b), to[6] = __fmul_ru(a, b), to[7] = __fmul_rd(a, b);
    to[8] = __fmaf_rn(a, b, a), to[9] = __fmaf_rz(a, b, a), to[10] = __fmaf_ru(a, b, a), to[11] = __fmaf_rd(a, b, a);
    to[12] = __fdiv_rn(a, b), to[13] = __fdiv_rz(a, b), to[14] = __fdiv_ru(a, b), to[15] = __fdiv_rd(a, b);
    a = fabsf(a);
    to[16] = __fsqrt_rn(a), to[17] = __fsqrt_rz(a), to[18] = __fsqrt_ru(a), to[19] = __fsqrt_rd(a);
    to[20] = __frcp_rn(b), to[21] = __saturatef(b), to[22] = fminf(a, b), to[23] = fmaxf(-a, b);
    for (int k = 0; k < 24; k++)
        to[k] = one_nan(to[k]);
}

// Conversions of numbers between [-2^31, 2^31) in each rounding, and of integers.
extern "C" __global__ void floats_converted(const float *x, const int *k, int *whole, float *back, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    whole[4 * i] = __float2int_rn(v), whole[4 * i + 1] = __float2int_rz(v);
    whole[4 * i + 2] = __float2int_ru(v), whole[4 * i + 3] = __float2int_rd(v);
    back[8 * i] = __int2float_rn(k[i]), back[8 * i + 1] = __int2float_rz(k[i]);
    back[8 * i + 2] = __int2float_ru(k[i]), back[8 * i + 3] = __int2float_rd(k[i]);
    back[8 * i + 4] = __uint2float_rn(k[i]), back[8 * i + 5] = __ll2float_rn((long long)k[i] * k[i]);
    back[8 * i + 6] = truncf(v) + rintf(v), back[8 * i + 7] = floorf(v) - ceilf(v) + roundf(v);
}

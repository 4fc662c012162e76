// Functions that end in an approximate instruction, on purpose (__sinf) or inside (expf): close, not the same bits.
extern "C" __global__ void math_close(const float *in, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], *to = out + 4 * i;
    to[0] = expf(x), to[1] = powf(x, 1.7f), to[2] = tanhf(x), to[3] = cbrtf(x);
}

extern "C" __global__ void math_approx(const float *in, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], *to = out + 8 * i;
    to[0] = __expf(x), to[1] = __log2f(x + 2), to[2] = rsqrtf(x), to[3] = __fdividef(x, 3.3f);
    to[4] = exp2f(x), to[5] = __frsqrt_rn(x), to[6] = __sinf(x), to[7] = __cosf(x);
}

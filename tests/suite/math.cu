// The accurate functions that are ordinary float code: the same bits everywhere.
extern "C" __global__ void math(const float *in, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], *to = out + 8 * i;
    to[0] = sinf(x), to[1] = cosf(x), to[2] = logf(fabsf(x)), to[3] = sqrtf(fabsf(x));
    to[4] = log2f(x * x), to[5] = fmodf(x, 0.7f), to[6] = log1pf(fabsf(x)), to[7] = log10f(fabsf(x));
}

extern "C" __global__ void math_double(const double *in, double *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], *to = out + 4 * i;
    to[0] = sin(x), to[1] = exp(x * 0.01), to[2] = fmod(x, 0.7), to[3] = ldexp(x, (int)x % 30);
}

// Loads and stores of two and four elements at once, and the bytes of a vector.
extern "C" __global__ void vectors(const float4 *in, float4 *out, double2 *sums, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = in[i];
    out[n - 1 - i] = make_float4(v.w, v.z * 2, v.y - v.x, v.x);
    sums[i] = make_double2((double)v.x + v.y, (double)v.z * v.w);
}

extern "C" __global__ void vectors_small(const uchar4 *in, short2 *out, ushort4 *wide, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 v = in[i];
    out[i] = make_short2(v.x - v.y, v.z * -v.w);
    wide[i] = make_ushort4(v.x << 8 | v.y, v.y << 8 | v.z, v.z << 8 | v.w, v.w << 8 | v.x);
}

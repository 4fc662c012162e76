// One warp, several paths: each runs with the lanes that took it, and they meet again.
extern "C" __global__ void paths(const unsigned *in, unsigned *out, unsigned kinds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], kind = i % kinds;
    if (kind == 0)
        for (unsigned k = 0; k < 20; k++)
            v = (v ^ k) * 1664525;
    else if (kind == 1)
        for (unsigned k = 0; k < 20; k++)
            v ^= v << 7, v ^= v >> 9;
    else if (kind == 2)
        for (unsigned k = 0; k < 20; k++)
            v = (v << 5 | v >> 27) + k;
    else
        v = ~v;
    out[i] = v;
}

// Lanes of the same warp agree, but different warps do not: nothing is lost.
extern "C" __global__ void paths_of_warps(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    if (threadIdx.x / 32 % 2 == 0)
        for (unsigned k = 0; k < 20; k++)
            v = (v ^ k) * 1664525;
    else
        for (unsigned k = 0; k < 20; k++)
            v ^= v << 7, v ^= v >> 9;
    out[i] = v;
}

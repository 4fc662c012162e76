// Memory is little-endian: a word written, its bytes read, in every space, and through one pointer to any.
extern "C" __global__ void bytes(const unsigned *in, unsigned char *out, unsigned n)
{
    __shared__ unsigned s[1024];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    if (i >= n)
        return;
    s[t] = in[i];
    unsigned mine[4] = {in[i], ~in[i], i, t};
    const unsigned char *own = (const unsigned char *)&mine[i % 4], *global = (const unsigned char *)&in[i];
    const unsigned char *shared = (const unsigned char *)&s[t];
    const unsigned char *any = i % 3 == 0 ? own : i % 3 == 1 ? global : shared;
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = any[k] + (shared[3 - k] ^ global[k]);
}

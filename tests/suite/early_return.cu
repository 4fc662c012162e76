// Threads that return early: the barrier and the shuffle after it are for those that are left.
extern "C" __global__ void early_return(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    s[t] = in[i];
    if (in[i] % 5 == 0) {
        out[i] = 5;
        return;
    }
    __syncthreads();
    unsigned v = s[t];
    for (unsigned k = 0; k < t % 7; k++) {
        v = v * 3 + k;
        if (v % 11 == 0) {
            out[i] = v;
            return;
        }
    }
    __syncthreads();
    out[i] = v + s[blockDim.x * (blockIdx.x + 1) <= n ? blockDim.x - 1 - t : t];
}

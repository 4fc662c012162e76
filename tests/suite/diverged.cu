// Lanes of one warp that exchange data while they are on different paths: what a warp with one program counter
// cannot do. Even lanes ask in one branch and wait; odd lanes wait in the other and answer.
extern "C" __global__ void diverged(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ volatile unsigned question[512], answer[512];
    unsigned t = threadIdx.x, pair = t / 2, i = blockIdx.x * blockDim.x + t;
    if (t % 2 == 0)
        question[pair] = answer[pair] = 0;
    __syncthreads();
    unsigned v = in[i];
    for (unsigned r = 1; r <= rounds; r++)
        if (t % 2 == 0) {
            question[pair] = (v & 0xffff) << 16 | r;
            while ((answer[pair] & 0xffff) != r)
                ;
            v = v * 5 + (answer[pair] >> 16);
        } else {
            while ((question[pair] & 0xffff) != r)
                ;
            v = v * 7 + (question[pair] >> 16);
            answer[pair] = (v & 0xffff) << 16 | r;
        }
    out[i] = v;
}

// Both sides of a branch shuffle, each among its own lanes.
extern "C" __global__ void diverged_shuffle(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    if (threadIdx.x % 2 == 0)
        v = v * 3 + __shfl_xor_sync(0x55555555, v, 2);
    else
        v = v * 5 + __shfl_xor_sync(0xaaaaaaaa, v, 4);
    out[i] = v + __shfl_sync(~0u, v, 31 - threadIdx.x % 32);
}

// A reduction that trusts no lockstep: the lanes meet (__syncwarp) between reading and writing shared memory.
extern "C" __global__ void diverged_reduce(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[1024];
    unsigned t = threadIdx.x, lane = t % 32, v = in[blockIdx.x * blockDim.x + t];
    s[t] = v;
    __syncwarp();
    for (unsigned step = 16; step > 0; step /= 2) {
        if (lane < step)
            v += s[t + step];
        __syncwarp();
        if (lane < step)
            s[t] = v;
        __syncwarp();
    }
    if (lane == 0)
        out[(blockIdx.x * blockDim.x + t) / 32] = v;
}

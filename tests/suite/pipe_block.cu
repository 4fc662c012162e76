// Blocks that wait for each other through global memory: each for the one before it, and two in turn.
extern "C" __global__ void chain(const unsigned *in, unsigned *out, volatile unsigned *total, volatile unsigned *ready)
{
    unsigned b = blockIdx.x, i = b * blockDim.x + threadIdx.x;
    __shared__ unsigned before;
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        if (b > 0) {
            while (ready[b - 1] == 0)
                ;
            __threadfence();
            sum = total[b - 1];
        }
        before = sum;
        for (unsigned k = 0; k < blockDim.x; k++)
            sum += in[i + k];
        total[b] = sum;
        __threadfence();
        ready[b] = 1;
    }
    __syncthreads();
    out[i] = before + in[i];
}

// Block 0 writes, block 1 answers, `rounds` times; both must be on the GPU at once.
extern "C" __global__ void ping_pong(volatile unsigned *ball, volatile unsigned *turn, unsigned rounds)
{
    for (unsigned r = 0; r < rounds; r++) {
        if (threadIdx.x == 0)
            while (*turn != 2 * r + blockIdx.x)
                ;
        __syncthreads();
        __threadfence();
        ball[threadIdx.x] = ball[threadIdx.x] * 3 + blockIdx.x + threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *turn = 2 * r + blockIdx.x + 1;
    }
}

// The last block to finish adds up what all wrote.
extern "C" __global__ void last_block(const unsigned *in, volatile unsigned *part, unsigned *done, unsigned *sum)
{
    if (threadIdx.x != 0)
        return;
    unsigned mine = 0;
    for (unsigned k = 0; k < blockDim.x; k++)
        mine += in[blockIdx.x * blockDim.x + k];
    part[blockIdx.x] = mine;
    __threadfence();
    if (atomicAdd(done, 1) + 1 != gridDim.x)
        return;
    unsigned all = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        all = all * 31 + part[b];
    *sum = all;
}

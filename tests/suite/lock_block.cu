// A lock that blocks fight for: one thread of each takes it for its whole block. And the same with tickets.
extern "C" __global__ void lock_block(unsigned *lock, volatile unsigned *sums)
{
    if (threadIdx.x == 0)
        while (atomicCAS(lock, 0, 1) != 0)
            ;
    __syncthreads();
    __threadfence();
    sums[threadIdx.x] = sums[threadIdx.x] + blockIdx.x + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(lock, 0);
}

extern "C" __global__ void ticket_block(unsigned *next, volatile unsigned *serving, volatile unsigned *sum)
{
    if (threadIdx.x != 0)
        return;
    unsigned ticket = atomicAdd(next, 1);
    while (*serving != ticket)
        ;
    __threadfence();
    *sum = *sum * 3 + 1;
    __threadfence();
    *serving = ticket + 1;
}

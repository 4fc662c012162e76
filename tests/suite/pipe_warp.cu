// A warp produces, a warp consumes, through a ring in shared memory: by flags that the consumer spins on, and
// by two named barriers, at one of which a side only arrives.
#define RING 4

extern "C" __global__ void pipe_flags(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ volatile unsigned ring[RING][32], full[RING];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < RING)
        full[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned r = 0; r < rounds; r++) {
        unsigned k = r % RING;
        while (full[k] != warp)
            ;
        __syncwarp();
        __threadfence_block();
        if (warp == 0)
            ring[k][lane] = in[r * 32 + lane] * 2 + 1;
        else
            out[r * 32 + lane] = ring[k][31 - lane];
        __threadfence_block();
        __syncwarp();
        if (lane == 0)
            full[k] = 1 - warp;
    }
}

__device__ void wait(unsigned barrier)
{
    asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}

__device__ void arrive(unsigned barrier)
{
    asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

extern "C" __global__ void pipe_barriers(const unsigned *in, unsigned *out, unsigned rounds)
{
    __shared__ unsigned slot[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        for (unsigned r = 0; r < rounds; r++) {
            if (r > 0)
                wait(2);
            slot[lane] = in[r * 32 + lane] ^ r;
            arrive(1);
        }
    else
        for (unsigned r = 0; r < rounds; r++) {
            wait(1);
            out[r * 32 + lane] = slot[31 - lane];
            if (r + 1 < rounds)
                arrive(2);
        }
}

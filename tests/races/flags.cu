// A value and a flag: who sees the flag may read the value if fences, or release and acquire, say so.
#define KERNEL extern "C" __global__ void
__device__ void release(unsigned *to, unsigned v) { asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory"); }
__device__ void release_block(unsigned *to, unsigned v) { asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory"); }
__device__ unsigned acquire(const unsigned *from)
{
    unsigned v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}
__device__ unsigned acquire_block(const unsigned *from)
{
    unsigned v;
    asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}
__device__ unsigned relaxed(const unsigned *from)
{
    unsigned v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}
#define WRITES (blockIdx.x == 0 && threadIdx.x == 0)
#define READS (blockIdx.x == 1 && threadIdx.x == 0)

KERNEL flag_fences(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42;
        __threadfence();
        *flag = 1;
    } else if (READS) {
        while (!*flag)
            ;
        __threadfence();
        *out = *value;
    }
}

KERNEL flag_no_fence(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42; // racy flag_no_fence
        *flag = 1;
    } else if (READS) {
        while (!*flag)
            ;
        *out = *value; // racy flag_no_fence
    }
}

KERNEL flag_no_first_fence(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42; // racy flag_no_first_fence
        *flag = 1;
    } else if (READS) {
        while (!*flag)
            ;
        __threadfence();
        *out = *value; // racy flag_no_first_fence
    }
}

KERNEL flag_no_last_fence(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42; // racy flag_no_last_fence
        __threadfence();
        *flag = 1;
    } else if (READS) {
        while (!*flag)
            ;
        *out = *value; // racy flag_no_last_fence
    }
}

// A fence for the block is none for another.
KERNEL flag_small_fence(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42; // racy flag_small_fence
        __threadfence_block();
        *flag = 1;
    } else if (READS) {
        while (!*flag)
            ;
        __threadfence();
        *out = *value; // racy flag_small_fence
    }
}

KERNEL flag_too_early(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (WRITES) {
        __threadfence();
        *flag = 1;
        *value = 42; // racy flag_too_early
    } else if (READS) {
        while (!*flag)
            ;
        __threadfence();
        *out = *value; // racy flag_too_early
    }
}

KERNEL flag_release(unsigned *value, unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42;
        release(flag, 1);
    } else if (READS) {
        while (!acquire(flag))
            ;
        *out = *value;
    }
}

KERNEL flag_release_block(unsigned *value, unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42;            // racy flag_release_block
        release_block(flag, 1);
    } else if (READS) {
        while (!acquire_block(flag))
            ;
        *out = *value; // racy flag_release_block
    }
}

// Within a block its own scope is enough.
KERNEL flag_in_block(unsigned *value, unsigned *flag, unsigned *out)
{
    if (threadIdx.x == 0) {
        value[blockIdx.x] = 42;
        release_block(&flag[blockIdx.x], 1);
    } else if (threadIdx.x == 32) {
        while (!acquire_block(&flag[blockIdx.x]))
            ;
        out[blockIdx.x] = value[blockIdx.x];
    }
}

KERNEL flag_relaxed(unsigned *value, unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42; // racy flag_relaxed
        release(flag, 1);
    } else if (READS) {
        while (!relaxed(flag))
            ;
        *out = *value; // racy flag_relaxed
    }
}

KERNEL flag_relaxed_fence(unsigned *value, unsigned *flag, unsigned *out)
{
    if (WRITES) {
        *value = 42;
        release(flag, 1);
    } else if (READS) {
        while (!relaxed(flag))
            ;
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        *out = *value;
    }
}

// A flag that is a plain write: the look at it races, however strong it is.
KERNEL flag_plain(unsigned *flag, unsigned *out)
{
    if (WRITES)
        *flag = 1; // racy flag_plain
    else if (READS) {
        while (!*(volatile unsigned *)flag) // racy flag_plain
            ;
        *out = 1;
    }
}

// The whole block writes, one thread raises the flag for all; the whole other block reads.
KERNEL flag_for_block(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (blockIdx.x == 0) {
        value[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (!*flag)
                ;
            __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = value[blockDim.x - 1 - threadIdx.x];
    }
}

KERNEL flag_for_block_early(unsigned *value, volatile unsigned *flag, unsigned *out)
{
    if (blockIdx.x == 0) {
        value[threadIdx.x] = threadIdx.x; // racy flag_for_block_early
        if (threadIdx.x == 0) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (!*flag)
                ;
            __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = value[blockDim.x - 1 - threadIdx.x]; // racy flag_for_block_early
    }
}

// From block to block to block.
KERNEL flag_chain(unsigned *value, unsigned *flag)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x) {
        while (!acquire(&flag[blockIdx.x - 1]))
            ;
        *value = *value * 3 + blockIdx.x;
    } else {
        *value = 1;
    }
    release(&flag[blockIdx.x], 1);
}

// The third does not wait for the second, only for the first.
KERNEL flag_chain_short(unsigned *value, unsigned *flag)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x)
        while (!acquire(&flag[blockIdx.x == 2 ? 0 : blockIdx.x - 1]))
            ;
    *value = *value * 3 + blockIdx.x; // racy flag_chain_short
    release(&flag[blockIdx.x], 1);
}

// All but one of the readers are waited for.
KERNEL three_of_four(unsigned *value, unsigned *done, unsigned *out)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x < 4) {
        out[blockIdx.x] = *value; // racy three_of_four
        release(&done[blockIdx.x], 1);
    } else {
        for (unsigned b = 0; b < 3; b++)
            while (!acquire(&done[b]))
                ;
        *value = 9; // racy three_of_four
    }
}

KERNEL four_of_four(unsigned *value, unsigned *done, unsigned *out)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x < 4) {
        out[blockIdx.x] = *value;
        release(&done[blockIdx.x], 1);
    } else {
        for (unsigned b = 0; b < 4; b++)
            while (!acquire(&done[b]))
                ;
        *value = 9;
    }
}

// To and fro, by two flags in shared memory, between warps.
KERNEL ping_pong(unsigned *out)
{
    __shared__ volatile unsigned turn, ball;
    unsigned me = threadIdx.x / 32;
    if (threadIdx.x == 0)
        turn = ball = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        for (unsigned r = 0; r < 5; r++) {
            while (turn != r * 2 + me)
                ;
            __threadfence_block();
            ball = ball * 2 + me;
            __threadfence_block();
            turn = r * 2 + me + 1;
        }
    __syncthreads();
    out[threadIdx.x] = ball;
}

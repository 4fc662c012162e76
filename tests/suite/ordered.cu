// The memory model's own words: a value released by one thread and acquired by another, in a block and between two.
__device__ void release(unsigned *to, unsigned v)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

__device__ unsigned acquire(const unsigned *from)
{
    unsigned v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}

// Each thread hands what it got from the one before it to the next, over the whole grid.
extern "C" __global__ void ordered(unsigned *value, unsigned *flag, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i > 0) {
        while (acquire(&flag[i - 1]) == 0)
            ;
        value[i] = value[i - 1] * 3 + i;
    }
    release(&flag[i], 1);
}

// Counts with acq_rel atomics and a fence; who comes last in its block writes for all.
extern "C" __global__ void ordered_last(unsigned *count, unsigned *data, unsigned *sum)
{
    unsigned old, all = 0;
    data[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x * blockIdx.x;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(&count[blockIdx.x]) : "memory");
    if (old + 1 == blockDim.x) {
        for (unsigned k = 0; k < blockDim.x; k++)
            all += ((volatile unsigned *)data)[blockIdx.x * blockDim.x + k];
        sum[blockIdx.x] = all;
    }
}

// A lock whose losers sleep, longer each time; and clocks that only go on.
extern "C" __global__ void sleep(unsigned *lock, volatile unsigned *count)
{
    unsigned ns = 8;
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(ns);
        if (ns < 256)
            ns *= 2;
    }
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void clocks(unsigned *good)
{
    unsigned long long t0, t1;
    unsigned sm, sms;
    long long c0 = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    __nanosleep(100);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    long long c1 = clock64();
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
    good[blockIdx.x * blockDim.x + threadIdx.x] = t1 >= t0 && c1 > c0 && sm < sms;
}

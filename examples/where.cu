// Each block says which SM it runs on, and in which order the blocks came.
// where.ptx: nvcc -arch=sm_75 -lineinfo -ptx where.cu
extern "C" __global__ void where(unsigned *sm, unsigned *order, unsigned *count)
{
    unsigned own;
    if (threadIdx.x)
        return;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(own));
    sm[blockIdx.x] = own;
    order[atomicAdd(count, 1)] = blockIdx.x;
}

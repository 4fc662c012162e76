// Several arrays of different types in one dynamic shared memory, whose size comes with the launch.
extern "C" __global__ void dynamic(const unsigned *in, double *out, unsigned *size)
{
    extern __shared__ double memory[];
    double *big = memory;
    unsigned *plain = (unsigned *)(big + blockDim.x);
    unsigned char *small = (unsigned char *)(plain + blockDim.x);
    unsigned t = threadIdx.x, from = blockDim.x - 1 - t, i = blockIdx.x * blockDim.x + t;
    big[t] = in[i] * 0.5;
    plain[t] = in[i] / 3;
    small[t] = in[i];
    __syncthreads();
    out[i] = big[from] + plain[from] + small[(t * 7) % blockDim.x];
    if (i == 0)
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(*size));
}

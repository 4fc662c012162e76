// How a block becomes warps: threads in order of their numbers, 32 at a time, the rest in a last short one.
extern "C" __global__ void warps(unsigned *lane, unsigned *first, unsigned *lanes)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned size = blockDim.x * blockDim.y * blockDim.z;
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned here, i = block * size + t, left = size - t / 32 * 32;
    unsigned mask = left >= 32 ? ~0u : (1u << left) - 1;
    asm("mov.u32 %0, %%laneid;" : "=r"(here));
    lane[i] = here;
    first[i] = __shfl_sync(mask, t, 0);
    lanes[i] = __popc(__ballot_sync(mask, 1));
}

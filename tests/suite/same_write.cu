// Many threads write one place without atomics: one of the values stays, which one is not said.
extern "C" __global__ void same_write(unsigned *is_one, volatile unsigned *slots)
{
    __shared__ volatile unsigned one;
    unsigned t = threadIdx.x;
    one = t * 3 + 1;
    slots[blockIdx.x * 4 + t % 4] = 0x1000 + t;
    __syncthreads();
    unsigned global = slots[blockIdx.x * 4 + t % 4] - 0x1000;
    bool good = one % 3 == 1 && one / 3 < blockDim.x && global < blockDim.x && global % 4 == t % 4;
    is_one[blockIdx.x * blockDim.x + t] = good;
    __syncthreads();
    slots[blockIdx.x * 4 + t % 4] = 7; // which all write, so it is known
}

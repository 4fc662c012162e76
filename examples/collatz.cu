// Steps until n reaches 1, for n = 1, 2, ...: threads of a warp leave the loop one by one.
// collatz.ptx: nvcc -arch=sm_75 -lineinfo -ptx collatz.cu
extern "C" __global__ void collatz(unsigned *steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long n = i + 1;
    unsigned count = 0;
    while (n != 1) {
        if (n % 2)
            n = 3 * n + 1;
        else
            n /= 2;
        count++;
    }
    steps[i] = count;
}

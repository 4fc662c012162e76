// Prints one line per block, with the numbers of the block.
// hello.ptx: nvcc -arch=sm_75 -ptx hello.cu
#include <cstdio>

extern "C" __global__ void hello(float x)
{
    if (threadIdx.x == 0)
        printf("block %u of %u, %s: %g\n", blockIdx.x, gridDim.x, "hello", x);
}

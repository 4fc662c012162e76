// printf: every kind of conversion, from one thread; and from the blocks in an order that a flag sets.
#include <cstdio>

extern "C" __global__ void print(int a, double d, unsigned long long u)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        printf("int %d, hex %08x, char %c, text %s, percent %%\n", a, a, 'g', "cast");
        printf("double %f %.3e %g, long %llu\n", d, d, d, u);
        printf("nothing\n");
    }
}

extern "C" __global__ void print_in_turn(volatile unsigned *turn)
{
    if (threadIdx.x != 0)
        return;
    while (*turn != blockIdx.x)
        ;
    printf("block %u of %u\n", blockIdx.x, gridDim.x);
    __threadfence();
    *turn = blockIdx.x + 1;
}

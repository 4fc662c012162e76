// A little of everything that nvcc turns into different kinds of PTX.
#include <cassert>
#include <cstdio>

struct pair {
    int a;
    double b;
    float4 c[2];
};

__constant__ float table[5] = {1.5f, 2, 3};
__device__ int counter = 7;
__device__ const char *names[2] = {"ab\n", "c"};
__device__ __managed__ long shared_counter;
extern __shared__ int dynamic[];

__device__ __noinline__ pair make(pair p, int k)
{
    p.a += k;
    return p;
}

typedef int (*function)(int);
__device__ __noinline__ int plus(int x)
{
    return x + counter;
}
__device__ __noinline__ int times(int x)
{
    return x * counter;
}
__device__ function functions[2] = {plus, times};

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void __launch_bounds__(256, 2) all(int *out, pair p, int n)
{
    __shared__ float4 tile[32];
    int t = threadIdx.x, own[8];
    tile[t % 32] = p.c[t % 2];
    __syncthreads();
    p = make(p, t);
    for (int i = 0; i < 8; i++)
        own[i] = out[i * n];
    switch (n) {
    case 0: t += out[5]; break;
    case 1: t *= 3; break;
    case 2: t ^= 77; break;
    case 3: t = atomicAdd(out, t); break;
    case 4: t = __shfl_sync(~0u, t, 3); break;
    case 5: t = __popc(t); break;
    case 6: t = out[t]; break;
    case 7: t -= 9; break;
    }
    printf("%d %f\n", t, p.b);
    out[t] = functions[n](p.a) + own[t % 8] + dynamic[t] + (int)tile[t].y + names[t][0] + fibonacci(t);
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %0, 0; @q bra L; L: }" ::"r"(t));
    if (n > 3)
        assert(t < 5);
    out[t] = (int)(__fmaf_rn(table[t], 1.25f, 2.0f) * 3.0) + (int)shared_counter;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        out[i] += __ballot_sync(~0u, i & 1);
}

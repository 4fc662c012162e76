// Every atomic operation, all threads at the same places: each happens, in an order that does not show.
extern "C" __global__ void atomics(const unsigned *in, unsigned *out, unsigned *old)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    atomicAdd(&out[0], v), atomicSub(&out[1], v), atomicMin(&out[2], v), atomicMax(&out[3], v);
    atomicAnd(&out[4], v | 0xff), atomicOr(&out[5], v & 0xff0f), atomicXor(&out[6], v);
    atomicInc(&out[7], 9), atomicDec(&out[8], 9);
    atomicMin((int *)&out[9], (int)v), atomicMax((int *)&out[10], (int)v);
    old[atomicAdd(&out[11], 1)] = 1; // each thread gets its own number
    unsigned seen = out[12], next;   // add by compare and swap
    do {
        next = seen;
        seen = atomicCAS(&out[12], next, next + v % 100);
    } while (seen != next);
    atomicExch(&out[13], 77);
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(&out[14]), "r"(v & 7) : "memory");
}

// Of 64 bits and of floats (whole numbers, so that every order gives the same sum), and in shared memory.
extern "C" __global__ void atomics_wide(const unsigned *in, unsigned long long *out, float *f, double *d)
{
    __shared__ unsigned long long s;
    __shared__ float sum;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v = (unsigned long long)in[i] << 13 | i;
    if (threadIdx.x == 0)
        s = 0, sum = 0;
    __syncthreads();
    atomicAdd(&s, v), atomicAdd(&sum, (float)(v % 64));
    atomicMax(&out[1], v), atomicXor(&out[2], v), atomicMin((long long *)&out[3], -(long long)v);
    atomicAdd(d, 0.25 * (v % 64));
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&out[0], s), atomicAdd(f, sum);
}

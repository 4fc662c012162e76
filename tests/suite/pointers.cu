// Calls through a table of functions and through virtual functions: the lanes of a warp call different ones.
typedef unsigned function(unsigned, unsigned);

__device__ unsigned plus(unsigned a, unsigned b)
{
    return a + b;
}
__device__ unsigned minus(unsigned a, unsigned b)
{
    return a - b;
}
__device__ unsigned times(unsigned a, unsigned b)
{
    return a * b;
}
__device__ unsigned power(unsigned a, unsigned b)
{
    unsigned p = 1;
    for (b %= 16; b > 0; b--)
        p *= a;
    return p;
}

__device__ function *const table[] = {plus, minus, times, power};

extern "C" __global__ void pointers(const unsigned char *which, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[which[i] % 4](i, which[i]);
}

struct shape {
    unsigned a, b;
    __device__ virtual unsigned area() const
    {
        return a * b;
    }
};

struct frame : shape {
    __device__ unsigned area() const override
    {
        return a * b - (a - 2) * (b - 2);
    }
};

extern "C" __global__ void pointers_virtual(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    shape whole;
    frame border;
    shape *one = i % 3 ? &whole : &border;
    one->a = i + 3, one->b = i % 7 + 3;
    out[i] = one->area();
}
